//! Structs as the comparison sees them: their JSON fields with the schema and the Rust side of each.

use std::collections::BTreeSet;

use kgen_diagnostics::Span;
use kgen_model::{KindVersion, RustField, RustPath, RustRole, RustType, RustTypes, Schema, TypeConversion};

/// How many flattened structs may be inside each other.
const DEEPEST: usize = 32;

/// A value of one version: its Rust type, if that can be described, and its schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) rust: Option<&'a RustType>,
    pub(super) schema: &'a Schema,
}

impl<'a> Side<'a> {
    /// Returns the type without `Option` and pointers around it.
    pub(super) fn bare(&self) -> Option<&'a RustType> {
        let mut rust = self.rust?;
        while matches!(rust.role, RustRole::Optional | RustRole::Pointer) {
            rust = rust.arguments.first()?;
        }
        Some(rust)
    }
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub(super) struct FieldView<'a> {
    pub(super) field: &'a RustField,
    pub(super) schema: &'a Schema,
    /// The name of the type that declares it.
    pub(super) owner: String,
    pub(super) is_required: bool,
}

impl<'a> FieldView<'a> {
    /// Returns its name in JSON.
    #[expect(
        clippy::misnamed_getters,
        reason = "the comparison knows fields by their JSON names only"
    )]
    pub(super) fn name(&self) -> &'a str {
        &self.field.json_name
    }

    pub(super) fn side(&self) -> Side<'a> {
        Side {
            rust: self.field.field_type.as_ref(),
            schema: self.schema,
        }
    }

    /// Returns whether a whole object is refused without it.
    pub(super) fn must_exist(&self) -> bool {
        self.is_required && self.schema.default.is_none()
    }

    /// Returns whether a whole object may lack it.
    pub(super) fn may_be_absent(&self) -> bool {
        !self.is_required && self.schema.default.is_none()
    }
}

/// A struct, or the named fields of a variant.
#[derive(Clone, Debug)]
pub(super) struct StructView<'a> {
    /// The name of the type.
    pub(super) name: String,
    pub(super) span: Span,
    /// The fields of the JSON object, in the order of the source. Those of flattened structs are among them.
    pub(super) fields: Vec<FieldView<'a>>,
    /// The markers of the struct and the flattened ones about the older version.
    pub(super) conversions: Vec<&'a TypeConversion>,
    /// Flattened fields that are not structs.
    pub(super) opaque: Vec<&'a RustField>,
    /// The properties that belong to none of the fields.
    pub(super) rest: Vec<(&'a str, &'a Schema)>,
}

impl<'a> StructView<'a> {
    /// Returns the field called `name` in JSON, with its index.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &FieldView<'a>)> {
        self.fields
            .iter()
            .enumerate()
            .find(|(_, field)| field.name() == name)
    }

    /// Adds fields that `schema` describes.
    fn add(
        &mut self,
        fields: &'a [RustField],
        schema: &'a Schema,
        is_required: &dyn Fn(&RustField) -> bool,
        types: &'a RustTypes,
        depth: usize,
    ) {
        for field in fields {
            let role = field.field_type.as_ref().map(|rust| rust.role);
            if matches!(role, Some(RustRole::ObjectMeta)) && depth == 0 && field.json_name == "metadata"
                || matches!(role, Some(RustRole::TypeMeta))
            {
                continue;
            }
            if field.flatten {
                let side = Side {
                    rust: field.field_type.as_ref(),
                    schema,
                };
                let inner = side.bare().and_then(|rust| types.structs.get(&rust.path));
                match inner.filter(|_| depth < DEEPEST) {
                    Some(inner) => {
                        self.conversions.push(&inner.conversion);
                        let outer = std::mem::replace(&mut self.name, inner.path.name().to_owned());
                        self.add(&inner.fields, schema, is_required, types, depth + 1);
                        self.name = outer;
                    }
                    None => self.opaque.push(field),
                }
                continue;
            }
            if let Some(property) = schema.properties.get(&field.json_name) {
                self.fields.push(FieldView {
                    field,
                    schema: property,
                    owner: self.name.clone(),
                    is_required: is_required(field),
                });
            }
        }
    }

    fn finish(mut self, schema: &'a Schema, other: &[&str]) -> Self {
        let known: BTreeSet<&str> = self
            .fields
            .iter()
            .map(FieldView::name)
            .chain(other.iter().copied())
            .collect();
        let rest = schema.properties.iter();
        self.rest = rest
            .map(|(name, property)| (name.as_str(), property.as_ref()))
            .filter(|(name, _)| !known.contains(name))
            .collect();
        self
    }

    fn empty(name: String, span: Span) -> Self {
        Self {
            name,
            span,
            fields: Vec::new(),
            conversions: Vec::new(),
            opaque: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Returns the whole object of a kind.
    pub(super) fn of_kind(version: &'a KindVersion, types: &'a RustTypes) -> Option<Self> {
        let rust = version.rust.as_ref()?;
        let schema = &version.schema;
        let mut view = Self::empty(version.kind.clone(), version.span);
        view.conversions.push(&rust.conversion);
        let is_required = |field: &RustField| schema.required.contains(&field.json_name);
        view.add(&rust.fields, schema, &is_required, types, 0);
        Some(view.finish(schema, &["apiVersion", "kind", "metadata"]))
    }

    /// Returns a declared struct with its schema.
    pub(super) fn of_struct(path: &RustPath, schema: &'a Schema, types: &'a RustTypes) -> Option<Self> {
        let described = types.structs.get(path)?;
        // A marker can hide the fields from the schema.
        if !described.fields.is_empty() && schema.properties.is_empty() {
            return None;
        }
        let mut view = Self::empty(described.path.name().to_owned(), described.span);
        view.conversions.push(&described.conversion);
        let is_required = |field: &RustField| schema.required.contains(&field.json_name);
        view.add(&described.fields, schema, &is_required, types, 1);
        Some(view.finish(schema, &[]))
    }

    /// Returns the contents of a variant, which share their object with the tag if the enum is internally tagged.
    pub(super) fn of_variant(
        name: String,
        span: Span,
        fields: &'a [RustField],
        conversion: Option<&'a TypeConversion>,
        schema: &'a Schema,
        is_required: &dyn Fn(&RustField) -> bool,
        types: &'a RustTypes,
    ) -> Self {
        let mut view = Self::empty(name, span);
        view.conversions.extend(conversion);
        view.add(fields, schema, is_required, types, 1);
        view
    }
}
