//! +groupName=pottery.example.org
//!
//! A type that doubles ten times over, so that a small source makes a large definition.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A wall of tiles.
pub struct Wall {
    pub metadata: ObjectMeta,
    pub spec: Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Tile>>>>>>>>>>,
}

/// Two of a kind, side by side.
#[derive(Serialize, Deserialize)]
pub struct Twice<T> {
    /// What stands on the left, as seen by somebody who stands in front of the wall.
    pub left: T,
    /// What stands on the right, as seen by somebody who stands in front of the wall.
    pub right: T,
}

/// One tile.
#[derive(Serialize, Deserialize)]
pub struct Tile {
    /// Colour of the glaze, by its name in the catalogue of the workshop that made it, or a free description of it where
    /// there is no such name, long enough for another workshop to come close to it.
    pub colour: String,
    /// How thick the tile is, in millimetres, without the mortar below it and without the glaze above it.
    pub thickness: u8,
}
