//! Kinds that are written for kube: a spec struct with `#[derive(CustomResource)]` and `#[kube(…)]`.
//!
//! The attribute describes the kind; markers may add to it. A marker that contradicts it is a problem.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned};
use kgen_markers::apply_to_kind;
use kgen_model::{Column, Deprecation, KindStyle, KindVersion, Scale, Schema, Scope as KindScope};
use std::collections::BTreeMap;

use crate::declare::{Literal, Meta, MetaValue, TypeDeclaration, kube_root_name};
use crate::program::TypeId;
use crate::shape::{KubeKeys, Scope, Shapes};

/// Describes a kind by its spec struct.
pub(super) fn kind(
    shapes: &mut Shapes<'_>,
    id: TypeId,
    declaration: &TypeDeclaration,
) -> Option<KindVersion> {
    let metas = &declaration.attributes.kube;
    let keys = KubeKeys(metas);
    let derive = declaration
        .attributes
        .derives("CustomResource")
        .unwrap_or(declaration.span);
    let mut missing = Vec::new();
    let mut text = |name: &str| match keys.text(name) {
        Some(text) => text.value,
        None => {
            missing.push(format!("`{name}`"));
            String::new()
        }
    };
    let (group, version, name) = (text("group"), text("version"), text("kind"));
    if !missing.is_empty() {
        shapes.problems.push(
            Problem::error(
                Code::KindShape,
                derive,
                format!("the kind needs {} in `#[kube(…)]`", missing.join(" and ")),
            )
            .help("write `#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]`"),
        );
        return None;
    }
    let root = kube_root_name(metas).unwrap_or(&name).to_owned();
    let path = super::rust_path(shapes, id, &root);
    let span = metas
        .iter()
        .find(|meta| meta.name == "kind")
        .map_or(declaration.span, |meta| meta.span);
    let mut kind = KindVersion::new(group, version, name, KindStyle::KubeDerive, span, path);
    kind.group_span = keys.text("group").map_or(span, |text| text.span);
    kind.version_span = keys.text("version").map_or(span, |text| text.span);
    kind.writes_empty_lists = shapes.conventions.writes_empty_lists();
    settings(metas, &mut kind, &mut shapes.problems);
    if shapes.conventions.drops_scale_without_status() && kind.status_subresource.is_none() {
        let dropped = kind.scale.take().map(|scale| {
            let message = "kube-derive ignores `scale` without `status`, so the CRD has no scale subresource";
            Problem::warning(Code::JsonPath, scale.span, message)
                .help("state the type of the status: `status = FooStatus`")
        });
        shapes.problems.extend(dropped);
    }
    let schema = schema(shapes, id, declaration, &kind, &root);
    // A marker that contradicts the attribute is reported there.
    apply_to_kind(&declaration.markers, &mut kind, &mut shapes.problems);
    kind.schema = schema?;
    Some(kind)
}

/// Returns the schema of the whole object.
fn schema(
    shapes: &mut Shapes<'_>,
    id: TypeId,
    declaration: &TypeDeclaration,
    kind: &KindVersion,
    root_name: &str,
) -> Option<Schema> {
    let keys = KubeKeys(&declaration.attributes.kube);
    let has_usual_text = shapes.conventions.takes_text_as_written();
    // `schema = "disabled"` says that schemars is not asked. kgen does not ask it either, and a definition without a
    // schema would be refused: serde's view is the schema in all modes, unless `"manual"` says where it is written.
    let written = keys
        .choice("schema")
        .filter(|mode| *mode == "manual")
        .and_then(|_| shapes.code(&Scope::of(id.module)).written_for_derived(root_name));
    let derived = shapes.kube_object(id, declaration)?;
    let mut root = match written {
        None => derived,
        Some(mut written) => {
            if written.description.is_none() && !has_usual_text {
                written.description = derived.description;
            }
            let mut rules = derived.constraints.into_inner().rules;
            rules.append(&mut written.constraints.rules);
            written.constraints.rules = rules;
            written
        }
    };
    root.places.node = Some(kind.span);
    if has_usual_text {
        let has_rules = || {
            keys.0
                .iter()
                .any(|meta| matches!(meta.name.as_str(), "validation" | "rule"))
        };
        let suffix = if shapes.conventions.titles_checked_types() && has_rules() {
            "Validated"
        } else {
            ""
        };
        let title = shapes.kube_title(declaration);
        root.title = Some(title.unwrap_or_else(|| format!("{root_name}{suffix}")).into());
    }
    Some(root)
}

