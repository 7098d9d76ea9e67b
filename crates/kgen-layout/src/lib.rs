//! Converts the layout of prettyplease to that of rustfmt, for the kinds of lines that generated code has.
//!
//! prettyplease prints no empty lines between items, and breaks lines in other places than rustfmt. So each statement,
//! field, attribute or signature is first joined to one line (`lines`). Then it is broken like rustfmt breaks it:
//! `signatures` for functions, `expressions` for statements, `types` for fields. `random_kinds`, a test of the
//! command, compares the result with rustfmt for names of every length.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod brackets;
mod expressions;
mod lines;
mod signatures;
mod types;

/// The longest line that rustfmt does not break.
const WIDTH: usize = 100;

/// The longest chain, list of arguments, tuple or array that rustfmt keeps on one line.
const SHORT: usize = 60;

/// Inserts an empty line between the members of an `impl`, except between associated types.
#[must_use]
pub fn spread(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    // The last line that belongs to the `impl` itself.
    let mut last = "";
    for line in text.lines() {
        let is_member = line
            .strip_prefix("    ")
            .is_some_and(|rest| !rest.starts_with(' '));
        if is_member {
            let ended = last.ends_with('}') || last.ends_with(';');
            let is_type = |line: &str| line.trim_start().starts_with("type ");
            if ended && line.trim() != "}" && !(is_type(last) && is_type(line)) {
                result.push('\n');
            }
            last = line;
        }
        result.push_str(line);
        result.push('\n');
    }
    result
}

/// Breaks lines at the width that rustfmt uses.
#[must_use]
pub fn widen(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut result = String::with_capacity(text.len());
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let line = lines::first(rest);
        result.push_str(&broken(&line));
        result.push('\n');
        rest = rest.get(line.count.max(1)..).unwrap_or_default();
    }
    result
}

/// Breaks a joined line like rustfmt.
fn broken(line: &lines::Line) -> String {
    let (indent, text) = (line.indent, line.text.as_str());
    if text.starts_with("//") {
        return format!("{}{text}", spaces(indent));
    }
    if text.starts_with("#[") {
        return expressions::attribute(indent, text);
    }
    if signatures::is_signature(text) {
        return signatures::signature(&format!("{}{text}", spaces(indent)));
    }
    if let Some(field) = types::field(indent, text) {
        return field;
    }
    expressions::statement(indent, text)
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}

/// Returns whether a line fits. rustfmt counts characters, not bytes.
fn fits(indent: usize, text: &str) -> bool {
    indent + width(text) <= WIDTH
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_broken_where_rustfmt_breaks_them() {
        let long = "    pub async fn list(&self, params: &ListParams) -> Result<\n        \
                    ObjectList<AKindWithANameThatIsRatherLong>,\n    > {\n";
        assert_eq!(
            widen(long),
            "    pub async fn list(\n        &self,\n        params: &ListParams,\n    \
             ) -> Result<ObjectList<AKindWithANameThatIsRatherLong>> {\n"
        );
        let short = "    pub fn by_index(&self, index: &str, value: &str) -> Result<\n        \
                     Vec<Arc<SomeKindOrOther>>,\n    > {\n";
        assert_eq!(
            widen(short),
            "    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<SomeKindOrOther>>> {\n"
        );
        let mixed = "    pub fn hours(\n        mut self,\n        values: impl IntoIterator<Item = (String, Hours)>,\n    \
                     ) -> Self {\n";
        assert_eq!(
            widen(mixed),
            "    pub fn hours(mut self, values: impl IntoIterator<Item = (String, Hours)>) -> Self {\n"
        );
    }

    #[test]
    fn long_types_of_signatures_are_broken() {
        let name = "url_color_internationalization_availability";
        let item = "crate::versions::v1alpha1::Availability";
        for (line, expected) in [
            (
                format!("    fn {name}(colors: [{item}{item}; 16]) -> Self {{"),
                format!(
                    "    fn {name}(\n        colors: [{item}{item};\n            16],\n    ) -> Self {{\n"
                ),
            ),
            (
                format!("    fn {name}(color: i32) -> ({item}, Vec<{item}>, String);"),
                format!(
                    "    fn {name}(\n        color: i32,\n    ) -> (\n        {item},\n        Vec<{item}>,\n        String,\n    );\n"
                ),
            ),
            (
                format!("    fn {name}({name}: BTreeMap<String, Vec<{item}>>) -> i32;"),
                format!(
                    "    fn {name}(\n        {name}: BTreeMap<\n            String,\n            Vec<{item}>,\n        >,\n    ) -> i32;\n"
                ),
            ),
        ] {
            assert_eq!(widen(&line), expected);
        }
    }

    #[test]
    fn calls_and_headings_are_joined() {
        assert_eq!(
            widen("        Foos::new(\n            &self.0,\n            namespace,\n        )\n"),
            "        Foos::new(&self.0, namespace)\n"
        );
        assert_eq!(widen("impl A\nfor B {\n"), "impl A for B {\n");
        assert_eq!(
            widen("        A: X<\n            Object = Y,\n        >,\n"),
            "        A: X<Object = Y>,\n"
        );
    }

    #[test]
    fn long_statements_are_broken_where_rustfmt_breaks_them() {
        for (line, expected) in [
            (
                "        object\n            .serialize_field(\n                \"aReallyLongNameOfAFieldOfAKind\",\n                &self.a_really_long_name_of_a_field_of_a_kind,\n            )?;\n",
                "        object.serialize_field(\n            \"aReallyLongNameOfAFieldOfAKind\",\n            &self.a_really_long_name_of_a_field_of_a_kind,\n        )?;\n",
            ),
            (
                "        Ok(Self { metadata: object.metadata })\n",
                "        Ok(Self {\n            metadata: object.metadata,\n        })\n",
            ),
            (
                "        self.a_name_of_some_length.get_or_insert_default().extend(values);\n",
                "        self.a_name_of_some_length\n            .get_or_insert_default()\n            .extend(values);\n",
            ),
            (
                "        let length = 4 + usize::from(self.first_optional.is_some())\n            + usize::from(self.second_optional.is_some());\n",
                "        let length = 4\n            + usize::from(self.first_optional.is_some())\n            + usize::from(self.second_optional.is_some());\n",
            ),
            (
                "        \"g15-color-configuration-color.case.distribution.cask.internationalization.example.org\".into()\n",
                "        \"g15-color-configuration-color.case.distribution.cask.internationalization.example.org\"\n            .into()\n",
            ),
            (
                "        &[\"s40x0specadistribution\", \"s40x1kubernetes\", \"s40x2requestcoloraat\"]\n",
                "        &[\n            \"s40x0specadistribution\",\n            \"s40x1kubernetes\",\n            \"s40x2requestcoloraat\",\n        ]\n",
            ),
        ] {
            assert_eq!(widen(line), expected);
        }
    }

    #[test]
    fn members_of_an_impl_are_parted() {
        let text = "impl A {\n    type B = C;\n    type D = E;\n    fn f() {}\n    /// G.\n    fn g() {\n        h();\n    }\n}\n";
        insta::assert_snapshot!(spread(text), @"
        impl A {
            type B = C;
            type D = E;

            fn f() {}

            /// G.
            fn g() {
                h();
            }
        }
        ");
    }
}
