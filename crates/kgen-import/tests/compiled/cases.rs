//! The expected files of the cases.

#[rustfmt::skip]
#[path = "../../../../testdata/import/combinations/expected/mod.rs"]
pub mod combinations;
#[rustfmt::skip]
#[path = "../../../../testdata/import/defaults/expected/mod.rs"]
pub mod defaults;
#[rustfmt::skip]
#[path = "../../../../testdata/import/definition/expected/mod.rs"]
pub mod definition;
#[rustfmt::skip]
#[path = "../../../../testdata/import/descriptions/expected/mod.rs"]
pub mod descriptions;
#[rustfmt::skip]
#[path = "../../../../testdata/import/embedded-resources/expected/mod.rs"]
pub mod embedded_resources;
#[rustfmt::skip]
#[path = "../../../../testdata/import/enums/expected/mod.rs"]
pub mod enums;
#[rustfmt::skip]
#[path = "../../../../testdata/import/enums-open/expected/mod.rs"]
pub mod enums_open;
#[rustfmt::skip]
#[path = "../../../../testdata/import/int-or-string/expected/mod.rs"]
pub mod int_or_string;
#[rustfmt::skip]
#[path = "../../../../testdata/import/integer-bounds/expected/mod.rs"]
pub mod integer_bounds;
#[rustfmt::skip]
#[path = "../../../../testdata/import/kube-style/expected/mod.rs"]
pub mod kube_style;
#[rustfmt::skip]
#[path = "../../../../testdata/import/kubernetes-types/expected/mod.rs"]
pub mod kubernetes_types;
#[rustfmt::skip]
#[path = "../../../../testdata/import/kubernetes-types-compatible/expected/mod.rs"]
pub mod kubernetes_types_compatible;
#[rustfmt::skip]
#[path = "../../../../testdata/import/lists-and-maps/expected/mod.rs"]
pub mod lists_and_maps;
#[rustfmt::skip]
#[path = "../../../../testdata/import/names/expected/mod.rs"]
pub mod names;
#[rustfmt::skip]
#[path = "../../../../testdata/import/no-spec/expected/mod.rs"]
pub mod no_spec;
#[rustfmt::skip]
#[path = "../../../../testdata/import/nullable/expected/mod.rs"]
pub mod nullable;
#[rustfmt::skip]
#[path = "../../../../testdata/import/odd-keywords/expected/mod.rs"]
pub mod odd_keywords;
#[rustfmt::skip]
#[path = "../../../../testdata/import/open-root/expected/mod.rs"]
pub mod open_root;
#[rustfmt::skip]
#[path = "../../../../testdata/import/open-spec/expected/mod.rs"]
pub mod open_spec;
#[rustfmt::skip]
#[path = "../../../../testdata/import/open-values/expected/mod.rs"]
pub mod open_values;
#[rustfmt::skip]
#[path = "../../../../testdata/import/prelude-kinds/expected/mod.rs"]
pub mod prelude_kinds;
#[rustfmt::skip]
#[path = "../../../../testdata/import/root-fields/expected/mod.rs"]
pub mod root_fields;
#[rustfmt::skip]
#[path = "../../../../testdata/import/rules/expected/mod.rs"]
pub mod rules;
#[rustfmt::skip]
#[path = "../../../../testdata/import/scalars/expected/mod.rs"]
pub mod scalars;
#[rustfmt::skip]
#[path = "../../../../testdata/import/sharing/expected/mod.rs"]
pub mod sharing;
#[rustfmt::skip]
#[path = "../../../../testdata/import/special-names/expected/mod.rs"]
pub mod special_names;
#[rustfmt::skip]
#[path = "../../../../testdata/import/unicode-names/expected/mod.rs"]
pub mod unicode_names;
#[rustfmt::skip]
#[path = "../../../../testdata/import/untyped/expected/mod.rs"]
pub mod untyped;
#[rustfmt::skip]
#[path = "../../../../testdata/import/versions/expected/mod.rs"]
pub mod versions;
