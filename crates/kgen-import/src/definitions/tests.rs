use kgen_diagnostics::{Code, Files, SourceFile};
use kgen_model::{JsonType, Scope};

use super::{Outcome, Strictness, read};

const KILN: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kilns.pottery.example.com
  labels: {app: pottery}
spec:
  group: pottery.example.com
  scope: Cluster
  names: {kind: Kiln, plural: kilns, shortNames: [kn]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec, metadata]
        properties:
          apiVersion: {type: string}
          metadata: {type: object}
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
";

fn outcome(text: &str, strictness: Strictness) -> (Outcome, Files) {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.yaml", text));
    (read(text, file, strictness), files)
}

fn problems(text: &str) -> Vec<(Code, String, String)> {
    let (outcome, files) = outcome(text, Strictness::Structural);
    assert!(outcome.definitions.is_empty());
    let shown = |problem: &kgen_diagnostics::Problem| {
        let place = problem
            .span
            .map(|span| files.slice(span).to_owned())
            .unwrap_or_default();
        (problem.code, problem.message.clone(), place)
    };
    outcome.problems.iter().map(shown).collect()
}

#[test]
fn a_definition_becomes_a_resource() {
    let (outcome, files) = outcome(KILN, Strictness::Structural);
    assert!(outcome.problems.is_empty(), "{:?}", outcome.problems);
    let [definition] = outcome.definitions.as_slice() else {
        panic!()
    };
    let resource = &definition.resource;
    assert_eq!(resource.scope, Scope::Cluster);
    assert_eq!(resource.names.short_names, ["kn"]);
    assert_eq!(resource.names.list_kind, "KilnList");
    let version = &resource.versions[0];
    assert!(version.storage.is_some() && version.unserved.is_none());
    assert_eq!(version.columns[0].value.name, "Size");
    assert_eq!(version.schema.properties.keys().collect::<Vec<_>>(), ["spec"]);
    assert_eq!(version.schema.required.iter().collect::<Vec<_>>(), ["spec"]);
    let size = &version.schema.properties["spec"].properties["size"];
    assert_eq!(size.json_type, Some(JsonType::Integer));
    assert_eq!(files.slice(size.places.node.unwrap()), "size");
}

#[test]
fn lists_are_unpacked_and_other_documents_counted() {
    let item = KILN.lines().map(|line| format!("  {line}\n")).collect::<String>();
    let list = format!(
        "kind: ConfigMap\n---\napiVersion: v1\nkind: List\nitems:\n- {}",
        item.trim_start()
    );
    let (outcome, _) = outcome(&list, Strictness::Structural);
    assert_eq!(
        (outcome.definitions.len(), outcome.other_documents),
        (1, 1),
        "{:?}",
        outcome.problems
    );
}

#[test]
fn schemas_that_are_not_structural_are_refused_at_their_place() {
    for (from, to, place, message) in [
        (
            "{type: integer, minimum: 1}",
            "{minimum: 1}",
            "size",
            "`v1.spec.size` has no type",
        ),
        (
            "{type: integer, minimum: 1}",
            "{type: array}",
            "size",
            "`v1.spec.size` is a list without a schema for its items",
        ),
        (
            "{type: integer, minimum: 1}",
            "{type: int}",
            "int",
            "`v1.spec.size` has the type `int`, which does not exist",
        ),
        (
            "{type: integer, minimum: 1}",
            "{type: integer, anyOf: [{type: integer}]}",
            "size",
            "a combination (`allOf`, `anyOf`, `oneOf`, `not`) of `v1.spec.size` states a type",
        ),
    ] {
        let text = KILN.replace(from, to);
        let found = problems(&text);
        let expected = (Code::StructuralSchema, message.to_owned(), place.to_owned());
        assert_eq!(found, [expected]);
        let (lenient, _) = outcome(&text, Strictness::Lenient);
        assert_eq!(lenient.definitions.len(), 1, "{:?}", lenient.problems);
        assert_eq!(lenient.problems.len(), 1);
    }
}

#[test]
fn wrong_definitions_are_refused() {
    for (from, to, place, message) in [
        (
            "scope: Cluster",
            "scope: Everywhere",
            "Everywhere",
            "the scope `Everywhere` is neither `Namespaced` nor `Cluster`",
        ),
        (
            "name: kilns.pottery.example.com",
            "name: kilns",
            "kilns",
            "the name of the CRD must be `kilns.pottery.example.com`: the plural, a dot and the group",
        ),
        (
            "storage: true",
            "storage: false",
            "Kiln",
            "exactly one version must have `storage: true`, but 0 have",
        ),
        (
            "k8s.io/v1\n",
            "k8s.io/v1beta1\n",
            "apiextensions.k8s.io/v1beta1",
            "the CRD has the version `apiextensions.k8s.io/v1beta1`, which cannot be imported",
        ),
        (
            "minimum: 1",
            "minimum: one",
            "one",
            "`v1.spec.size.minimum` must be a number, but it is a string",
        ),
        (
            "group: pottery.example.com",
            "groups: pottery",
            "group",
            "`group` is missing in `spec`",
        ),
    ] {
        let expected = (Code::InvalidDefinition, message.to_owned(), place.to_owned());
        let found = problems(&KILN.replace(from, to));
        assert!(
            found.contains(&expected)
                || from.starts_with("group") && found.iter().any(|found| found.1 == message),
            "{found:?}"
        );
    }
}

#[test]
fn keywords_that_a_schema_cannot_have_are_noted() {
    let (outcome, _) = outcome(&KILN.replace("minimum: 1", "x-other: 1"), Strictness::Structural);
    let messages: Vec<_> = outcome
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(messages, ["the keyword `x-other` of `v1.spec.size` is left out"]);
}

#[test]
fn metadata_can_only_describe_names() {
    let names = "metadata: {type: object, properties: {name: {type: string, maxLength: 5}}}";
    let fine = outcome(
        &KILN.replace("metadata: {type: object}", names),
        Strictness::Structural,
    )
    .0;
    assert!(fine.problems.is_empty(), "{:?}", fine.problems);
    let labels = "metadata: {type: object, properties: {labels: {type: object}}}";
    let message = "`v1.metadata` can only describe `name` and `generateName`, but not `labels`";
    assert_eq!(
        problems(&KILN.replace("metadata: {type: object}", labels)),
        [(Code::StructuralSchema, message.to_owned(), "labels".to_owned())]
    );
}

#[test]
fn a_lenient_reader_leaves_descriptions_of_metadata_out() {
    let both = "metadata: {type: object, properties: {name: {type: string}, labels: {type: object}}}";
    let text = KILN.replace("metadata: {type: object}", both);
    let read = outcome(&text, Strictness::Lenient).0;
    let found: Vec<_> = read.problems.iter().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code, Code::ImportLoss);
    assert!(!read.problems.has_errors());
    let schema = &read.definitions[0].resource.versions[0].schema;
    let names: Vec<_> = schema.properties["metadata"].properties.keys().collect();
    assert_eq!(names, ["name"]);
}

#[test]
fn template_syntax_in_labels_is_refused_at_its_place() {
    let text = KILN.replace("{app: pottery}", "{app: '{{ .Release.Name }}'}");
    let found = problems(&text);
    let message = "this text contains template syntax".to_owned();
    assert_eq!(
        found,
        [(Code::TemplateSyntax, message, "'{{ .Release.Name }}'".to_owned())]
    );
}
