//! The entry of a marker in the table of its family.
//!
//! Tables are in the order in which people should read about their markers, so a new entry goes to the end and its
//! author moves it.

use anyhow::{Context, Result};

use super::{NewMarker, Target};

/// The line that opens a table, and the one that closes it.
const OPENING: &str = "markers! {";
const CLOSING: &str = "}";

/// Returns whether a file declares markers.
pub fn has_table(source: &str) -> bool {
    source.lines().any(|line| line == OPENING)
}

/// Returns the file with the marker at the end of its table, and the entry alone.
pub fn insert(source: &str, marker: &NewMarker<'_>) -> Result<(String, String)> {
    let entry = render(marker, &type_name(marker.name, source));
    let lines: Vec<&str> = source.lines().collect();
    let opening = lines
        .iter()
        .position(|line| *line == OPENING)
        .context("there is no table in it")?;
    let closing = lines
        .iter()
        .skip(opening)
        .position(|line| *line == CLOSING)
        .context("its table has no end")?;
    let (before, after) = lines.split_at(opening + closing);
    let text = format!(
        "{}\n\n{entry}{}\n",
        before.join("\n").trim_end(),
        after.join("\n")
    );
    Ok((text, entry))
}

/// Returns the entry, at the indentation of the table.
fn render(marker: &NewMarker<'_>, type_name: &str) -> String {
    let name = marker.name;
    let (target, stage, example) = match marker.target {
        Target::Type => ("Type", "schema", ["// +", "pub struct Limits {}"]),
        Target::Field => ("Field", "schema", ["// +", "pub name: String,"]),
        Target::Kind => ("Kind", "kind", ["// +", "pub struct Foo {}"]),
        Target::Module => ("Module", "module", ["//! +", ""]),
    };
    let [comment, below] = example;
    let below = if below.is_empty() {
        String::new()
    } else {
        format!("    /// {below}\n")
    };
    // All markers of the family have it, and a test says so.
    let settings = if marker.family.trim_end_matches(".rs") == "validation" {
        " with [items]"
    } else {
        ""
    };
    format!(
        "    /// Says in one sentence what it does.
    ///
    /// ```
    /// {comment}{name}=value
{below}    /// ```
    \"{name}\" on [{target}]{settings} => {type_name} {{
        /// The meaning of the value.
        \"=\" value: String,
    }}
    apply {stage} |_marker, _node| {{
        // The effect; the entries above show how to write it.
    }};
"
    )
}

/// Returns the name of the struct behind the marker: its last word, with words before it while the file knows that
/// name.
fn type_name(name: &str, source: &str) -> String {
    let parts: Vec<&str> = name.split([':', '-']).collect();
    let mut candidate = String::new();
    for part in parts.iter().rev() {
        candidate = capitalized(part) + &candidate;
        if !is_taken(&candidate, source) {
            return candidate;
        }
    }
    candidate + "Marker"
}

/// Names of the prelude that the macro and the entries use.
const PRELUDE: &[&str] = &[
    "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Vec",
];

fn is_taken(candidate: &str, source: &str) -> bool {
    PRELUDE.contains(&candidate)
        || source
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == candidate)
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//! A family.

markers! {
    family \"bounds\" \"Bounds\";

    /// Largest value.
    ///
    /// ```
    /// // +max=1
    /// pub size: i32,
    /// ```
    \"max\" on [Field] => Maximum {
        /// The bound.
        \"=\" value: i64,
    }
    apply schema |marker, node| {
        node.maximum = marker.value;
    };
}

fn helper() {
}
";

    #[test]
    fn an_entry_goes_to_the_end_of_its_table() {
        let marker = NewMarker {
            name: "kgen:smallest",
            family: "bounds",
            target: Target::Field,
        };
        let (text, entry) = insert(SOURCE, &marker).unwrap();
        insta::assert_snapshot!(entry, @r#"
        /// Says in one sentence what it does.
        ///
        /// ```
        /// // +kgen:smallest=value
        /// pub name: String,
        /// ```
        "kgen:smallest" on [Field] => Smallest {
            /// The meaning of the value.
            "=" value: String,
        }
        apply schema |_marker, _node| {
            // The effect; the entries above show how to write it.
        };
        "#);
        let (before, after) = SOURCE.split_once("}\n\nfn helper").unwrap();
        assert_eq!(text, format!("{before}\n{entry}}}\n\nfn helper{after}"));
    }

    #[test]
    fn the_entry_follows_the_target() {
        let entry = |target| {
            render(
                &NewMarker {
                    name: "x",
                    family: "validation",
                    target,
                },
                "X",
            )
        };
        assert!(entry(Target::Module).contains("    /// ```\n    /// //! +x=value\n    /// ```\n"));
        assert!(entry(Target::Module).contains("apply module |"));
        assert!(entry(Target::Kind).contains("on [Kind] with [items] => X {"));
        assert!(entry(Target::Type).contains("apply schema |"));
    }

    #[test]
    fn types_get_names_that_are_free() {
        assert_eq!(type_name("kgen:list-size", SOURCE), "Size");
        assert_eq!(type_name("kgen:Maximum", SOURCE), "KgenMaximum");
        assert_eq!(type_name("kgen:string", SOURCE), "KgenString");
        assert_eq!(type_name("maximum", SOURCE), "MaximumMarker");
    }

    #[test]
    fn a_file_without_a_table_is_refused() {
        let marker = NewMarker {
            name: "x",
            family: "bounds",
            target: Target::Field,
        };
        assert!(insert("fn helper() {}\n", &marker).is_err());
    }
}
