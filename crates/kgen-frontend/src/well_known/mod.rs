//! Types whose source is not needed: one row each.
//!
//! The row says what JSON the type has when serde reads and writes it with the crate's own implementation. Formats are
//! only those that the API server knows.

mod exact;
mod kubernetes;

use std::sync::LazyLock;

use kgen_model::{Constraints, JsonType, Number, Schema};
use rustc_hash::FxHashMap;

pub(crate) use kubernetes::{narrow, narrow_condition};

/// The description of a well-known type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// `Option`.
    Optional,
    /// A list of its first argument.
    List,
    /// A list of its first argument without duplicates.
    Set,
    /// A map from its first argument to its second.
    Map,
    /// An object with `start` and `end`, both of its argument.
    Range,
    /// The same as its last argument.
    Transparent,
    /// A value whose schema needs nothing else.
    Value(fn() -> Schema),
    /// A value with two schemas: the usual one, and one of exactly the values that the type reads and writes.
    Exact(fn() -> Schema, fn() -> Schema),
    /// A floating-point number, with the format that the API server checks.
    Float(Option<&'static str>),
    /// Its argument, and never zero.
    NonZero,
    /// Metadata of an object.
    ObjectMeta,
    /// Metadata of a list of objects.
    ListMeta,
    /// `apiVersion` and `kind`.
    TypeMeta,
    /// A type that is preferably read from its source, with a built-in schema if the source does not exist.
    WithoutSource(fn() -> Schema),
    /// A type without a schema, and the type to use instead.
    Unsupported(&'static str),
}

/// Whether a well-known type is read from its source where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precedence {
    BeforeSource,
    AfterSource,
}

/// Returns how a path of another crate leads to a well-known type, if it does.
pub(crate) fn known_without_source(path: &[String]) -> Option<Precedence> {
    let known = well_known(path)?.known();
    Some(if matches!(known, Known::WithoutSource(_)) {
        Precedence::AfterSource
    } else {
        Precedence::BeforeSource
    })
}

/// Returns whether a path of another crate leads to a type whose source is never looked at.
pub(crate) fn is_well_known(path: &[String]) -> bool {
    known_without_source(path) == Some(Precedence::BeforeSource)
}

/// A row of the table: the paths by which a type is known, and what it is.
struct Row {
    paths: &'static [&'static str],
    known: Known,
}

const fn row(paths: &'static [&'static str], known: Known) -> Row {
    Row { paths, known }
}

