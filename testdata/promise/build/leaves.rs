//! Types without parts: those of the language, of the standard library, of Kubernetes, of chrono and of jiff.

use fastrand::Rng;

use crate::module::Ty;

/// A row: the type, and whether it has a default and an order.
type Leaf = (&'static str, bool, bool);

const TEXTS: &[Leaf] = &[
    ("String", true, true),
    ("String", true, true),
    ("String", true, true),
    ("Box<str>", true, true),
    ("std::borrow::Cow<'static, str>", true, true),
    ("char", true, true),
    ("std::net::IpAddr", false, true),
    ("std::net::Ipv4Addr", false, true),
    ("std::net::Ipv6Addr", false, true),
    ("std::net::SocketAddr", false, true),
    ("std::net::SocketAddrV4", false, true),
    ("std::net::SocketAddrV6", false, true),
    ("std::path::PathBuf", true, true),
];

const INTEGERS: &[Leaf] = &[
    ("i8", true, true),
    ("i16", true, true),
    ("i32", true, true),
    ("i64", true, true),
    ("isize", true, true),
    ("u8", true, true),
    ("u16", true, true),
    ("u32", true, true),
    ("u64", true, true),
    ("usize", true, true),
    ("std::num::NonZeroU8", false, true),
    ("std::num::NonZeroU16", false, true),
    ("std::num::NonZeroU32", false, true),
    ("std::num::NonZeroU64", false, true),
    ("std::num::NonZero<i8>", false, true),
    ("std::num::NonZero<i64>", false, true),
    ("std::num::NonZero<u32>", false, true),
    ("std::num::Wrapping<i16>", true, true),
    ("std::num::Saturating<u32>", true, true),
    ("std::cmp::Reverse<u8>", true, true),
    ("std::borrow::Cow<'static, i16>", true, true),
    ("std::cell::Cell<i32>", true, true),
];

const OTHERS: &[Leaf] = &[
    ("bool", true, true),
    ("f32", true, false),
    ("f64", true, false),
    ("serde_json::Value", true, false),
    ("serde_json::Map<String, serde_json::Value>", true, false),
    ("serde_json::Number", false, false),
    ("std::time::Duration", true, true),
    ("std::collections::HashSet<String>", true, false),
    ("std::collections::HashSet<u16>", true, false),
    ("chrono::DateTime<chrono::Utc>", true, true),
    ("chrono::NaiveDate", true, true),
    ("jiff::Timestamp", true, true),
    ("jiff::civil::Date", true, true),
    ("jiff::civil::DateTime", true, true),
    ("jiff::civil::Time", true, true),
    ("jiff::SignedDuration", true, true),
    (
        "k8s_openapi::apimachinery::pkg::api::resource::Quantity",
        false,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString",
        true,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::Time",
        false,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime",
        false,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
        false,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector",
        true,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta",
        true,
        false,
    ),
    (
        "k8s_openapi::apimachinery::pkg::runtime::RawExtension",
        false,
        false,
    ),
    (
        "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON",
        false,
        false,
    ),
    ("k8s_openapi::api::core::v1::LocalObjectReference", true, false),
    ("k8s_openapi::api::core::v1::SecretKeySelector", true, false),
    ("k8s_openapi::api::core::v1::ResourceRequirements", true, false),
    ("k8s_openapi::api::core::v1::Toleration", true, false),
];

fn one_of(rng: &mut Rng, rows: &[Leaf]) -> Ty {
    let (rust, default, ord) = rows[rng.usize(..rows.len())];
    let is_text = rust == "String";
    Ty {
        rust: rust.to_owned(),
        default,
        ord,
        skip_if: is_text.then_some("String::is_empty"),
        flat: matches!(
            rust,
            "serde_json::Value" | "serde_json::Map<String, serde_json::Value>"
        ),
        ..Ty::default()
    }
}

pub fn text(rng: &mut Rng) -> Ty {
    one_of(rng, TEXTS)
}

pub fn integer(rng: &mut Rng) -> Ty {
    one_of(rng, INTEGERS)
}

/// Any leaf.
pub fn any(rng: &mut Rng) -> Ty {
    match rng.u8(..6) {
        0 | 1 => text(rng),
        2 | 3 => integer(rng),
        _ => one_of(rng, OTHERS),
    }
}

/// A leaf with an order, for sets.
pub fn ordered(rng: &mut Rng) -> Ty {
    loop {
        let leaf = any(rng);
        if leaf.ord {
            return leaf;
        }
    }
}
