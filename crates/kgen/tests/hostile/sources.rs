//! Small sources that ask for endless work. Each run ends with a problem at a place in the source.

use std::fmt::Write as _;
use std::path::Path;

use crate::{KILN, fail, spec, succeed, write};

/// Generates a CRD from `source`, which must be refused for `code`, at a place in it.
fn refused(source: &str, code: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api/v1.rs", source);
    generate(folder.path(), code)
}

fn generate(folder: &Path, code: &str) -> String {
    fail(
        folder,
        &["crd", "object", "paths=api"],
        &[&format!("error[{code}]"), "--> api/"],
    )
}

#[test]
fn pairs_of_globs_over_many_levels_are_followed_once() {
    let mut source = format!("{KILN}{}", spec("pub glaze: l0a::Glaze"));
    for level in 0..60 {
        for side in ["a", "b"] {
            let next = level + 1;
            writeln!(
                source,
                "pub mod l{level}{side} {{ pub use super::l{next}a::*; pub use super::l{next}b::*; }}"
            )
            .unwrap();
        }
    }
    source.push_str("pub mod l60a { pub use super::end::*; }\npub mod l60b { pub use super::end::*; }\n");
    source.push_str("pub mod end { use serde::{Deserialize, Serialize};\n#[derive(Serialize, Deserialize)] pub struct Glaze { pub color: String } }\n");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api/v1.rs", &source);
    succeed(folder.path(), &["crd", "paths=api"]);
}

#[test]
fn globs_in_circles_end() {
    let mut source = format!("{KILN}{}", spec("pub glaze: m0::Glaze"));
    for module in 0..24 {
        write!(source, "pub mod m{module} {{ ").unwrap();
        for other in 0..24 {
            write!(source, "pub use super::m{other}::*; ").unwrap();
        }
        source.push_str("}\n");
    }
    refused(&source, "limit");
}

#[test]
fn a_long_chain_of_imports_is_refused() {
    let mut source = format!("{KILN}{}", spec("pub glaze: m0::Glaze"));
    for module in 0..5900 {
        writeln!(
            source,
            "pub mod m{module} {{ pub use super::m{}::Glaze; }}",
            module + 1
        )
        .unwrap();
    }
    source.push_str("pub mod m5900 { pub struct Glaze { pub color: String } }\n");
    let text = refused(&source, "limit");
    assert!(text.contains("`m0::Glaze` uses too many imports"), "{text}");
}

#[test]
fn generic_types_and_aliases_that_grow_are_refused() {
    let derive = "#[derive(Serialize, Deserialize)]\n";
    let pair = format!("{derive}pub struct Pair<A, B> {{ pub a: A, pub b: B }}\n");
    // Each alias is a pair of the one before it.
    let mut aliases = format!("{KILN}{}{pair}pub type A0 = String;\n", spec("pub all: A40"));
    // Each generic type uses the next one with two arguments of twice the size.
    let mut arguments = format!("{KILN}{}{pair}", spec("pub all: G0<String>"));
    // Each generic type has two fields of the next one with different arguments.
    let mut instances = format!(
        "{KILN}{}{derive}pub struct X<T> {{ pub x: T }}\n{derive}pub struct Y<T> {{ pub y: T }}\n",
        spec("pub all: I0<String>")
    );
    // Each optional alias holds the one before it twice.
    let mut options = format!(
        "{KILN}{}{pair}pub type O0 = Option<String>;\n",
        spec("pub all: O40")
    );
    // No generic types at all: each struct holds the next one twice.
    let mut structs = format!("{KILN}{}", spec("pub all: S0"));
    // Each alternative holds the next one twice.
    let mut variants = format!("{KILN}{}", spec("pub all: V0"));
    for level in 0..40 {
        let next = level + 1;
        writeln!(aliases, "pub type A{next} = Pair<A{level}, A{level}>;").unwrap();
        writeln!(
            arguments,
            "{derive}pub struct G{level}<T> {{ pub g: G{next}<Pair<T, T>> }}"
        )
        .unwrap();
        writeln!(
            instances,
            "{derive}pub struct I{level}<T> {{ pub a: I{next}<X<T>>, pub b: I{next}<Y<T>> }}"
        )
        .unwrap();
        writeln!(options, "pub type O{next} = Option<Pair<O{level}, O{level}>>;").unwrap();
        writeln!(
            structs,
            "{derive}pub struct S{level} {{ pub a: S{next}, pub b: S{next} }}"
        )
        .unwrap();
        writeln!(
            variants,
            "{derive}#[serde(untagged)]\npub enum V{level} {{ A {{ a{level}: V{next} }}, B {{ b{level}: V{next} }} }}"
        )
        .unwrap();
    }
    writeln!(arguments, "{derive}pub struct G40<T> {{ pub g: T }}").unwrap();
    writeln!(instances, "{derive}pub struct I40<T> {{ pub a: T }}").unwrap();
    writeln!(structs, "{derive}pub struct S40 {{ pub a: String }}").unwrap();
    writeln!(variants, "{derive}pub struct V40 {{ pub a: String }}").unwrap();
    for source in [arguments, instances, options] {
        refused(&source, "limit");
    }
    for source in [aliases, structs, variants] {
        refused(&source, "document-size");
    }
}

