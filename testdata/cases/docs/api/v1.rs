//! +groupName=tea.example.org

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use serde::{Deserialize, Serialize};

/// A kettle that boils water, as [`KettleSpec::size`] says.
///
/// # Notes
///
/// - It has `{{ braces }}` and a | pipe.
/// - It has <script>alert(1)</script> in it.
// +kubebuilder:resource:shortName=kt,categories=tea
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size,description="Size | of it"
// +kubebuilder:printcolumn:name=Color,type=string,JSONPath=.spec.color,priority=1
// +kubebuilder:selectablefield:JSONPath=.spec.color
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
    pub status: Option<KettleStatus>,
}

/// The desired state.
// +kubebuilder:validation:XValidation:rule="self.low <= self.high",message="low must not exceed high"
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// Size of the kettle.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=5
    pub size: i32,

    /// Color of the kettle.
    // +kubebuilder:default=Red
    #[serde(default = "red")]
    pub color: Color,

    /// Lower bound. See [`high`](KettleSpec::high) and [`Nowhere`].
    pub low: i32,
    /// Upper bound.
    // +kubebuilder:example=7
    pub high: i32,

    /// Name of the owner: `a|b` | more.
    ///
    /// Second paragraph with {braces} and <b>tags</b>.
    ///
    /// - one
    /// - two
    ///
    /// ```yaml
    /// owner: me
    /// ```
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z]+(\|[a-z]+)?$`
    // +kubebuilder:validation:XValidation:rule="self == oldSelf"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,

    /// How much water it holds.
    // +kubebuilder:example="1500m"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<Quantity>,

    /// Use `size` instead.
    #[deprecated(note = "it has no effect")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_size: Option<i32>,

    /// Where the water comes from.
    // +listType=map
    // +listMapKey=name
    // +kubebuilder:validation:MinItems=1
    pub sources: Vec<Source>,

    /// Where the tea goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Source>,

    /// How it is heated.
    pub heat: Heat,

    /// How it is announced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<Signal>,

    /// Marks on the kettle.
    // +kubebuilder:validation:MaxProperties=9
    #[serde(default)]
    pub marks: BTreeMap<String, String>,

    /// Words on the kettle.
    // +listType=set
    // +kubebuilder:validation:items:MaxLength=9
    #[serde(default)]
    pub words: Vec<String>,

    /// Opens the lid.
    #[serde(default)]
    pub lid: Lid,

    /// The plug of [the norm], for [this size][KettleSpec::size].
    ///
    /// > A quote
    /// > of two lines.
    ///
    /// [the norm]: https://example.org/norm
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plug: Option<Plug>,

    // +kgen:docs:hide
    #[serde(default)]
    pub debug: bool,
}

fn red() -> Color {
    Color::Red
}

/// A place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    // +kubebuilder:validation:MinLength=1
    pub name: String,
    /// Its port.
    #[serde(default)]
    pub port: u16,
}

/// The lid, shown inline.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lid {
    /// Whether it is open.
    #[serde(default)]
    pub open: bool,
    /// Hinges.
    #[serde(default)]
    pub hinges: Vec<u8>,
}

/// A color.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Color {
    /// Like a rose.
    Red,
    /// Like grass.
    Green,
}

/// Exactly one source of heat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Heat {
    /// With gas.
    Gas {
        /// The pressure.
        pressure: i32,
    },
    /// With electricity.
    Electric { watts: i64 },
}

/// A signal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Signal {
    /// A whistle.
    Whistle { tone: String },
    /// A lamp.
    Lamp { lumen: i32 },
}

/// A plug.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Plug {
    /// By its number.
    Number(i32),
    /// By its name.
    Name(String),
}

/// The observed state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KettleStatus {
    /// Conditions.
    // +listType=map
    // +listMapKey=type
    #[serde(default)]
    pub conditions: Vec<Condition>,
}
