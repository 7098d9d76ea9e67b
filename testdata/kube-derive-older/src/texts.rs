//! Texts as schemars 0.8 reads them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/**
# Sign

Hangs at the door.
*/
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Sign", namespaced)]
pub struct SignSpec {
    /// # Only a title
    pub titled: i32,
    /// A board,
    /// in two lines.
    pub board: Board,
    #[doc = "In an attribute."]
    pub attribute: bool,
    /** In a block. */
    pub block: i32,
    /**
     * In a block
     * with stars.
     */
    pub stars: i32,
    /** First line
     * without a star.
     */
    pub some_stars: i32,
    /// * a list
    /// * of things
    pub list: i32,
    /// First.
    ///
    ///   indented
    ///not indented
    ///
    ///
    /// Last.
    pub spaced: Option<String>,
    /// # Hidden
    /// Hidden as well.
    #[schemars(title = "Own", description = "Its own text.")]
    pub own: i32,
    /// With code:
    ///
    /// ```
    /// code
    ///   indented
    /// ```
    pub code: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[doc = " # Board "]
#[doc = " Made of wood. "]
pub struct Board {
    pub width: i32,
}