static TABLE: &[Row] = &[
    // The language and its standard library.
    row(&["bool"], Known::Value(|| Schema::of_type(JsonType::Boolean))),
    row(&["std::string::String", "str"], Known::Value(text)),
    row(&["char"], Known::Value(character)),
    row(&["i8"], Known::Value(|| bounded("int32", Some(-128), Some(127)))),
    row(
        &["i16"],
        Known::Value(|| bounded("int32", Some(-32_768), Some(32_767))),
    ),
    row(&["i32"], Known::Value(|| bounded("int32", None, None))),
    row(&["i64"], Known::Value(|| bounded("int64", None, None))),
    row(&["isize"], Known::Value(|| bounded("int64", None, None))),
    row(&["u8"], Known::Value(|| bounded("int32", Some(0), Some(255)))),
    row(&["u16"], Known::Value(|| bounded("int32", Some(0), Some(65_535)))),
    row(
        &["u32"],
        Known::Value(|| bounded("int64", Some(0), Some(4_294_967_295))),
    ),
    row(&["u64"], Known::Value(|| bounded("int64", Some(0), None))),
    row(&["usize"], Known::Value(|| bounded("int64", Some(0), None))),
    row(
        &["i128", "u128"],
        Known::Unsupported("use `i64` or a `String`; Kubernetes supports only 32-bit and 64-bit integers"),
    ),
    row(&["f32"], Known::Float(Some("float"))),
    row(&["f64"], Known::Float(None)),
    row(&["std::num::NonZero"], Known::NonZero),
    row(
        &["std::num::NonZeroU8"],
        Known::Value(|| bounded("int32", Some(1), Some(255))),
    ),
    row(
        &["std::num::NonZeroU16"],
        Known::Value(|| bounded("int32", Some(1), Some(65_535))),
    ),
    row(
        &["std::num::NonZeroU32"],
        Known::Value(|| bounded("int64", Some(1), Some(4_294_967_295))),
    ),
    row(
        &["std::num::NonZeroU64"],
        Known::Value(|| bounded("int64", Some(1), None)),
    ),
    row(
        &["std::num::NonZeroUsize"],
        Known::Value(|| bounded("int64", Some(1), None)),
    ),
    row(
        &["std::num::NonZeroI8"],
        Known::Value(|| not_zero(bounded("int32", Some(-128), Some(127)))),
    ),
    row(
        &["std::num::NonZeroI16"],
        Known::Value(|| not_zero(bounded("int32", Some(-32_768), Some(32_767)))),
    ),
    row(
        &["std::num::NonZeroI32"],
        Known::Value(|| not_zero(bounded("int32", None, None))),
    ),
    row(
        &["std::num::NonZeroI64"],
        Known::Value(|| not_zero(bounded("int64", None, None))),
    ),
    row(
        &["std::num::NonZeroIsize"],
        Known::Value(|| not_zero(bounded("int64", None, None))),
    ),
    row(
        &["std::num::NonZeroI128", "std::num::NonZeroU128"],
        Known::Unsupported("Kubernetes knows integers of 32 and 64 bits: use `NonZeroI64`, or a `String`"),
    ),
    row(
        &["std::sync::atomic::AtomicBool"],
        Known::Value(|| Schema::of_type(JsonType::Boolean)),
    ),
    row(
        &["std::sync::atomic::AtomicI8"],
        Known::Value(|| bounded("int32", Some(-128), Some(127))),
    ),
    row(
        &["std::sync::atomic::AtomicI16"],
        Known::Value(|| bounded("int32", Some(-32_768), Some(32_767))),
    ),
    row(
        &["std::sync::atomic::AtomicI32"],
        Known::Value(|| bounded("int32", None, None)),
    ),
    row(
        &["std::sync::atomic::AtomicI64"],
        Known::Value(|| bounded("int64", None, None)),
    ),
    row(
        &["std::sync::atomic::AtomicIsize"],
        Known::Value(|| bounded("int64", None, None)),
    ),
    row(
        &["std::sync::atomic::AtomicU8"],
        Known::Value(|| bounded("int32", Some(0), Some(255))),
    ),
    row(
        &["std::sync::atomic::AtomicU16"],
        Known::Value(|| bounded("int32", Some(0), Some(65_535))),
    ),
    row(
        &["std::sync::atomic::AtomicU32"],
        Known::Value(|| bounded("int64", Some(0), Some(4_294_967_295))),
    ),
    row(
        &["std::sync::atomic::AtomicU64"],
        Known::Value(|| bounded("int64", Some(0), None)),
    ),
    row(
        &["std::sync::atomic::AtomicUsize"],
        Known::Value(|| bounded("int64", Some(0), None)),
    ),
    row(&["std::option::Option"], Known::Optional),
    row(
        &["std::result::Result"],
        Known::Unsupported("use an enum of your own for the two cases"),
    ),
    row(
        &[
            "std::vec::Vec",
            "std::collections::VecDeque",
            "std::collections::vec_deque::VecDeque",
            "std::collections::LinkedList",
            "std::collections::BinaryHeap",
            "smallvec::SmallVec",
            "arrayvec::ArrayVec",
        ],
        Known::List,
    ),
    row(
        &[
            "std::collections::HashSet",
            "std::collections::hash_set::HashSet",
            "std::collections::BTreeSet",
            "std::collections::btree_set::BTreeSet",
            "indexmap::IndexSet",
            "indexmap::set::IndexSet",
            "hashbrown::HashSet",
        ],
        Known::Set,
    ),
    row(
        &[
            "std::collections::HashMap",
            "std::collections::hash_map::HashMap",
            "std::collections::BTreeMap",
            "std::collections::btree_map::BTreeMap",
            "indexmap::IndexMap",
            "indexmap::map::IndexMap",
            "hashbrown::HashMap",
        ],
        Known::Map,
    ),
    row(
        &[
            "std::boxed::Box",
            "std::rc::Rc",
            "std::sync::Arc",
            "std::borrow::Cow",
            "std::cell::Cell",
            "std::cell::RefCell",
            "std::sync::Mutex",
            "std::sync::RwLock",
            "std::cmp::Reverse",
            "std::num::Wrapping",
            "std::num::Saturating",
        ],
        Known::Transparent,
    ),
    row(&["std::ops::Range", "std::ops::RangeInclusive"], Known::Range),
    row(
        &["std::ops::Bound"],
        Known::Unsupported("use an enum of your own: this one is a string or an object in JSON"),
    ),
    row(
        &[
            "std::ffi::OsString",
            "std::ffi::OsStr",
            "std::ffi::CString",
            "std::ffi::CStr",
        ],
        Known::Unsupported("use `String`: this type is a list of bytes in JSON"),
    ),
    row(&["std::net::IpAddr"], Known::Exact(text, exact::address)),
    row(&["std::net::SocketAddr"], Known::Exact(text, exact::socket)),
    row(
        &["std::net::SocketAddrV4"],
        Known::Exact(text, exact::socket_of_version_4),
    ),
    row(
        &["std::net::SocketAddrV6"],
        Known::Exact(text, exact::socket_of_version_6),
    ),
    row(
        &["std::net::Ipv4Addr"],
        Known::Exact(|| Schema::string_format("ipv4"), exact::address_version_4),
    ),
    row(
        &["std::net::Ipv6Addr"],
        Known::Exact(|| Schema::string_format("ipv6"), exact::address_version_6),
    ),
    row(&["std::path::PathBuf", "std::path::Path"], Known::Value(text)),
    row(&["std::time::Duration"], Known::Value(duration_parts)),
    row(
        &["std::time::SystemTime", "std::time::Instant"],
        Known::Unsupported("use `Time` of k8s-openapi, which is a string with a date and time"),
    ),
    row(
        &["std::marker::PhantomData"],
        Known::Unsupported("add `#[serde(skip)]` to the field; the type has no JSON"),
    ),
    // serde_json.
    row(
        &[
            "serde_json::Value",
            "serde_json::value::Value",
            "serde_json::value::RawValue",
        ],
        Known::Value(Schema::anything),
    ),
    row(
        &["serde_json::Map", "serde_json::map::Map"],
        Known::Value(open_object),
    ),
    row(&["serde_json::Number"], Known::Float(None)),
    // Kubernetes.
    row(
        &[
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta",
            "kube::api::ObjectMeta",
            "kube::core::ObjectMeta",
            "kube::core::metadata::ObjectMeta",
            "kube_core::ObjectMeta",
            "kube_core::metadata::ObjectMeta",
        ],
        Known::ObjectMeta,
    ),
    row(
        &[
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta",
            "kube::api::ListMeta",
            "kube::core::ListMeta",
            "kube_core::ListMeta",
        ],
        Known::ListMeta,
    ),
    row(
        &[
            "kube::api::TypeMeta",
            "kube::core::TypeMeta",
            "kube::core::metadata::TypeMeta",
            "kube_core::TypeMeta",
            "kube_core::metadata::TypeMeta",
        ],
        Known::TypeMeta,
    ),
    row(
        &[
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::Time",
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime",
        ],
        Known::Value(|| Schema::string_format("date-time")),
    ),
    row(
        &["k8s_openapi::apimachinery::pkg::apis::meta::v1::FieldsV1"],
        Known::Value(open_object),
    ),
    row(
        &[
            "kube::core::Duration",
            "kube::core::duration::Duration",
            "kube_core::Duration",
            "kube_core::duration::Duration",
        ],
        Known::Value(text),
    ),
    row(
        &["k8s_openapi::apimachinery::pkg::api::resource::Quantity"],
        Known::Value(quantity),
    ),
    row(
        &["k8s_openapi::apimachinery::pkg::util::intstr::IntOrString"],
        Known::Value(Schema::int_or_string),
    ),
    row(
        &["k8s_openapi::apimachinery::pkg::runtime::RawExtension"],
        Known::Value(open_object),
    ),
    row(
        &["k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON"],
        Known::Value(Schema::anything),
    ),
    row(
        &["k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition"],
        Known::WithoutSource(kubernetes::condition),
    ),
    row(
        &["k8s_openapi::ByteString"],
        Known::Value(|| Schema::string_format("byte")),
    ),
    row(
        &[
            "kube::api::DynamicObject",
            "kube::core::DynamicObject",
            "kube::core::dynamic::DynamicObject",
        ],
        Known::Value(embedded_object),
    ),
    // Other crates that operators use.
    row(
        &["chrono::DateTime", "jiff::Timestamp"],
        Known::Value(|| Schema::string_format("date-time")),
    ),
    row(
        &[
            "chrono::NaiveDate",
            "chrono::naive::NaiveDate",
            "jiff::civil::Date",
        ],
        Known::Value(|| Schema::string_format("date")),
    ),
    row(
        &[
            "chrono::NaiveDateTime",
            "chrono::naive::NaiveDateTime",
            "chrono::NaiveTime",
            "chrono::naive::NaiveTime",
            "chrono::Weekday",
            "chrono::Month",
            "jiff::Zoned",
            "jiff::Span",
        ],
        Known::Value(text),
    ),
    row(
        &["jiff::civil::DateTime"],
        Known::Exact(text, exact::day_and_clock),
    ),
    row(&["jiff::civil::Time"], Known::Exact(text, exact::clock)),
    row(
        &["jiff::SignedDuration"],
        Known::Exact(text, exact::signed_duration),
    ),
    row(&["url::Url"], Known::Value(|| Schema::string_format("uri"))),
    row(&["uuid::Uuid"], Known::Value(|| Schema::string_format("uuid"))),
    row(
        &["ipnet::IpNet", "ipnet::Ipv4Net", "ipnet::Ipv6Net"],
        Known::Value(|| Schema::string_format("cidr")),
    ),
    row(
        &[
            "semver::Version",
            "semver::VersionReq",
            "rust_decimal::Decimal",
            "smol_str::SmolStr",
            "compact_str::CompactString",
            "http::Uri",
        ],
        Known::Value(text),
    ),
    row(&["bytes::Bytes", "bytes::BytesMut"], Known::Value(byte_list)),
];

