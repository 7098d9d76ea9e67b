//! The versions of a kind: the schema of each, the fields that its endpoints reset, and the conversion between them.
//!
//! [`Versions`] is what the rest of this module asks for. [`Kind`] implements it for a CRD whose versions have the same
//! structure, which is the conversion strategy `None`.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::scale::SCALE_VERSION;
use super::schema::Schema;
use super::set::{Path, Set};

/// One version of a kind.
#[derive(Clone, Debug)]
pub struct Version {
    /// The structure of an object.
    pub schema: Schema,
    /// The fields that a write to the resource itself cannot change. Nobody owns them through such a write.
    pub reset: Set,
    /// The fields that a write to the subresource `status` cannot change.
    pub status_reset: Set,
    /// The parts of an object that exist from the start, because Go has them as values.
    pub empty: Value,
}

impl Version {
    /// Returns a version of a custom resource. `has_status` says whether the subresource `status` exists.
    pub fn of_custom_resource(schema: Schema, has_status: bool) -> Self {
        let fields = |names: &[&str]| {
            let names = names.iter().filter(|_| has_status);
            Set::of(names.map(|name| Path::fields([*name])))
        };
        Self {
            schema,
            reset: fields(&["status"]),
            status_reset: fields(&["metadata", "spec"]),
            empty: Value::Object(serde_json::Map::new()),
        }
    }

    /// Returns a version of a built-in kind. Values with the default `{}` exist in every object.
    pub fn of_built_in(schema: Schema, has_status: bool) -> Self {
        let empty = schema.empty();
        Self {
            empty,
            ..Self::of_custom_resource(schema, has_status)
        }
    }
}

/// The reason why an object could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// The version no longer exists. Entries of managed fields in this version are dropped.
    Missing,
    /// The conversion failed.
    Failed(String),
}

impl fmt::Display for ConversionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Missing => "the version does not exist",
            Self::Failed(error) => error,
        })
    }
}

impl std::error::Error for ConversionError {}

/// The versions of a kind.
pub trait Versions {
    /// Returns a version by its `apiVersion`.
    fn version(&self, api_version: &str) -> Option<&Version>;

    /// Converts an object to another version.
    ///
    /// # Errors
    ///
    /// Returns an error if the version does not exist or the conversion fails.
    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, ConversionError>;

    /// Checks whether the result of an apply that changes the object can be stored.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot.
    fn check_applied(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A kind whose versions differ only in `apiVersion`.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    versions: BTreeMap<String, Version>,
    is_scale_of_custom_resource: bool,
}

impl Kind {
    /// Returns a kind with a single version.
    pub fn with_version(api_version: &str, version: Version) -> Self {
        let mut kind = Self::default();
        kind.add_version(api_version, version);
        kind
    }

    /// Adds a version.
    pub fn add_version(&mut self, api_version: &str, version: Version) {
        self.versions.insert(api_version.to_owned(), version);
    }

    /// Returns the subresource `scale` of a built-in kind.
    pub fn scale() -> Self {
        Self::with_version(SCALE_VERSION, Version::of_custom_resource(Schema::scale(), false))
    }

    /// Returns the subresource `scale` of a custom resource, which refuses every apply that changes the replicas: the API
    /// server cannot convert the result.
    pub fn scale_of_custom_resource() -> Self {
        Self {
            is_scale_of_custom_resource: true,
            ..Self::scale()
        }
    }
}

impl Versions for Kind {
    fn version(&self, api_version: &str) -> Option<&Version> {
        self.versions.get(api_version)
    }

    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, ConversionError> {
        if !self.versions.contains_key(api_version) {
            return Err(ConversionError::Failed(invalid_version(api_version)));
        }
        let mut object = object.clone();
        if let Value::Object(object) = &mut object {
            object.insert("apiVersion".to_owned(), Value::from(api_version));
        }
        Ok(object)
    }

    fn check_applied(&self) -> Result<(), String> {
        if self.is_scale_of_custom_resource {
            return Err(invalid_version(SCALE_VERSION));
        }
        Ok(())
    }
}

fn invalid_version(api_version: &str) -> String {
    format!("request to convert CR to an invalid group/version: {api_version}")
}
