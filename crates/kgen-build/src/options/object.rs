//! Options of `object`.

use super::options;

options! {
    /// What generated objects have.
    pub struct ObjectOptions at object, described by OBJECT {
        "definition" => definition: bool = true,
            "Embed the CRD that `crd` generates and implement `CustomResourceExt`";
    }
}