#[test]
fn aliases_in_circles_end() {
    refused(
        &format!("{KILN}{}pub type A = Option<A>;\n", spec("pub a: A")),
        "limit",
    );
    refused(
        &format!("{KILN}{}pub type A = Vec<A>;\n", spec("pub a: A")),
        "recursive-type",
    );
}

#[test]
fn prefixes_and_operators_that_nest_deeply_are_refused() {
    for prefix in [
        "&",
        "& ",
        "&'a ",
        "&mut ",
        "*const ",
        "*mut ",
        "dyn ",
        "impl ",
        "fn() -> ",
        "for<'a> ",
        "[",
        "(",
        "Option<",
        "unsafe ",
        "a!(",
        "<",
        "&'static mut ",
        "extern fn() -> ",
        "A::<",
    ] {
        let source = format!("{KILN}{}", spec(&format!("pub a: {}u8", prefix.repeat(50_000))));
        refused(&source, "syntax");
    }
    for prefix in [
        "!",
        "-",
        "*",
        "&",
        "&mut ",
        "|a| ",
        "|| ",
        "return ",
        "break ",
        "a = ",
        "a..",
        "if a {} else ",
        "a + ",
        "a.b + ",
        "a => ",
        "move || ",
        "async move || ",
        "'a: ",
        "unsafe {",
        "match a { b => ",
        "yield ",
        "loop { ",
        "a as ",
        "let a = ",
        "a && ",
        "a < ",
        "a::<",
        "..",
        "..= ",
        "&raw const ",
        "box ",
        "const ",
        "a += ",
        "#[a] ",
        "#![a] ",
        "a? . ",
        "await ",
        "static ",
    ] {
        let source = format!(
            "{KILN}{}fn f() {{ let x = {}a; }}\n",
            spec("pub a: u8"),
            prefix.repeat(50_000)
        );
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "api/v1.rs", &source);
        let output = crate::kgen(folder.path(), &["crd", "paths=api"]);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{prefix}: {:?}",
            output.status
        );
    }
    for suffix in [
        "?", ".a", ".a()", "[0]", "(0)", " as u8", " + 1", " .await", "::a", "::<A>::a",
    ] {
        let source = format!(
            "{KILN}{}fn f() {{ let x = a{}; }}\n",
            spec("pub a: u8"),
            suffix.repeat(50_000)
        );
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "api/v1.rs", &source);
        let output = crate::kgen(folder.path(), &["crd", "paths=api"]);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{suffix}: {:?}",
            output.status
        );
    }
}

#[test]
fn types_in_attributes_that_nest_deeply_are_refused() {
    let nested = format!("{}u8{}", "Option<".repeat(20_000), ">".repeat(20_000));
    for line in ["#[serde(from = \"TYPE\")]", "#[serde(try_from = \"TYPE\")]"] {
        let line = line.replace("TYPE", &nested);
        let source = format!("{KILN}{line}\n{}", spec("pub heat: u8"));
        refused(&source, "invalid-attribute");
    }
}

#[test]
fn numbers_with_thousands_of_digits_are_refused() {
    let source = format!(
        "{KILN}{}#[derive({})] struct A;\n",
        spec("pub heat: u8"),
        "9".repeat(40_000)
    );
    refused(&source, "syntax");
}

#[test]
fn modules_that_contain_each_other_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "Cargo.toml", "[package]\nname = \"pottery\"\n");
    write(
        folder,
        "src/lib.rs",
        &format!(
            "{KILN}{}#[path = \"lib.rs\"]\nmod a;\n#[path = \"lib.rs\"]\nmod b;\n",
            spec("pub a: u8")
        ),
    );
    fail(folder, &["crd", "paths=src"], &["error[limit]", "--> src/lib.rs"]);

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "Cargo.toml", "[package]\nname = \"pottery\"\n");
    write(
        folder,
        "src/lib.rs",
        &format!("{KILN}{}#[path = \"m0.rs\"]\nmod m;\n", spec("pub a: u8")),
    );
    for module in 0..3000 {
        let text = format!("#[path = \"m{}.rs\"]\nmod m;\n", module + 1);
        write(folder, &format!("src/m{module}.rs"), &text);
    }
    write(folder, "src/m3000.rs", "");
    fail(folder, &["crd", "paths=src"], &["error[limit]", "--> src/m"]);
}

#[test]
fn rules_for_defaults_run_under_the_limits_of_the_api_server() {
    let replaces = ".replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')".repeat(12);
    let field = format!(
        "\n// +kubebuilder:validation:XValidation:rule=\"self{replaces}.size() > 0\"\n\
         // +kubebuilder:validation:MaxLength=1\n// +kubebuilder:default=a\npub glaze: String,\n"
    );
    refused(&format!("{KILN}{}", spec(&field)), "cel-cost");
}
