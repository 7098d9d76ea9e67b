//! Reads one CRD: names, scope, versions and their settings.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned};
use kgen_model::{Deprecation, KindStyle, KindVersion, Resource, ResourceNames, Scope};

use super::keywords::Keywords;
use super::{Definition, RootFacts, Strictness, columns, schema, structural};
use crate::yaml::Node;

/// Reads one CRD, and collects its problems.
pub(super) struct Reader {
    pub(super) problems: Problems,
    pub(super) strictness: Strictness,
}

/// The parts of a CRD that all its versions share.
struct Common {
    group: Spanned<String>,
    kind: Spanned<String>,
}

impl Reader {
    pub(super) fn new(strictness: Strictness) -> Self {
        Self {
            problems: Problems::new(),
            strictness,
        }
    }

    /// Returns the definition, or `None` if it has a problem, which is then reported.
    pub(super) fn definition(&mut self, document: &Node) -> Option<Definition> {
        let root = Keywords {
            node: document,
            path: "",
        };
        let metadata = self.part(&root, "metadata");
        let spec = self.part(&root, "spec");
        let metadata_keywords = Keywords {
            node: metadata?,
            path: "metadata",
        };
        let name = metadata_keywords.needed("name", &mut self.problems);
        let annotations = self.entries(&metadata_keywords, "annotations");
        let labels = self.entries(&metadata_keywords, "labels");
        let spec = Keywords {
            node: spec?,
            path: "spec",
        };
        let group = spec.needed("group", &mut self.problems);
        let scope = self.scope(&spec);
        let names_node = self.part(&spec, "names");
        let names = Keywords {
            node: names_node?,
            path: "spec.names",
        };
        let kind = names.needed("kind", &mut self.problems);
        let plural = names.needed("plural", &mut self.problems);
        for (text, span) in [name, group, kind, plural].into_iter().flatten() {
            self.refuse_template(text, span);
        }
        let (name, group, kind, plural) = (name?, group?, kind?, plural?);
        let expected = format!("{}.{}", plural.0, group.0);
        if name.0 != expected {
            let message =
                format!("the name of the CRD must be `{expected}`: the plural, a dot and the group");
            self.problems
                .push(Problem::error(Code::InvalidDefinition, name.1, message));
        }
        let text = |text: Option<&str>, default: String| text.map_or(default, str::to_owned);
        let resource_names = ResourceNames {
            plural: plural.0.to_owned(),
            singular: text(names.text("singular", &mut self.problems), kind.0.to_lowercase()),
            list_kind: text(
                names.text("listKind", &mut self.problems),
                format!("{}List", kind.0),
            ),
            short_names: owned(names.texts("shortNames", &mut self.problems)),
            categories: owned(names.texts("categories", &mut self.problems)),
        };
        let common = Common {
            group: Spanned::new(group.0.to_owned(), group.1),
            kind: Spanned::new(kind.0.to_owned(), kind.1),
        };
        let (versions, roots) = self.versions(&spec, &common);
        Some(Definition {
            name: name.0.to_owned(),
            span: name.1,
            conversion: self.conversion(&spec),
            roots,
            stored_versions: stored_versions(document),
            resource: Resource {
                group: common.group.value,
                kind: common.kind.value,
                names: resource_names,
                scope: scope?,
                annotations,
                labels,
                versions,
            },
        })
    }

    /// Returns a map that must be there.
    fn part<'n>(&mut self, keywords: &Keywords<'n, '_>, key: &str) -> Option<&'n Node> {
        if keywords.node.get(key).is_none() {
            self.problems.push(keywords.missing(key));
        }
        keywords.map(key, &mut self.problems)
    }

    fn refuse_template(&mut self, text: &str, span: Span) {
        if text.contains("{{") {
            self.problems.push(
                Problem::error(Code::TemplateSyntax, span, "this text contains template syntax")
                    .help("render the template first, such as with `helm template`, and import the result"),
            );
        }
    }

    fn scope(&mut self, spec: &Keywords<'_, '_>) -> Option<Scope> {
        let (word, span) = spec.needed("scope", &mut self.problems)?;
        match word {
            "Namespaced" => Some(Scope::Namespaced),
            "Cluster" => Some(Scope::Cluster),
            _ => {
                let message = format!("the scope `{word}` is neither `Namespaced` nor `Cluster`");
                self.problems
                    .push(Problem::error(Code::InvalidDefinition, span, message));
                None
            }
        }
    }

