//! Options of every generator that writes Rust: how its code names other crates.

use super::options;

options! {
    /// How generated Rust names other crates.
    pub struct RustOptions at rust, described by RUST {
        "types" => types: String = generator().types,
            "Path of the crate that declares the types; its name if the code is generated into another crate";

        "kube" => kube: String = generator().kube,
            "Path of the kube crate";

        "k8sOpenapi" => k8s_openapi: String = generator().k8s_openapi,
            "Path of the k8s-openapi crate";

        "runtime" => runtime: String = generator().runtime,
            "Path of the kgen-runtime crate";

        "serde" => serde: String = generator().serde,
            "Path of the serde crate";

        "serdeJson" => serde_json: String = generator().serde_json,
            "Path of the serde_json crate";
    }
}

/// Returns the defaults of the generators.
fn generator() -> kgen_generators::rust::RustOptions {
    kgen_generators::rust::RustOptions::default()
}

impl RustOptions {
    /// Returns the options of the generators.
    pub(crate) fn for_generator(&self, header: Option<String>) -> kgen_generators::rust::RustOptions {
        kgen_generators::rust::RustOptions {
            header,
            types: self.types.clone(),
            kube: self.kube.clone(),
            k8s_openapi: self.k8s_openapi.clone(),
            runtime: self.runtime.clone(),
            serde: self.serde.clone(),
            serde_json: self.serde_json.clone(),
        }
    }
}
