//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// First line.
    /// Second line.
    ///
    ///
    /// After two empty lines.
    /// TODO: gone
    /// +optional
    /// Behind a marker.
    pub lines: Option<i32>,
    /// Shown.
    ///
    /// ---
    /// Not shown.
    pub cut: i32,
    /// Before.
    ///
    /// TODO: gone, and the empty lines around it stay
    ///
    /// After.
    pub around: i32,
    /// TODO: gone
    ///
    /// After.
    pub behind: i32,
    /// TODO: gone
    ///
    /// TODO: gone as well
    pub nothing: i32,
    /// ```
    /// TODO kept in a fence
    /// --- kept as well
    /// ```
    /// After the fence.
    pub fence: i32,
    /** A block
     * with stars
     */
    pub block: i32,
    #[doc = "From an attribute."]
    pub attribute: i32,
    ///   Indented text keeps its indent.
    ///     - and more
    pub indented: i32,
    //// Four slashes are no doc.
    // Nor are two.
    pub none: i32,
    /// Trailing blanks   
    /// are trimmed.
    pub blanks: i32,
    #[deprecated]
    pub old: i32,
    /// Was good once.
    #[deprecated(note = "use `none`")]
    pub older: i32,
}