/// Reads the parts of `#[kube(…)]` other than the schema.
fn settings(metas: &[Meta], kind: &mut KindVersion, problems: &mut Problems) {
    let keys = KubeKeys(metas);
    keys.check(problems);
    kind.plural = keys.text("plural");
    kind.singular = keys.text("singular");
    let namespaced = keys.flag("namespaced");
    let scope = if keys.is_on("namespaced") {
        KindScope::Namespaced
    } else {
        KindScope::Cluster
    };
    kind.scope = Some(Spanned::new(
        scope,
        namespaced.map_or(kind.span, |flag| flag.span),
    ));
    if let Some(stored) = keys.flag("storage") {
        let place = if stored.value {
            &mut kind.storage
        } else {
            &mut kind.unstored
        };
        *place = Some(stored.span);
    }
    kind.unserved = keys
        .flag("served")
        .filter(|served| !served.value)
        .map(|served| served.span);
    for meta in metas {
        let text = meta
            .text()
            .map(|text| Spanned::new(text.value.to_owned(), text.span));
        match (meta.name.as_str(), text) {
            ("shortname", Some(text)) => kind.short_names.push(text),
            ("category", Some(text)) => kind.categories.push(text),
            ("selectable", Some(text)) => kind.selectable_fields.push(text),
            ("status", _) => kind.status_subresource = Some(meta.span),
            ("annotation" | "label", None) => {
                // Any other form is reported with the other keys.
                if let [key, value] = meta.list()
                    && let Some((key, value)) = key.text().zip(value.text())
                {
                    let entry = (key.value.to_owned(), value.value.to_owned(), meta.span);
                    if meta.name == "label" {
                        &mut kind.labels
                    } else {
                        &mut kind.annotations
                    }
                    .push(entry);
                }
            }
            ("deprecated", warning) => {
                kind.deprecation = Some(Deprecation {
                    warning: warning.map(|text| text.value),
                    span: meta.span,
                });
            }
            ("printcolumn", text) => kind
                .columns
                .extend(problems.take(columns(meta, text)).into_iter().flatten()),
            ("scale", text) => kind.scale = problems.take(scale(meta, text)),
            _ => {}
        }
    }
}

fn invalid(span: Span, help: &str) -> Problem {
    Problem::error(
        Code::InvalidAttribute,
        span,
        "this part of `#[kube(…)]` cannot be read",
    )
    .help(help)
}

/// A table of texts and numbers, from the typed form or from JSON.
struct Table {
    entries: serde_json::Map<String, serde_json::Value>,
    /// Where single values are written, if they are not all in one text.
    places: BTreeMap<String, Span>,
    span: Span,
}

impl Table {
    /// Returns all tables of a text. kube-derive puts it in brackets, so that it may contain several objects.
    fn read_all(meta: &Meta, json: Option<Spanned<String>>) -> Result<Vec<Self>, Problem> {
        let Some(json) = json else {
            return Ok(vec![Self::read(meta, None)?]);
        };
        if let Ok(list) = serde_json::from_str::<Vec<_>>(&format!("[{}]", json.value)) {
            let tables = list.into_iter().map(|entries| Self {
                entries,
                places: BTreeMap::new(),
                span: json.span,
            });
            return Ok(tables.collect());
        }
        // Mistakes are reported in the text as written.
        Ok(vec![Self::read(meta, Some(json))?])
    }

