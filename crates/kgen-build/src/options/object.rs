//! Options of `object`.

use super::options;

options! {
    /// The options of generated objects.
    pub struct ObjectOptions at object, described by OBJECT {
        "definition" => definition: bool = true,
            "Embed the CRD that `crd` generates and implement `CustomResourceExt`";
    }
}
