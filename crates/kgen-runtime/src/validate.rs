//! Validation of objects before they are sent, with the schema and the CEL rules of their CRD.
//!
//! [`Validate`] is implemented for every kind that embeds its CRD: kinds of the generator `object`, and kinds of kube's
//! derive. The errors are those of the API server, with its messages and in its order; `kgen-schema` computes them.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use kgen_schema::{Definition, Version};
use kube::{CustomResourceExt, Resource};
use serde::Serialize;
use serde_json::{Value, json};

pub use kgen_schema::{ErrorKind, FieldError, MalformedObject, Report, Undecided};

/// The part of `generateName` that the API server keeps.
const LONGEST_PREFIX: usize = 58;
/// Characters such as the API server appends to `generateName`.
const SUFFIX: &str = "bcdfg";

/// Why the API server would refuse an object.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Invalid {
    /// Fields have errors.
    #[error("{}", .0.message())]
    Fields(Report),
    /// The metadata cannot be read.
    #[error("{0}")]
    Malformed(MalformedObject),
    /// The object cannot be serialized.
    #[error("the object cannot be serialized: {0}")]
    Serialization(#[from] serde_json::Error),
    /// The CRD does not have the version of the object, or cannot be read.
    #[error("the CRD cannot be used: {0}")]
    Definition(String),
}

impl Invalid {
    /// Returns the errors of fields. The list is empty if the object could not be validated.
    pub fn errors(&self) -> &[FieldError] {
        match self {
            Self::Fields(report) => &report.errors,
            _ => &[],
        }
    }
}

/// Validates objects of a kind as the API server does.
///
/// The CRD is read once per kind and program. Rules that only the server can evaluate are not errors.
///
/// ```no_run
/// # fn example<Foo: kgen_runtime::validate::Validate>(foo: &Foo, changed: &Foo) -> Result<(), kgen_runtime::validate::Invalid> {
/// use kgen_runtime::validate::Validate;
///
/// foo.validate()?;
/// changed.validate_update(foo)?;
/// # Ok(())
/// # }
/// ```
pub trait Validate {
    /// Validates a new object. Defaults are filled in first, and the status is ignored if it is a subresource.
    ///
    /// # Errors
    ///
    /// Returns the errors that a request to create the object would return.
    fn validate(&self) -> Result<(), Invalid>;

    /// Validates a changed object: transition rules are evaluated, and errors of unchanged values are not reported.
    ///
    /// # Errors
    ///
    /// Returns the errors that a request to replace `old` with this object would return.
    fn validate_update(&self, old: &Self) -> Result<(), Invalid>;
}

impl<K> Validate for K
where
    K: CustomResourceExt + Resource<DynamicType = ()> + Serialize + 'static,
{
    fn validate(&self) -> Result<(), Invalid> {
        let schema = KindSchema::of::<K>()?;
        let mut object = schema.read(self)?;
        if schema.has_status {
            remove_status(&mut object);
        }
        schema.generate(&mut object);
        verdict(schema.version()?.validate(&object))
    }

    fn validate_update(&self, old: &Self) -> Result<(), Invalid> {
        let schema = KindSchema::of::<K>()?;
        let (mut object, mut old) = (schema.read(self)?, schema.read(old)?);
        if schema.has_status {
            // The server takes the status from the stored object.
            remove_status(&mut object);
            if let (Some(status), Value::Object(fields)) = (old.get("status").cloned(), &mut object) {
                fields.insert("status".to_owned(), status);
            }
        }
        schema.generate(&mut object);
        schema.generate(&mut old);
        verdict(schema.version()?.validate_update(&object, &old))
    }
}

fn verdict(report: Report) -> Result<(), Invalid> {
    if report.errors.is_empty() {
        Ok(())
    } else {
        Err(Invalid::Fields(report))
    }
}

fn remove_status(object: &mut Value) {
    if let Value::Object(fields) = object {
        fields.remove("status");
    }
}

/// The CRD of a kind, and the version of its objects.
struct KindSchema {
    definition: Definition,
    version: String,
    /// Whether the status is a subresource.
    has_status: bool,
}

/// The schemas of all kinds that were validated.
static SCHEMAS: Mutex<BTreeMap<TypeId, Arc<KindSchema>>> = Mutex::new(BTreeMap::new());

impl KindSchema {
    fn of<K>() -> Result<Arc<Self>, Invalid>
    where
        K: CustomResourceExt + Resource<DynamicType = ()> + 'static,
    {
        let kind = TypeId::of::<K>();
        let known = SCHEMAS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&kind)
            .cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let crd = K::crd();
        let version = K::version(&()).into_owned();
        let own = crd.spec.versions.iter().find(|own| own.name == version);
        let subresources = own.and_then(|own| own.subresources.as_ref());
        let schema = Arc::new(Self {
            has_status: subresources.is_some_and(|subresources| subresources.status.is_some()),
            definition: Definition::from_json(&serde_json::to_value(&crd)?)
                .map_err(|error| Invalid::Definition(error.to_string()))?,
            version,
        });
        let mut schemas = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
        schemas.insert(kind, Arc::clone(&schema));
        Ok(schema)
    }

    fn version(&self) -> Result<&Version, Invalid> {
        let missing = || Invalid::Definition(format!("it does not have the version `{}`", self.version));
        self.definition.version(&self.version).ok_or_else(missing)
    }

    /// Converts an object to the form in which the server validates it.
    fn read(&self, object: &impl Serialize) -> Result<Value, Invalid> {
        let version = self.version()?;
        let mut object = serde_json::to_value(object)?;
        version.prune(&mut object).map_err(Invalid::Malformed)?;
        version.default(&mut object);
        Ok(object)
    }

    /// Fills in the metadata that the server knows from the request, or generates.
    fn generate(&self, object: &mut Value) {
        let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
            return;
        };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let prefix = text(metadata.get("generateName"));
        if text(metadata.get("name")).is_empty() && !prefix.is_empty() {
            let kept: String = prefix.chars().take(LONGEST_PREFIX).collect();
            metadata.insert("name".to_owned(), json!(format!("{kept}{SUFFIX}")));
        }
        if self.definition.is_namespaced() && text(metadata.get("namespace")).is_empty() {
            metadata.insert("namespace".to_owned(), json!("default"));
        }
    }
}

#[cfg(test)]
mod tests;