    fn read(meta: &Meta, json: Option<Spanned<String>>) -> Result<Self, Problem> {
        if let Some(json) = json {
            return match serde_json::from_str(&json.value) {
                Ok(serde_json::Value::Object(entries)) => Ok(Self {
                    entries,
                    places: BTreeMap::new(),
                    span: json.span,
                }),
                Ok(_) => Err(invalid(json.span, "write a JSON object")),
                Err(error) => Err(invalid(json.span, &format!("correct the JSON: {error}"))),
            };
        }
        let mut entries = serde_json::Map::new();
        let mut places = BTreeMap::new();
        for part in meta.list() {
            let value = match &part.value {
                MetaValue::Literal(Literal::Text(text), _) => serde_json::Value::from(text.as_str()),
                MetaValue::Literal(Literal::Integer(value), _) => {
                    i64::try_from(*value).unwrap_or_default().into()
                }
                MetaValue::Literal(Literal::Boolean(value), _) => (*value).into(),
                _ => return Err(invalid(part.span, "write a literal")),
            };
            if let MetaValue::Literal(_, span) = &part.value {
                places.insert(part.name.clone(), *span);
            }
            entries.insert(part.name.clone(), value);
        }
        Ok(Self {
            entries,
            places,
            span: meta.span,
        })
    }

    /// Returns the text under the first of several names that exists.
    fn text(&self, names: &[&str]) -> Option<String> {
        names
            .iter()
            .find_map(|name| self.entries.get(*name)?.as_str().map(str::to_owned))
    }

    /// Returns the same with its place.
    fn spanned(&self, names: &[&str]) -> Option<Spanned<String>> {
        let span = names.iter().find_map(|name| self.places.get(*name));
        self.text(names)
            .map(|text| Spanned::new(text, span.copied().unwrap_or(self.span)))
    }

    /// Returns the integer at a name, which may be in quotation marks in the typed form.
    fn integer(&self, name: &str) -> Result<Option<i64>, Problem> {
        let Some(value) = self.entries.get(name).filter(|value| !value.is_null()) else {
            return Ok(None);
        };
        let parsed = value.as_i64().or_else(|| value.as_str()?.parse().ok());
        let span = self.places.get(name).copied().unwrap_or(self.span);
        let unread = || invalid(span, &format!("`{name}` must be an integer"));
        parsed.map(Some).ok_or_else(unread)
    }

    fn required_at(&self, names: &[&str]) -> Result<Spanned<String>, Problem> {
        self.spanned(names).ok_or_else(|| self.missing(names))
    }

    fn missing(&self, names: &[&str]) -> Problem {
        let first = names.first().copied().unwrap_or_default();
        invalid(self.span, &format!("add `{first}`"))
    }

    fn required(&self, names: &[&str]) -> Result<String, Problem> {
        self.text(names).ok_or_else(|| self.missing(names))
    }
}

fn columns(meta: &Meta, json: Option<Spanned<String>>) -> Result<Vec<Spanned<Column>>, Problem> {
    Table::read_all(meta, json)?.iter().map(column).collect()
}

fn column(table: &Table) -> Result<Spanned<Column>, Problem> {
    let column = Column {
        name: table.required(&["name"])?,
        column_type: table.required(&["type", "type_"])?,
        json_path: table.required_at(&["jsonPath", "json_path"])?,
        description: table.text(&["description"]),
        format: table.text(&["format"]),
        priority: table.integer("priority")?,
    };
    Ok(Spanned::new(column, table.span))
}

fn scale(meta: &Meta, json: Option<Spanned<String>>) -> Result<Spanned<Scale>, Problem> {
    let table = Table::read(meta, json)?;
    let scale = Scale {
        spec_path: table.required_at(&["specReplicasPath", "spec_replicas_path"])?,
        status_path: table.required_at(&["statusReplicasPath", "status_replicas_path"])?,
        selector_path: table.spanned(&["labelSelectorPath", "label_selector_path"]),
    };
    Ok(Spanned::new(scale, table.span))
}
