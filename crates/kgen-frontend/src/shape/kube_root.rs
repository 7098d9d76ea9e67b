//! The root struct that kube-derive makes of a spec struct: as a kind, and as the type of a field.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem};
use kgen_model::{JsonType, Schema};

use super::kube_keys::KubeKeys;
use super::{Resolved, Scope, Shapes};
use crate::declare::{TypeDeclaration, parse_type};
use crate::program::TypeId;

impl Shapes<'_> {
    /// Returns the schema of the object that kube-derive makes of a spec struct: the spec under `spec`, or in its place
    /// with `no_spec`, and the status. Returns `None` if there is a problem, which is then reported.
    pub(crate) fn kube_object(&mut self, id: TypeId, declaration: &TypeDeclaration) -> Option<Schema> {
        let keys = KubeKeys(&declaration.attributes.kube);
        let scope = Scope::of(id.module);
        let spec = self.resolved(&Resolved::Declared(id, Vec::new()), declaration.span);
        let status = match keys.path("status", self.program) {
            Some(name) => {
                let Some(expression) = parse_type(&name.value, name.span) else {
                    let message = format!("`{}` is not a type", name.value);
                    self.problems
                        .push(Problem::error(Code::InvalidAttribute, name.span, message));
                    return None;
                };
                Some(self.expression(&expression, &scope)?)
            }
            None => None,
        };
        let spec = spec?;
        let mut root = if keys.is_on("no_spec") {
            spec
        } else {
            let mut root = Schema::of_type(JsonType::Object);
            root.properties.insert("spec".to_owned(), Arc::new(spec));
            root.required.insert("spec".to_owned());
            root
        };
        if let Some(mut status) = status {
            status.nullable |= self.conventions.writes_null_beside_options();
            root.properties.insert("status".to_owned(), Arc::new(status));
        }
        root.description = self.kube_description(declaration);
        let mut rules = self.code(&scope).kube_rules(&declaration.attributes.kube);
        // With `no_spec`, rules of the spec struct are already there.
        rules.append(&mut root.constraints.rules);
        root.constraints.rules = rules;
        Some(root)
    }

    /// Returns the description of the root struct.
    pub(crate) fn kube_description(&self, declaration: &TypeDeclaration) -> Option<String> {
        let stated = KubeKeys(&declaration.attributes.kube).text("doc");
        if let Some(stated) = stated {
            let text = stated.value.trim();
            return if self.conventions.takes_text_as_written() {
                self.texts().description(Some(text))
            } else {
                Some(text.to_owned())
            };
        }
        if self.conventions.takes_text_as_written() {
            return Some(format!(
                "Auto-generated derived type for {} via `CustomResource`",
                declaration.name
            ));
        }
        declaration.description.clone()
    }

    /// Returns the title that `#[kube(doc = "…")]` states for the root struct, if it does.
    pub(crate) fn kube_title(&self, declaration: &TypeDeclaration) -> Option<String> {
        let stated = KubeKeys(&declaration.attributes.kube).text("doc")?;
        self.texts().title(Some(stated.value.trim()))
    }

    /// Returns the schema of a root struct that is a part of another type: a whole object with its type and metadata.
    pub(super) fn embedded_root(&mut self, id: TypeId) -> Option<Schema> {
        let body = self.program.shared_body(id.module)?;
        let mut schema = self.kube_object(id, body.types.get(id.index)?)?;
        // kube-derive describes neither type nor metadata, so the API server drops them.
        if self.follows_rust_exactly() {
            schema.embedded_resource = true;
            let metadata = Schema::of_type(JsonType::Object);
            schema
                .properties
                .insert("metadata".to_owned(), Arc::new(metadata));
            schema.required.insert("metadata".to_owned());
        }
        Some(schema)
    }
}