    /// Returns annotations or labels.
    fn entries(&mut self, metadata: &Keywords<'_, '_>, key: &str) -> BTreeMap<String, String> {
        let Some(map) = metadata.map(key, &mut self.problems) else {
            return BTreeMap::new();
        };
        let mut entries = BTreeMap::new();
        for entry in map.entries() {
            match entry.value.text() {
                Some(text) => {
                    // Annotations may show templates of other programs.
                    if key == "labels" {
                        self.refuse_template(text, entry.value.span);
                    }
                    entries.insert(entry.key.clone(), text.to_owned());
                }
                None if entry.value.is_null() => {
                    entries.insert(entry.key.clone(), String::new());
                }
                None => {
                    let message = format!(
                        "`metadata.{key}` must have strings, but `{}` is {}",
                        entry.key,
                        entry.value.words()
                    );
                    self.problems
                        .push(Problem::error(Code::InvalidDefinition, entry.value.span, message));
                }
            }
        }
        entries
    }

    fn conversion(&mut self, spec: &Keywords<'_, '_>) -> Option<Span> {
        let conversion = spec.map("conversion", &mut self.problems)?;
        let strategy = conversion.get("strategy").and_then(Node::text);
        let key = spec.node.entries().iter().find(|entry| entry.key == "conversion");
        (strategy != Some("None")).then(|| key.map_or(conversion.span, |key| key.key_span))
    }

    fn versions(&mut self, spec: &Keywords<'_, '_>, common: &Common) -> (Vec<KindVersion>, Vec<RootFacts>) {
        let list = spec.list("versions", &mut self.problems);
        if list.is_empty() {
            self.problems.push(spec.missing("versions"));
        }
        let (mut versions, mut roots) = (Vec::<KindVersion>::new(), Vec::new());
        for (index, node) in list.iter().enumerate() {
            let path = format!("spec.versions[{index}]");
            let read = Keywords { node, path: &path };
            let Some((version, facts)) = self.version(&read, common) else {
                continue;
            };
            if let Some(first) = versions.iter().find(|known| known.version == version.version) {
                let message = format!("the version `{}` is listed twice", version.version);
                self.problems.push(
                    Problem::error(Code::InvalidDefinition, version.version_span, message)
                        .related(first.version_span, "the first one"),
                );
            }
            versions.push(version);
            roots.push(facts);
        }
        let stored = versions
            .iter()
            .filter(|version| version.storage.is_some())
            .count();
        if stored != 1 && !versions.is_empty() && !self.problems.has_errors() {
            let message = format!("exactly one version must have `storage: true`, but {stored} have");
            self.problems
                .push(Problem::error(Code::InvalidDefinition, common.kind.span, message));
        }
        (versions, roots)
    }

    fn version(&mut self, read: &Keywords<'_, '_>, common: &Common) -> Option<(KindVersion, RootFacts)> {
        let problems = &mut self.problems;
        let (name, span) = read.needed("name", problems)?;
        let mut version = KindVersion::new(
            common.group.value.clone(),
            name.to_owned(),
            common.kind.value.clone(),
            KindStyle::WholeStruct,
            common.kind.span,
            String::new(),
        );
        version.group_span = common.group.span;
        version.version_span = span;
        let place = |key: &str| {
            let entry = read.node.entries().iter().find(|entry| entry.key == key);
            entry.map_or(span, |entry| entry.key_span)
        };
        version.storage = read.flag("storage", problems).then(|| place("storage"));
        let served = read.optional_flag("served", problems).unwrap_or_default();
        version.unserved = (!served).then(|| place("served"));
        if read.flag("deprecated", problems) {
            version.deprecation = Some(Deprecation {
                warning: read.text("deprecationWarning", problems).map(str::to_owned),
                span: place("deprecated"),
            });
        }
        columns::read(read, &mut version, problems);
        let mut facts = RootFacts::default();
        let schema = read.map("schema", problems);
        if let Some(root) = schema.and_then(|schema| schema.get("openAPIV3Schema")) {
            facts.has_schema = true;
            let mut reader = schema::SchemaReader::new(name, self.strictness);
            version.schema = reader.root(root, place("schema"));
            facts.requires_type_or_metadata = reader.requires_type_or_metadata;
            self.problems.extend(reader.problems);
            structural::check(&mut version.schema, name, self.strictness, &mut self.problems);
        } else {
            let message = format!("the version `{name}` has no schema");
            self.problems.push(
                Problem::error(Code::StructuralSchema, span, message)
                    .help("the API server refuses a version without `schema.openAPIV3Schema`"),
            );
        }
        Some((version, facts))
    }
}

/// Returns the stored versions that a cluster lists. Nothing else in the status matters.
fn stored_versions(document: &Node) -> Vec<String> {
    let list = document
        .get("status")
        .and_then(|status| status.get("storedVersions"));
    let items = list.map(Node::items).unwrap_or_default();
    items.iter().filter_map(Node::text).map(str::to_owned).collect()
}

fn owned(texts: Vec<(&str, Span)>) -> Vec<String> {
    texts.into_iter().map(|(text, _)| text.to_owned()).collect()
}
