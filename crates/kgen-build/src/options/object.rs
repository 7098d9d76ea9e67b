//! Options of `object`.

use super::options;

options! {
    /// What generated objects have.
    pub struct ObjectOptions at object, described by OBJECT {
        "definition" => definition: bool = true,
            "Embed the definition as `crd` writes it, for `CustomResourceExt`; without it, the kind lacks that trait";
    }
}
