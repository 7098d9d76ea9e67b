//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

const TEXT: &str = "
// +kubebuilder:validation:Bogus=1
";

const RAW: &str = r##"
/// +optional
"##;

/* +kubebuilder:validation:Bogus=2
   /* // +kubebuilder:validation:Bogus=3 */
   // +kubebuilder:validation:Bogus=4
*/

macro_rules! mills {
    () => {
        // +kubebuilder:validation:Bogus=5
        /// +kubebuilder:validation:Bogus=6
        pub struct Generated;
    };
}

println! {
    // +kubebuilder:validation:Bogus=7
}

fn lifetimes<'a>(text: &'a str) -> char {
    let _ = (text, TEXT, RAW, b"// +kubebuilder:validation:Bogus=8", '"', "// +kubebuilder:validation:Bogus=9");
    '\''
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// A list:
    /// + first
    /// +5 is a number
    /// +- one
    /// +my:foreign=marker
    /** +kubebuilder:validation:Bogus=10 */
    pub name: String,
}
