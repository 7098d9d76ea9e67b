//! One list of expressions, evaluated wherever kgen evaluates any: as a keyword of a schema, as a default, as an example
//! and as the text of a rule. Each place must find the same value, or agree that the value cannot be determined.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod budget;
mod cases;

use std::collections::BTreeMap;
use std::fs;

use cases::{CASES, ITEMS};
use kgen_frontend::{FeatureChoice, Input, Options, Outcome, read};
use kgen_model::Schema;
use serde_json::Value;

/// An expression, its type, and its value; `None` if only running code would tell.
pub(crate) struct Case {
    pub(crate) rust_type: &'static str,
    pub(crate) code: &'static str,
    pub(crate) value: Option<&'static str>,
}

impl Case {
    fn expected(&self) -> Option<Value> {
        self.value.map(|text| serde_json::from_str(text).unwrap())
    }
}

/// Reads a source of several modules.
pub(crate) fn outcome(main: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let dependencies = ["kube", "schemars", "serde", "serde_json"].map(|name| format!("{name} = \"1\"\n"));
    let manifest = "[package]\nname = \"scales\"\nversion = \"0.0.0\"\n\n[dependencies]\n".to_owned();
    write("Cargo.toml", &(manifest + &dependencies.concat()));
    fs::create_dir_all(folder.path().join("src")).unwrap();
    write(
        "src/lib.rs",
        "pub mod deep;\npub mod elsewhere;\npub mod handed_on;\npub mod impls;\npub mod v1;\n",
    );
    write("src/v1.rs", main);
    let deep = format!(
        "pub fn text() -> &'static str {{ \"x\"{} }}\n",
        ".trim()".repeat(900)
    );
    write("src/deep.rs", &deep);
    for (name, text) in cases::MODULES {
        write(name, text);
    }
    let input = Input {
        working_folder: folder.path().to_owned(),
        // The other modules are read when a path leads there.
        paths: vec!["src/v1.rs".into()],
        features: FeatureChoice::default(),
        kinds: true,
        options: Options {
            serde_defaults: true,
            allow_opaque: true,
            allow_dangerous_types: true,
            ..Options::default()
        },
        foreign_markers: Default::default(),
        cargo_home: Some(folder.path().to_owned()),
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
        exclude: Vec::new(),
        unsaved: Default::default(),
        tree: None,
    };
    read(&input)
}

/// Returns the source with one field for each expression.
fn source(field: impl Fn(usize, &Case) -> String, function: impl Fn(usize, &Case) -> String) -> String {
    let mut text = ITEMS.to_owned();
    text.push_str("#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]\n");
    text.push_str("#[kube(group = \"scales.example.org\", version = \"v1\", kind = \"Scale\")]\npub struct ScaleSpec {\n");
    for (index, case) in CASES.iter().enumerate() {
        text.push_str(&field(index, case));
    }
    text.push_str("}\n");
    for (index, case) in CASES.iter().enumerate() {
        text.push_str(&function(index, case));
    }
    text
}

/// Returns the schemas of the fields.
pub(crate) fn fields(outcome: &Outcome) -> BTreeMap<String, Schema> {
    let version = &outcome.api.resources.first().expect("the kind is read").versions[0];
    let spec = version.schema.properties.get("spec").expect("there is a spec");
    let fields = spec.properties.iter();
    fields
        .map(|(name, schema)| (name.clone(), Schema::clone(schema)))
        .collect()
}

fn check(place: &str, found: impl Fn(usize, &Case) -> Option<Value>) {
    let mut wrong = Vec::new();
    for (index, case) in CASES.iter().enumerate() {
        let (found, expected) = (found(index, case), case.expected());
        if found != expected {
            wrong.push(format!("{}: {found:?} instead of {expected:?}", case.code));
        }
    }
    assert!(wrong.is_empty(), "as {place}:\n{}", wrong.join("\n"));
}

#[test]
fn keywords_of_schemas() {
    let text = source(
        |index, _| {
            format!("    #[schemars(schema_with = \"s{index}\")]\n    pub f{index}: serde_json::Value,\n")
        },
        |index, case| {
            format!(
                "fn s{index}(_: &mut SchemaGenerator) -> Schema {{\n    let value: {} = {};\n    \
                 json_schema!({{ \"type\": \"object\", \"default\": value }})\n}}\n",
                case.rust_type, case.code
            )
        },
    );
    let outcome = outcome(&text);
    assert!(!outcome.problems.has_errors(), "{:#?}", outcome.problems);
    let fields = fields(&outcome);
    check("a keyword", |index, _| {
        fields[&format!("f{index}")].default.clone()
    });
}

#[test]
fn defaults() {
    let text = source(
        |index, case| {
            format!(
                "    #[serde(default = \"d{index}\")]\n    pub f{index}: {},\n",
                case.rust_type
            )
        },
        |index, case| format!("fn d{index}() -> {} {{\n    {}\n}}\n", case.rust_type, case.code),
    );
    let outcome = outcome(&text);
    assert!(!outcome.problems.has_errors(), "{:#?}", outcome.problems);
    let fields = fields(&outcome);
    let is_reported = |index: usize| {
        let reported = format!("`d{index}` cannot be evaluated");
        outcome
            .problems
            .iter()
            .any(|problem| problem.message.starts_with(&reported))
    };
    check("a default", |index, _| {
        let default = fields[&format!("f{index}")].default.clone();
        assert!(default.is_none() || !is_reported(index));
        // A null has the same meaning as an absent field.
        default.or_else(|| (!is_reported(index)).then_some(Value::Null))
    });
}

#[test]
fn examples() {
    let text = source(
        |index, case| {
            format!(
                "    #[schemars(example = {{ let value: {} = {}; value }})]\n    pub f{index}: serde_json::Value,\n",
                case.rust_type, case.code
            )
        },
        |_, _| String::new(),
    );
    let outcome = outcome(&text);
    assert!(!outcome.problems.has_errors(), "{:#?}", outcome.problems);
    let fields = fields(&outcome);
    check("an example", |index, _| {
        fields[&format!("f{index}")].example.as_deref().cloned()
    });
}

#[test]
fn rules() {
    let is_text = |case: &Case| {
        case.value.is_none() || matches!(case.rust_type, "String" | "&str" | "Box<str>" | "Word")
    };
    let text = source(
        |index, case| {
            let code = if is_text(case) { case.code } else { "\"true\"" };
            let rust_type = if is_text(case) { case.rust_type } else { "&str" };
            format!(
                "    #[x_kube(validation = {{ let value: {rust_type} = {code}; value }})]\n    pub f{index}: String,\n"
            )
        },
        |_, _| String::new(),
    );
    let outcome = outcome(&text);
    let fields = fields(&outcome);
    check("a rule", |index, case| {
        if !is_text(case) {
            return case.expected();
        }
        let rules = &fields[&format!("f{index}")].constraints.rules;
        rules.first().map(|rule| Value::from(rule.rule.as_str()))
    });
}
