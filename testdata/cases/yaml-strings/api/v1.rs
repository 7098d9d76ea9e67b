//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// yes
    /// +kubebuilder:validation:Enum=yes;no;on;off;y;n;Y;"true";"null";~;"1";"1.5";0x1F;0o17;1_000;2024-01-15;"12:30:45";.inf;.nan;"1e3";=;<<
    pub words: String,
    /// Colon: inside
    /// +kubebuilder:default="- dash"
    pub colon: String,
    /// 'Single quoted' at the head
    /// +kubebuilder:default="it's: so"
    pub quote: String,
    /// # no comment
    /// +kubebuilder:default="a #b"
    pub hash: String,
    /// [not a list]
    /// +kubebuilder:default="{}"
    pub list: String,
    /// * star, & anchor, ! tag, % directive, @ at, ` tick
    /// +kubebuilder:default="*"
    pub star: String,
    /// Ends with a colon:
    /// +kubebuilder:default=" blank "
    pub blank: String,
    /// Tab	inside
    /// +kubebuilder:default="tab\tand\u0007bell"
    pub tab: String,
    /// Emoji 🥖 and ümläuts — and a dash
    /// +kubebuilder:default="🥖"
    pub emoji: String,
    /// Backslash \ and "double quotes"
    /// +kubebuilder:default="back\\slash"
    pub back: String,
    /// +kubebuilder:default="line\nbreak\n"
    pub lines: String,
    /// +kubebuilder:default="\n\nleading"
    pub leading: String,
    /// +kubebuilder:default=""
    pub empty: String,
    /// A long description without any colon that goes on and on past the eightieth column and is folded where a blank is
    pub long: String,
    /// A long description with a colon: it goes on and on past the eightieth column and it is folded, where a blank is
    pub long_quoted: String,
    /// Averyveryverylongwordwithoutanyblankthatgoesonandonpasttheeightiethcolumnandcannotbefoldedatall really
    pub word: String,
    /// ? question
    pub question: String,
    /// --- dashes at the head are cut
    pub dashes: String,
    /// ...dots
    pub dots: String,
}
