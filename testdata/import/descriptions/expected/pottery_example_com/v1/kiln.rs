// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Kiln fires pots.
/// \+genclient
// +kgen:description="Kiln fires pots.\n+genclient"
#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// One.
    ///
    ///   Two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain: Option<String>,

    /// One.
    /// Two.
    // +kgen:description="One. \nTwo. "
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trailing: Option<String>,

    ///  One.
    // +kgen:description="\n One."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leading: Option<String>,

    /// One.
    ///
    /// Two.
    // +kgen:description="One.\n\n\nTwo."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<String>,

    /// One. Two.
    // +kgen:description="One.\tTwo."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tabs: Option<String>,

    /// Example:
    ///
    ///    let a = b;
    // +kgen:description="Example:\n\n    let a = b;\n"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,

    /// Example:
    /// ```text
    /// let a = b;
    /// ```
    // +kgen:description="Example:\n```\nlet a = b;\n```"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fence: Option<String>,

    /// One.
    /// TODO: two
    /// Three.
    // +kgen:description="One.\nTODO: two\nThree."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub todo: Option<String>,

    /// One.
    /// ---
    /// Three.
    // +kgen:description="One.\n---\nThree."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,

    /// One.
    /// \+optional
    /// Three. +kubebuilder:validation:Minimum=1
    // +kgen:description="One.\n+optional\nThree. +kubebuilder:validation:Minimum=1"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<String>,

    /// A list.
    // +kgen:items:description="An item."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<String>>,

    /// A map.
    // +k8s:eachVal=+kgen:description="A value.\n"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<BTreeMap<String, String>>,

    // +kubebuilder:example="a b"
    // +kubebuilder:title="The title"
    // +kubebuilder:externalDocs:url="https://example.com/a?b=c",description=More
    #[serde(skip_serializing_if = "Option::is_none")]
    pub titled: Option<String>,

    /// abc   *'"`<b>[x](y)
    // +kgen:description="\u202eabc \u0007 \u2028 *'\"`<b>[x](y)"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strange: Option<String>,

    /// SecretKeySelector selects a key of a Secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<SecretKeySelector>,

    /// One.
    /// Two.
    // +kgen:description="One.\r\nTwo."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crlf: Option<String>,

    /// # Heading
    ///
    /// * a
    ///   * b
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,

    /// ab
    // +kgen:description="a\rb"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carriage: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretKeySelector {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}
