//! Adds module declarations and statements to Rust files, and removes them.

use proc_macro2::{LexError, LineColumn, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{File, Item, ItemMod, ItemStruct};

use super::{Edit, cut, insert};

/// The longest line that rustfmt does not break.
const WIDTH: usize = 100;

/// Declares the module `name` (`r#type` for a keyword) next to the other modules of the file, in alphabetical order.
pub(crate) fn declare_module(text: &str, name: &str) -> Edit {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(reason) => return Edit::Broken(reason),
    };
    let modules: Vec<&ItemMod> = source
        .file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Mod(module) => Some(module),
            _ => None,
        })
        .collect();
    if modules.iter().any(|module| module.ident == name) {
        return Edit::Unchanged;
    }
    let line = format!("pub mod {name};");
    let declared: Vec<&&ItemMod> = modules.iter().filter(|module| module.content.is_none()).collect();
    let bare = |name: &str| name.trim_start_matches("r#").to_owned();
    let smaller = declared
        .iter()
        .rfind(|module| bare(&module.ident.to_string()) < bare(name));
    if let Some(module) = smaller {
        return Edit::Changed(insert(text, source.line_behind(module.span().end()), &line));
    }
    if let Some(first) = declared.first() {
        return Edit::Changed(insert(text, source.start_of_line(first.span().start()), &line));
    }
    // The first module goes after the documentation of the file and before everything else.
    let offset = match source.file.items.first() {
        Some(first) => source.above_comments(first.span().start()),
        None => text.len(),
    };
    let before = text.get(..offset).unwrap_or_default();
    let gap = if before.trim().is_empty() || before.ends_with("\n\n") || before.ends_with("\r\n\r\n") {
        ""
    } else {
        "\n"
    };
    let behind = if offset < text.len() { "\n\n" } else { "" };
    Edit::Changed(insert(text, offset, &format!("{gap}{line}{behind}")))
}

/// Adds `statement` as the last statement of the top-level function `function`.
pub(crate) fn add_statement(text: &str, function: &str, statement: &str) -> Edit {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(reason) => return Edit::Broken(reason),
    };
    let found = source.file.items.iter().find_map(|item| match item {
        Item::Fn(found) if found.sig.ident == function => Some(found),
        _ => None,
    });
    let Some(found) = found else {
        return Edit::NoPlace(format!("the function `{function}` does not exist"));
    };
    let wanted = match syn::parse_str::<syn::Stmt>(statement) {
        Ok(wanted) => wanted,
        Err(error) => return Edit::NoPlace(error.to_string()),
    };
    let wanted = wanted.to_token_stream().to_string();
    let mut present = found.block.stmts.iter();
    if present.any(|statement| statement.to_token_stream().to_string() == wanted) {
        return Edit::Unchanged;
    }
    if let Some(syn::Stmt::Expr(_, None)) = found.block.stmts.last() {
        return Edit::NoPlace(format!("`{function}` returns a value"));
    }
    let brace = found.block.brace_token.span.close().start();
    let offset = source.start_of_line(brace);
    let end = source.offset(brace);
    let is_alone = text
        .get(offset..end)
        .is_some_and(|before| before.trim().is_empty());
    if !is_alone {
        return Edit::NoPlace(format!("the body of `{function}` is on one line with its braces"));
    }
    let indent = format!("{}    ", text.get(offset..end).unwrap_or_default());
    Edit::Changed(insert(text, offset, &laid_out(&indent, statement)))
}

/// Removes the declaration of the module `name`, with the comments directly above it. An inline module is left alone.
pub(crate) fn remove_module(text: &str, name: &str) -> Edit {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(reason) => return Edit::Broken(reason),
    };
    let found = source.file.items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == name && module.content.is_none() => Some(module),
        _ => None,
    });
    match found {
        Some(module) => Edit::Changed(source.without(module)),
        None => Edit::Unchanged,
    }
}

/// Removes `statement` from the top-level function `function`.
pub(crate) fn remove_statement(text: &str, function: &str, statement: &str) -> Edit {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(reason) => return Edit::Broken(reason),
    };
    let Ok(wanted) = syn::parse_str::<syn::Stmt>(statement) else {
        return Edit::Unchanged;
    };
    let wanted = wanted.to_token_stream().to_string();
    let found = source.file.items.iter().find_map(|item| match item {
        Item::Fn(found) if found.sig.ident == function => {
            let mut statements = found.block.stmts.iter();
            // rustfmt adds a comma to arguments on lines of their own.
            let plain = |statement: &syn::Stmt| statement.to_token_stream().to_string().replace(" ,)", ")");
            statements.find(|statement| plain(statement) == wanted)
        }
        _ => None,
    });
    match found {
        Some(found) => Edit::Changed(source.without(found)),
        None => Edit::Unchanged,
    }
}