/// The names of a path, and the row that it belongs to.
type KnownPath = (Vec<&'static str>, KnownType);

/// The rows by the last name of their paths, so that a path need not be put together to be looked up.
static BY_NAME: LazyLock<FxHashMap<&'static str, Vec<KnownPath>>> = LazyLock::new(|| {
    let rows = TABLE.iter().enumerate();
    let mut names: FxHashMap<_, Vec<_>> = FxHashMap::default();
    for (path, known) in
        rows.flat_map(|(index, row)| row.paths.iter().map(move |path| (*path, KnownType(index))))
    {
        let path: Vec<_> = path.split("::").collect();
        let name = path.last().copied().unwrap_or_default();
        names.entry(name).or_default().push((path, known));
    }
    names
});

/// A row of the table, to compare types by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KnownType(usize);

impl KnownType {
    /// Returns the first path of the row.
    pub(crate) fn path(self) -> &'static str {
        TABLE
            .get(self.0)
            .and_then(|row| row.paths.first())
            .copied()
            .unwrap_or_default()
    }

    /// Returns the content of the row.
    pub(crate) fn known(self) -> Known {
        TABLE
            .get(self.0)
            .map_or(Known::Unsupported("the type is not known"), |row| row.known)
    }
}

/// Returns the well-known type at a path of another crate, if there is one.
pub(crate) fn well_known(path: &[String]) -> Option<KnownType> {
    // kube hands k8s-openapi on under its own name.
    let path = match path {
        [first, second, ..] if first == "kube" && second == "k8s_openapi" => path.get(1..)?,
        _ => path,
    };
    let rows = BY_NAME.get(path.last()?.as_str())?;
    rows.iter()
        .find(|(known, _)| known == path)
        .map(|(_, known)| *known)
}

