//! Types whose schemas in kube-derive an API server refuses. kgen writes another form.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Brick has them all.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.org", version = "v1", kind = "Brick", namespaced)]
#[kube(doc = "# Bricks\n\nOf clay\nand straw.")]
pub struct BrickSpec {
    /// How it is called.
    /// +kubebuilder:validation:MaxLength=5
    pub marked: String,
    pub forms: Forms,
    pub by_word: BTreeMap<Word, String>,
    pub open: Open,
    pub two: Two,
    pub titled: Titled,
}

/// A key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Word(#[schemars(regex(pattern = "^[a-z]+$"))] String);

/// Two forms of a string.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Forms {
    Color(Color),
    Name(String),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Color {
    Red,
    Brown,
}

/// Everything else is a number.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    pub name: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, i32>,
}

/// Two choices at once.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Two {
    #[serde(flatten)]
    pub size: Size,
    #[serde(flatten)]
    pub weight: Weight,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Size {
    Small(i32),
    Large(i32),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Weight {
    Light(i32),
    Heavy(i32),
}

/// Variants with titles.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Titled {
    /// # Hollow
    ///
    /// With holes.
    Hollow(i32),
    #[schemars(title = "Full of clay")]
    Full(i32),
}