/// Returns whether the file has items, in addition to its documentation. A file that cannot be parsed has some.
pub(crate) fn has_items(text: &str) -> bool {
    Source::parse(text).map_or(true, |source| !source.file.items.is_empty())
}

/// Adds a marker to the top-level struct `name`, after its documentation and before its attributes.
pub(crate) fn add_marker(text: &str, name: &str, marker: &str) -> Edit {
    let missing = format!("the struct `{name}` does not exist");
    add_marker_to(text, marker, &missing, |found| found.ident == name)
}

/// Adds a marker to the top-level struct from which kube-derive derives a kind.
pub(crate) fn add_marker_to_derived(text: &str, kind: &str, marker: &str) -> Edit {
    let missing = format!("no struct has `#[kube(kind = \"{kind}\")]`");
    add_marker_to(text, marker, &missing, |found| {
        let attributes = found.attrs.iter();
        let mut kube = attributes.filter(|attribute| attribute.path().is_ident("kube"));
        kube.any(|attribute| {
            let mut is_kind = false;
            // The macro reads its other arguments itself.
            let _ = attribute.parse_nested_meta(|argument| {
                if let Ok(value) = argument.value() {
                    let value: syn::Expr = value.parse()?;
                    is_kind |= argument.path.is_ident("kind")
                        && matches!(&value, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if text.value() == kind);
                } else if argument.input.peek(syn::token::Paren) {
                    argument.parse_nested_meta(|inner| {
                        let _: TokenStream = inner.input.parse()?;
                        Ok(())
                    })?;
                }
                Ok(())
            });
            is_kind
        })
    })
}

fn add_marker_to(text: &str, marker: &str, missing: &str, is_wanted: impl Fn(&ItemStruct) -> bool) -> Edit {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(reason) => return Edit::Broken(reason),
    };
    let found = source.file.items.iter().find_map(|item| match item {
        Item::Struct(found) if is_wanted(found) => Some(found),
        _ => None,
    });
    let Some(found) = found else {
        return Edit::NoPlace(missing.to_owned());
    };
    let mut attributes = found.attrs.iter();
    let offset = match attributes.find(|attribute| !attribute.path().is_ident("doc")) {
        Some(attribute) => source.start_of_line(attribute.span().start()),
        None => match found.attrs.last() {
            Some(documentation) => source.line_behind(documentation.span().end()),
            None => source.start_of_line(found.span().start()),
        },
    };
    Edit::Changed(insert(text, offset, marker))
}

/// Formats a call like rustfmt.
fn laid_out(indent: &str, statement: &str) -> String {
    match statement.split_once('(') {
        Some((function, arguments)) if indent.len() + statement.len() > WIDTH => {
            let arguments = arguments.trim_end_matches(");");
            format!("{indent}{function}(\n{indent}    {arguments},\n{indent});")
        }
        _ => format!("{indent}{statement}"),
    }
}

/// Returns whether the file has a top-level function of this name.
pub(crate) fn has_function(text: &str, name: &str) -> bool {
    let Ok(source) = Source::parse(text) else {
        return false;
    };
    let mut items = source.file.items.iter();
    items.any(|item| matches!(item, Item::Fn(found) if found.sig.ident == name))
}

/// Returns the line of a number with an unreasonable number of digits. The time that syn takes to parse a number grows
/// with the square of its digits.
fn long_number(text: &str) -> Option<usize> {
    let is_long = |line: &str| {
        line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .any(|word| word.len() > 1_024 && word.starts_with(|first: char| first.is_ascii_digit()))
    };
    text.lines().position(is_long).map(|index| index + 1)
}