/// Returns the paths from which types of this name can be imported: one for each well-known type that is called so.
pub(crate) fn imports_of(name: &str) -> Vec<String> {
    let mut seen = Vec::new();
    let mut paths = Vec::new();
    for (path, known) in BY_NAME.get(name).into_iter().flatten() {
        if path.len() > 1 && !seen.contains(known) && !matches!(known.known(), Known::Unsupported(_)) {
            seen.push(*known);
            paths.push(path.join("::"));
        }
    }
    paths
}

fn text() -> Schema {
    Schema::of_type(JsonType::String)
}

fn character() -> Schema {
    let constraints = Constraints {
        min_length: Some(1),
        max_length: Some(1),
        ..Constraints::default()
    };
    Schema {
        constraints: constraints.into(),
        ..text()
    }
}

/// Excludes zero from an integer. Bounds cannot, because it has values on both sides.
pub(crate) fn not_zero(mut schema: Schema) -> Schema {
    let mut zero = Schema::default();
    zero.constraints.enumeration = Some(vec![0.into()]);
    schema.not = Some(std::sync::Arc::new(zero));
    schema
}

fn bounded(format: &'static str, minimum: Option<i64>, maximum: Option<i64>) -> Schema {
    let constraints = Constraints {
        minimum: minimum.map(Number::Integer),
        maximum: maximum.map(Number::Integer),
        ..Constraints::default()
    };
    Schema {
        constraints: constraints.into(),
        ..Schema::integer(format)
    }
}

