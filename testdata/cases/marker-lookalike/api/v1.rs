//! Prose may mention kubebuilder:validation:Minimum=1, and https://book.kubebuilder.io/reference/markers.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
    pub status: Option<KilnStatus>,
}

/// kubebuilder:validation:Minimum=1 is the marker for bounds, and this is a sentence.
///
/// ```
/// kubebuilder:validation:Minimum=1
/// ```
///
///     kubebuilder:validation:Minimum=1
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    // + kubebuilder:validation:Minimum=1
    pub heat: i32,
    // kubebuilder:validation:Minimum=2
    pub pots: i32,
    /// @kubebuilder:validation:Minimum=3
    pub doors: i32,
    /* +kubebuilder:validation:Minimum=4 */
    pub walls: i32,
    /**
     * Rows of bricks.
     * +kubebuilder:validation:Minimum=5
     */
    pub rows: i32,
    #[doc = "+kubebuilder:validation:Minimum=6"]
    pub bricks: i32,
    /* +kubebuilder:validation:Minimum=7 */ pub vents: i32,
    // + optional fields are listed in the book
    #[doc = "The kubebuilder:validation:Minimum marker."]
    pub fans: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnStatus {}
