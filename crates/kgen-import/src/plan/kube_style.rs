//! Kinds in the style of kube: a spec struct with `#[derive(CustomResource)]`.
//!
//! The attribute has what the derive needs; markers have the rest, as in the other style.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_markers::write::{KindGap, kind_lines};
use kgen_model::{JsonType, Schema, Scope};

use super::classes::KindSource;
use super::express::{Expression, quoted};
use super::{Item, RustType, words};

impl Expression<'_, '_> {
    /// Returns the spec of a kind as an item that derives the kind.
    pub(super) fn kube_kind(&self, kind: &KindSource<'_>, problems: &mut Problems) -> Option<Item> {
        let (resource, version) = (&kind.definition.resource, kind.version);
        let root = &version.schema;
        let refuse = |why: &str, schema: Option<&Schema>| {
            let span = schema
                .and_then(|schema| schema.places.node)
                .unwrap_or(version.span);
            let message = format!("`--style kube` cannot express `{}`: {why}", version.kind);
            Problem::error(Code::ImportName, span, message).help("use `--style kgen` for this kind")
        };
        let Some(spec) = root.properties.get("spec") else {
            problems.push(refuse("it has no `spec`", None));
            return None;
        };
        let others = ["spec", "status", "metadata"];
        if let Some((name, other)) = root
            .properties
            .iter()
            .find(|(name, _)| !others.contains(&name.as_str()))
        {
            problems.push(refuse(&format!("it has `{name}` beside `spec`"), Some(other)));
            return None;
        }
        let Some(id) = self.classes.class_of(spec) else {
            problems.push(refuse("its `spec` is not a struct", Some(spec)));
            return None;
        };
        self.note_losses(kind, spec, problems);
        let mut item = self.described_class(id, spec.description.as_deref(), problems)?;
        let mut name = words::type_name(&version.kind);
        // The derive itself writes these names without their paths.
        if matches!(name.as_str(), "Default" | "Option") {
            name.push('_');
        }
        let mut parts = vec![
            format!("group = {}", quoted(&version.group)),
            format!("version = {}", quoted(&version.version)),
            format!("kind = {}", quoted(&version.kind)),
        ];
        if name != version.kind {
            parts.push(format!("root = {}", quoted(&name)));
        }
        parts.push(format!("plural = {}", quoted(&resource.names.plural)));
        parts.push(format!("singular = {}", quoted(&resource.names.singular)));
        if resource.scope == Scope::Namespaced {
            parts.push("namespaced".to_owned());
        }
        for short in &resource.names.short_names {
            parts.push(format!("shortname = {}", quoted(short)));
        }
        for category in &resource.names.categories {
            parts.push(format!("category = {}", quoted(category)));
        }
        if let Some(status) = root.properties.get("status") {
            match self.express(status).rust_type {
                RustType::Class(id) => {
                    let name = self
                        .classes
                        .get(id)
                        .map(|class| class.name.as_str())
                        .unwrap_or_default();
                    parts.push(format!("status = {}", quoted(name)));
                }
                _ => {
                    problems.push(refuse("its `status` is not a struct", Some(status)));
                    return None;
                }
            }
        }
        if version.unserved.is_some() {
            parts.push("served = false".to_owned());
        }
        if version.storage.is_none() {
            parts.push("storage = false".to_owned());
        }
        if let Some(text) = &root.description
            && root.description != spec.description
        {
            parts.push(format!("doc = {}", quoted(text)));
        }
        for derive in self
            .options
            .derives
            .iter()
            .filter(|derive| *derive == "PartialEq")
        {
            parts.push(format!("derive = {}", quoted(derive)));
        }
        parts.push("schema = \"disabled\"".to_owned());
        let mut markers = self.kind_markers(kind, &name);
        markers.append(&mut item.markers);
        item.markers = markers;
        item.custom_resource = Some(name);
        item.attributes.insert(0, format!("kube({})", parts.join(", ")));
        Some(item)
    }

    /// Returns the markers of a kind that the attribute does not have.
    fn kind_markers(&self, kind: &KindSource<'_>, name: &str) -> Vec<String> {
        let mut resource = kind.definition.resource.clone();
        let mut version = kind.version.clone();
        // These parts are in the attribute.
        resource.kind.clone_from(&version.kind);
        resource.names = kgen_model::ResourceNames {
            plural: kgen_model::plural(&version.kind.to_lowercase()),
            singular: version.kind.to_lowercase(),
            list_kind: resource.names.list_kind,
            short_names: Vec::new(),
            categories: Vec::new(),
        };
        resource.scope = Scope::Namespaced;
        version.status_subresource = None;
        version.unserved = None;
        version.storage = None;
        let rust_name = if name == version.kind { name } else { &version.kind };
        kind_lines(&KindGap {
            resource: &resource,
            version: &version,
            rust_name,
            needs_marker: false,
        })
    }

    /// Notes what the derive does not have a place for.
    fn note_losses(&self, kind: &KindSource<'_>, spec: &Schema, problems: &mut Problems) {
        let root = &kind.version.schema;
        let plain = Schema {
            description: root.description.clone(),
            properties: root.properties.clone(),
            required: root.required.clone(),
            places: root.places.clone(),
            ..Schema::of_type(JsonType::Object)
        };
        let mut losses = Vec::new();
        if !root.required.contains("spec") {
            losses.push("`spec` becomes required");
        }
        if root.required.contains("status") {
            losses.push("`status` becomes optional");
        }
        if *root != plain {
            losses.push("constraints of the whole object are left out");
        }
        if root.preserve_unknown_fields {
            losses.push("unknown fields beside `spec` are dropped");
        }
        if root.properties.contains_key("metadata") {
            losses.push("constraints of `metadata` are left out");
        }
        let has_status = kind.version.schema.properties.contains_key("status");
        if has_status != kind.version.status_subresource.is_some() {
            losses.push("the subresource `status` exists exactly if there is a status");
        }
        if spec.default.is_some() || spec.nullable || spec.example.is_some() || spec.title.is_some() {
            losses.push("default, example and title of `spec` are left out");
        }
        for loss in losses {
            let message = format!("in the style of kube, {loss} in `{}`", kind.version.kind);
            let mut problem = Problem::note(Code::ImportLoss, message);
            problem.span = root.places.node;
            problems.push(problem);
        }
    }
}