/// A parsed file, with the offsets of its places.
pub(crate) struct Source<'a> {
    text: &'a str,
    file: File,
    /// The length of the prefix that the parser did not see, in bytes.
    skipped: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, String> {
        let skipped = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let seen = text.get(skipped..).unwrap_or_default();
        if let Some(line) = long_number(seen) {
            return Err(format!("line {line} has a number with too many digits"));
        }
        match syn::parse_file(seen) {
            Ok(file) => Ok(Self { text, file, skipped }),
            Err(error) => {
                let line = error.span().start().line;
                Err(format!("line {line} is not valid Rust: {error}"))
            }
        }
    }

    /// Returns all tokens of the file.
    pub(crate) fn tokens(&self) -> Result<TokenStream, String> {
        let seen = self.text.get(self.skipped..).unwrap_or_default();
        seen.parse().map_err(|error: LexError| error.to_string())
    }

    /// Returns the name of the first module whose content is in another file.
    pub(crate) fn first_file_module(&self) -> Option<String> {
        self.file.items.iter().find_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
            _ => None,
        })
    }

    /// Returns the indentation of the line of an offset, or `None` if other text is in between.
    pub(crate) fn indent(&self, offset: usize) -> Option<&'a str> {
        let before = self.text.get(..offset)?;
        let line = before.rsplit('\n').next()?;
        line.trim().is_empty().then_some(line)
    }

    /// Returns the byte offset of a place.
    pub(crate) fn offset(&self, place: LineColumn) -> usize {
        let start = self.line_start(place.line);
        let line = self.text.get(start..).unwrap_or_default();
        let column = line
            .char_indices()
            .nth(place.column)
            .map_or(line.len(), |(offset, _)| offset);
        start + column
    }

    fn line_start(&self, line: usize) -> usize {
        let mut start = self.skipped;
        for _ in 1..line {
            let rest = self.text.get(start..).unwrap_or_default();
            match rest.find('\n') {
                Some(end) => start += end + 1,
                None => return self.text.len(),
            }
        }
        start
    }

    fn start_of_line(&self, place: LineColumn) -> usize {
        self.line_start(place.line)
    }

    /// Returns the start of the line after a place.
    fn line_behind(&self, place: LineColumn) -> usize {
        self.line_start(place.line + 1)
    }

    /// Returns the text without the lines of an item or statement and the comments directly above it. Of the empty lines
    /// around it, one remains; at the end of the file, none.
    fn without(&self, part: &impl Spanned) -> String {
        let start = self.above_comments(part.span().start());
        let end = self.line_behind(part.span().end());
        let before = self.text.get(..start).unwrap_or_default();
        let after = self.text.get(end..).unwrap_or_default();
        let is_gap = |line: &str| line.trim().is_empty();
        let follows_gap = before.lines().next_back().is_none_or(is_gap);
        if after.trim().is_empty() && follows_gap {
            return match before.trim_end() {
                "" => String::new(),
                before => format!("{before}{}", super::line_ending(self.text)),
            };
        }
        let gap = match after.split_inclusive('\n').next() {
            Some(line) if follows_gap && is_gap(line) => line.len(),
            _ => 0,
        };
        cut(self.text, start..end + gap)
    }

    /// Returns the start of the comments directly above the line of a place.
    fn above_comments(&self, place: LineColumn) -> usize {
        let mut line = place.line;
        while line > 1 {
            let start = self.line_start(line - 1);
            let text = self.text.get(start..).unwrap_or_default();
            let is_comment = text.trim_start_matches([' ', '\t']).starts_with("//")
                && !text.trim_start_matches([' ', '\t']).starts_with("//!");
            if !is_comment {
                break;
            }
            line -= 1;
        }
        self.line_start(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text after an edit. Snapshots do not show the last line break, so it is checked here.
    fn changed(edit: Edit) -> String {
        let Edit::Changed(text) = edit else {
            panic!("{edit:?}");
        };
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
        text
    }

    #[test]
    fn numbers_with_thousands_of_digits_are_not_read() {
        let text = format!("fn main() {{\n    print({});\n}}\n", "9".repeat(40_000));
        assert_eq!(long_number(&text), Some(2));
        assert_eq!(long_number("fn main() { print(1_000_000u64); }"), None);
    }

    #[test]
    fn removing_a_part_undoes_adding_it() {
        for text in [
            "//! Docs.\n\npub mod b;\nmod d;\n\nfn f() {}\n",
            "//! Docs.\n",
            "//! Docs.\n\nfn f() {}\n",
            "//! Docs.\r\n\r\npub mod b;\r\n",
        ] {
            for name in ["a", "c", "r#type"] {
                let added = changed(declare_module(text, name));
                assert_eq!(changed(remove_module(&added, name)), text, "{added:?}");
                assert_eq!(remove_module(text, name), Edit::Unchanged);
            }
        }
        let text = "pub fn register(manager: &mut Manager) {\n    first(manager);\n}\n";
        let long = format!("controller::{}::register(manager);", "name".repeat(25));
        for statement in ["second(manager);", &long] {
            let added = changed(add_statement(text, "register", statement));
            assert_eq!(changed(remove_statement(&added, "register", statement)), text);
            assert_eq!(remove_statement(text, "register", statement), Edit::Unchanged);
        }
        assert!(!has_items("//! Docs.\n"));
        assert!(has_items("//! Docs.\nmod a;\n"));
    }

    #[test]
    fn modules_are_declared_in_their_order() {
        let text = "//! Docs.\n\n// The first.\npub mod b; // here\nmod d;\n\nfn f() {}\n";
        insta::assert_snapshot!(changed(declare_module(text, "c")), @"
        //! Docs.

        // The first.
        pub mod b; // here
        pub mod c;
        mod d;

        fn f() {}
        ");
        insta::assert_snapshot!(changed(declare_module(text, "r#type")), @"
        //! Docs.

        // The first.
        pub mod b; // here
        mod d;
        pub mod r#type;

        fn f() {}
        ");
        assert_eq!(declare_module(text, "d"), Edit::Unchanged);
        assert_eq!(declare_module("pub mod r#type;", "r#type"), Edit::Unchanged);
    }

    #[test]
    fn the_first_module_stands_behind_the_documentation() {
        insta::assert_snapshot!(changed(declare_module("//! Docs.\n", "a")), @"
        //! Docs.

        pub mod a;
        ");
        insta::assert_snapshot!(changed(declare_module("//! Docs.", "a")), @"
        //! Docs.

        pub mod a;
        ");
        insta::assert_snapshot!(changed(declare_module("", "a")), @"pub mod a;");
        insta::assert_snapshot!(changed(declare_module("//! Docs.\n\n/// Of f.\nfn f() {}\n", "a")), @"
        //! Docs.

        pub mod a;

        /// Of f.
        fn f() {}
        ");
        insta::assert_snapshot!(changed(declare_module("//! Docs.\n\n// About f.\nfn f() {}\n", "a")), @"
        //! Docs.

        pub mod a;

        // About f.
        fn f() {}
        ");
    }

    #[test]
    fn statements_go_to_the_end_of_the_function() {
        let text = "fn register(m: &mut M) {\n    one(m); // first\n    // last words\n}\nfn other() {}\n";
        let added = changed(add_statement(text, "register", "two(m);"));
        insta::assert_snapshot!(added, @"
        fn register(m: &mut M) {
            one(m); // first
            // last words
            two(m);
        }
        fn other() {}
        ");
        assert_eq!(add_statement(&added, "register", "two(m);"), Edit::Unchanged);
        let long = format!("{}f(m);", "long::".repeat(20));
        let with_long = changed(add_statement("fn register() {\n}\n", "register", &long));
        insta::assert_snapshot!(with_long, @"
        fn register() {
            long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::long::f(
                m,
            );
        }
        ");
        assert_eq!(add_statement(&added, "register", "two( m );"), Edit::Unchanged);
    }

    #[test]
    fn markers_go_between_documentation_and_attributes() {
        let text = "/// Docs.\n// +genclient\n#[derive(Debug)]\npub struct A;\n\n/// Docs.\npub struct B;\n\npub struct C;\n";
        let text = changed(add_marker(text, "A", "// +a"));
        let text = changed(add_marker(&text, "B", "// +b"));
        let text = changed(add_marker(&text, "C", "// +c"));
        insta::assert_snapshot!(text, @"
        /// Docs.
        // +genclient
        // +a
        #[derive(Debug)]
        pub struct A;

        /// Docs.
        // +b
        pub struct B;

        // +c
        pub struct C;
        ");
        assert!(matches!(add_marker(&text, "D", "// +d"), Edit::NoPlace(_)));
        let text = "/// Docs.\n#[derive(CustomResource)]\n#[kube(group = \"g\", namespaced, scale(a = \"b\"), kind = \"A\", printcolumn = r#\"{}\"#)]\npub struct ASpec;\n";
        insta::assert_snapshot!(changed(add_marker_to_derived(text, "A", "// +a")), @r##"
        /// Docs.
        // +a
        #[derive(CustomResource)]
        #[kube(group = "g", namespaced, scale(a = "b"), kind = "A", printcolumn = r#"{}"#)]
        pub struct ASpec;
        "##);
        assert!(matches!(
            add_marker_to_derived(text, "B", "// +b"),
            Edit::NoPlace(_)
        ));
    }

    #[test]
    fn what_has_no_place_is_left_alone() {
        for text in [
            "fn other() {}",
            "fn register() {}",
            "fn register() -> u8 {\n    1\n}\n",
        ] {
            assert!(
                matches!(add_statement(text, "register", "one();"), Edit::NoPlace(_)),
                "{text}"
            );
        }
        assert!(matches!(declare_module("mod {", "a"), Edit::Broken(_)));
    }

    #[test]
    fn line_endings_and_marks_stay() {
        let text =
            "\u{feff}//! Ünïcode.\r\n\r\npub mod a;\r\n\r\nfn register() {\r\n    /* é */ one();\r\n}\r\n";
        let with_module = changed(declare_module(text, "b"));
        assert!(
            with_module.contains("pub mod a;\r\npub mod b;\r\n\r\nfn"),
            "{with_module:?}"
        );
        let with_statement = changed(add_statement(&with_module, "register", "two();"));
        assert!(
            with_statement.ends_with("    /* é */ one();\r\n    two();\r\n}\r\n"),
            "{with_statement:?}"
        );
    }
}