fn open_object() -> Schema {
    Schema {
        preserve_unknown_fields: true,
        ..Schema::of_type(JsonType::Object)
    }
}

fn embedded_object() -> Schema {
    Schema {
        embedded_resource: true,
        ..open_object()
    }
}

/// Describes a duration of the standard library as serde writes it.
fn duration_parts() -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    let part = |format, maximum| std::sync::Arc::new(bounded(format, Some(0), maximum));
    schema.properties.insert("secs".to_owned(), part("int64", None));
    schema
        .properties
        .insert("nanos".to_owned(), part("int64", Some(999_999_999)));
    schema.required.extend(["nanos".to_owned(), "secs".to_owned()]);
    schema
}

fn byte_list() -> Schema {
    Schema::array_of(bounded("int32", Some(0), Some(255)))
}

fn quantity() -> Schema {
    let mut schema = Schema::int_or_string();
    schema.constraints.pattern = Some(
        r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
            .to_owned(),
    );
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_stands_twice() {
        let paths = || TABLE.iter().flat_map(|row| row.paths);
        let different: std::collections::BTreeSet<_> = paths().collect();
        assert_eq!(different.len(), paths().count());
    }

    #[test]
    fn every_path_is_found_and_no_part_of_it() {
        for (index, row) in TABLE.iter().enumerate() {
            for path in row.paths {
                let path: Vec<_> = path.split("::").map(str::to_owned).collect();
                assert_eq!(well_known(&path), Some(KnownType(index)));
                assert_eq!(well_known(&["other".to_owned()]), None);
                assert_eq!(
                    well_known(&[path.as_slice(), &["Other".to_owned()]].concat()),
                    None
                );
            }
        }
    }
}
