//! Titles and descriptions in every form that schemars accepts.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const HEADING: &str = "Written once";

fn sentence() -> String {
    "Made by a function.".to_owned()
}

/**
# Sign

Hangs at the door.
*/
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Sign", namespaced)]
#[schemars(title = HEADING, description = concat!("Has ", "two parts."))]
pub struct SignSpec {
    #[schemars(title = HEADING, description = HEADING)]
    pub constant: i32,
    #[schemars(title = concat!("In ", "parts"), description = "loud".to_uppercase())]
    pub computed: bool,
    /// # Hidden
    /// Hidden as well.
    #[schemars(title = "", description = "")]
    pub emptied: bool,
    #[schemars(description = sentence())]
    pub by_function: String,
    #[schemars(title = format!("{HEADING}!"))]
    pub formatted: Board,
    #[schemars(title = "Its own")]
    pub retitled: Board,
    pub plain: Board,
    #[doc = concat!("# Put ", "together")]
    #[doc = concat!("from ", 2, " parts")]
    pub concatenated: bool,
    #[doc = "In an attribute."]
    pub attribute: bool,
    /** In a block. */
    pub block: i32,
    /** In a block
     * with stars.
     */
    pub stars: i32,
    /// First.
    ///
    ///   indented
    ///not indented
    ///
    ///
    /// Last.
    pub spaced: Option<String>,
    #[cfg_attr(all(), doc = "Under a condition.")]
    pub conditional: i32,
    pub choice: Finish,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[doc = " # Board "]
#[doc = " Made of "]
#[doc = " wood."]
pub struct Board {
    pub width: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Finishes", description = "Two of them.")]
pub enum Finish {
    #[schemars(title = "First", description = "The shiny one.")]
    Gloss,
    Matte,
}
