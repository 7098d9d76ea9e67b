//! The types of a new version: a copy of the types of another version, as text, so that comments and layout remain.
//!
//! The copy leaves out everything that belongs to one version only: which version is stored, served or deprecated, its
//! webhooks, and its differences from the previous version.

use std::ops::Range;

use kgen_model::{KindVersion, VersionAge};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::edit::rust::Source;
use crate::kind::Kind;

/// The markers that a new version does not take over. A name that ends with a colon is a whole family.
const OWN_MARKERS: &[&str] = &[
    "kgen:conversion:",
    "kubebuilder:deprecatedversion",
    "kubebuilder:skipversion",
    "kubebuilder:storageversion",
    "kubebuilder:unservedversion",
    "kubebuilder:webhook",
    "versionName",
];

/// The arguments of `#[kube(…)]` that a new version does not take over.
const OWN_ARGUMENTS: &[&str] = &["deprecated", "served", "storage"];

/// The arguments of `#[kube(…)]` that name the kind. The one about the storage follows the last of them.
const NAMES: &[&str] = &[
    "category",
    "group",
    "kind",
    "namespaced",
    "plural",
    "shortname",
    "singular",
    "version",
];

/// Returns the version whose types a new version starts with: the newest one before it, or else the oldest one.
///
/// So a new version never comes between two versions that differ.
pub(crate) fn model<'a>(versions: &'a [KindVersion], new: &str) -> Option<&'a KindVersion> {
    let others = versions.iter().filter(|version| version.version != new);
    let age = |version: &&KindVersion| VersionAge::of(&version.version);
    let limit = VersionAge::of(new);
    let before = others
        .clone()
        .filter(|version| limit.is_none() || age(version) < limit)
        .max_by_key(age);
    before.or_else(|| others.min_by_key(age))
}

/// Copies the types of `kind` from the version `old`.
///
/// # Errors
/// Returns the reason if the text cannot be copied.
pub(crate) fn copy(text: &str, kind: &Kind, old: &str) -> Result<String, String> {
    let source = Source::parse(text)?;
    if let Some(module) = source.first_file_module() {
        return Err(format!("its module `{module}` is in another file"));
    }
    let mut edits = Edits {
        source: &source,
        kind,
        old,
        list: Vec::new(),
    };
    edits.walk(source.tokens()?, 0);
    let mut list = edits.list;
    // Edits from the end, so that the offsets of the others remain.
    list.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut copy = text.to_owned();
    for (range, new) in list {
        copy.replace_range(range, &new);
    }
    let (group, stem) = (&kind.group_stem, kind.stem());
    let module = |version: &str| format!("api::{group}::{version}::{stem}::");
    let copy = copy.replace(&module(old), &module(&kind.version));
    Ok(copy
        .split_inclusive('\n')
        .filter(|line| !is_own_marker(line))
        .collect())
}

/// Returns whether a line is a marker that belongs to one version.
fn is_own_marker(line: &str) -> bool {
    let comment = line.trim_start().strip_prefix("//");
    let text = comment.map(|text| text.trim_start_matches(['/', '!']).trim_start());
    text.and_then(|text| text.strip_prefix('+'))
        .is_some_and(|marker| {
            OWN_MARKERS.iter().any(|name| {
                marker.strip_prefix(name).is_some_and(|rest| {
                    name.ends_with(':')
                        || !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-')
                })
            })
        })
}

/// The replacements in a text.
struct Edits<'a> {
    source: &'a Source<'a>,
    kind: &'a Kind,
    old: &'a str,
    list: Vec<(Range<usize>, String)>,
}

impl Edits<'_> {
    fn range(&self, span: Span) -> Range<usize> {
        self.source.offset(span.start())..self.source.offset(span.end())
    }

    /// Finds paths that leave the file, and the arguments of kube-derive. `depth` counts the modules around the tokens.
    fn walk(&mut self, tokens: TokenStream, depth: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let rest = tokens.get(index..).unwrap_or_default();
            match rest {
                [TokenTree::Ident(word), ..] if word == "super" => {
                    index += self.leave(rest, depth);
                    continue;
                }
                [
                    TokenTree::Ident(word),
                    TokenTree::Ident(_),
                    TokenTree::Group(body),
                    ..,
                ] if word == "mod" => {
                    self.walk(body.stream(), depth + 1);
                    index += 3;
                    continue;
                }
                [TokenTree::Ident(word), TokenTree::Group(arguments), ..]
                    if word == "kube" && arguments.delimiter() == Delimiter::Parenthesis =>
                {
                    self.kube(arguments);
                    index += 2;
                    continue;
                }
                _ => {}
            }
            if let TokenTree::Group(group) = token {
                self.walk(group.stream(), depth);
            }
            index += 1;
        }
    }

    /// Replaces `super::super` by the module of the old version if it leads out of the file. Returns the number of tokens.
    fn leave(&mut self, tokens: &[TokenTree], depth: usize) -> usize {
        let is_super =
            |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if word == "super");
        let mut count = 1;
        // Between two words are two colons.
        while is_super(tokens.get(3 * count)) {
            count += 1;
        }
        let length = 3 * (count - 1) + 1;
        let (group, old) = (&self.kind.group_stem, self.old);
        let target = match count.checked_sub(depth) {
            Some(1) => format!("crate::api::{group}::{old}"),
            Some(2) => format!("crate::api::{group}"),
            Some(3) => "crate::api".to_owned(),
            _ => return length,
        };
        if let (Some(first), Some(last)) = (tokens.first(), tokens.get(length - 1)) {
            let range = self.range(first.span()).start..self.range(last.span()).end;
            self.list.push((range, target));
        }
        length
    }

    /// Changes the arguments of kube-derive if they declare the kind.
    fn kube(&mut self, arguments: &Group) {
        let arguments = self.arguments(arguments);
        let is_kind = |argument: &Argument| {
            argument.name == "kind" && argument.value.as_deref() == Some(&*format!("\"{}\"", self.kind.kind))
        };
        if !arguments.iter().any(is_kind) {
            return;
        }
        for (index, argument) in arguments.iter().enumerate() {
            if argument.name == "version"
                && let Some(value) = &argument.value_range
            {
                self.list
                    .push((value.clone(), format!("\"{}\"", self.kind.version)));
            }
            if OWN_ARGUMENTS.contains(&argument.name.as_str()) {
                // With the comma and the white space before the next argument, or else after the previous one.
                let next = arguments.get(index + 1).map(|next| next.range.start);
                let previous = index.checked_sub(1).and_then(|previous| arguments.get(previous));
                let range = match (next, previous) {
                    (Some(next), _) => argument.range.start..next,
                    (None, Some(previous)) => previous.range.end..argument.range.end,
                    (None, None) => argument.range.clone(),
                };
                self.list.push((range, String::new()));
            }
        }
        let last_name = arguments
            .iter()
            .rposition(|argument| NAMES.contains(&argument.name.as_str()));
        if let Some(name) = last_name.and_then(|index| arguments.get(index)) {
            let indent = self.source.indent(name.range.start);
            let text = match indent {
                Some(indent) => format!(",\n{indent}storage = false"),
                None => ", storage = false".to_owned(),
            };
            self.list.push((name.range.end..name.range.end, text));
        }
    }

    fn arguments(&self, arguments: &Group) -> Vec<Argument> {
        let tokens: Vec<TokenTree> = arguments.stream().into_iter().collect();
        let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
        tokens
            .split(is_comma)
            .filter_map(|tokens| {
                let (first, last) = (tokens.first()?, tokens.last()?);
                let (start, end) = (self.range(first.span()), self.range(last.span()));
                Some(Argument {
                    name: first.to_string(),
                    value: (tokens.len() > 1).then(|| last.to_string()),
                    value_range: (tokens.len() > 1).then_some(end.clone()),
                    range: start.start..end.end,
                })
            })
            .collect()
    }
}

/// One argument of `#[kube(…)]`.
struct Argument {
    name: String,
    value: Option<String>,
    value_range: Option<Range<usize>>,
    range: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(version: &str) -> Kind {
        Kind {
            group: "webapp.example.com".to_owned(),
            version: version.to_owned(),
            kind: "Guestbook".to_owned(),
            plural: "guestbooks".to_owned(),
            shorts: Vec::new(),
            group_stem: "webapp".to_owned(),
            cluster: false,
        }
    }

    #[test]
    fn markers_of_one_version_are_left_out() {
        let text = "\
/// A guestbook.
// +genclient
// +kubebuilder:storageversion
// +kgen:conversion:webhook
/// +kubebuilder:deprecatedversion:warning=\"old\"
// +kubebuilder:webhookish
pub struct Guestbook {
    // +kgen:conversion:from=size
    pub replicas: Option<i32>, // as wanted
}
";
        insta::assert_snapshot!(copy(text, &kind("v2"), "v1").unwrap(), @"
        /// A guestbook.
        // +genclient
        // +kubebuilder:webhookish
        pub struct Guestbook {
            pub replicas: Option<i32>, // as wanted
        }
        ");
    }

    #[test]
    fn paths_lead_to_the_same_types() {
        let text = "\
use super::shared::Port;
use super::super::Color;
use crate::api::webapp::v1::guestbook::Size;
use crate::api::webapp::v1::shared::Port as Other;

/// See [`super::shared`].
pub struct Guestbook(super::shared::Port, Size);

mod inner {
    use super::Guestbook;
    use super::super::shared::Port;
}
";
        insta::assert_snapshot!(copy(text, &kind("v2"), "v1").unwrap(), @"
        use crate::api::webapp::v1::shared::Port;
        use crate::api::webapp::Color;
        use crate::api::webapp::v2::guestbook::Size;
        use crate::api::webapp::v1::shared::Port as Other;

        /// See [`super::shared`].
        pub struct Guestbook(crate::api::webapp::v1::shared::Port, Size);

        mod inner {
            use super::Guestbook;
            use crate::api::webapp::v1::shared::Port;
        }
        ");
    }

    #[test]
    fn arguments_of_kube_derive_name_the_new_version() {
        let text = "\
#[kube(
    group = \"webapp.example.com\",
    version = \"v1\",
    kind = \"Guestbook\",
    namespaced,
    storage = true,
    status = \"GuestbookStatus\",
    deprecated
)]
pub struct GuestbookSpec;

#[kube(group = \"webapp.example.com\", version = \"v1\", kind = \"Other\")]
pub struct OtherSpec;

#[kube(kind = \"Guestbook\", group = \"webapp.example.com\", version = \"v1\")]
pub struct Short;
";
        insta::assert_snapshot!(copy(text, &kind("v2"), "v1").unwrap(), @r#"
        #[kube(
            group = "webapp.example.com",
            version = "v2",
            kind = "Guestbook",
            namespaced,
            storage = false,
            status = "GuestbookStatus"
        )]
        pub struct GuestbookSpec;

        #[kube(group = "webapp.example.com", version = "v1", kind = "Other")]
        pub struct OtherSpec;

        #[kube(kind = "Guestbook", group = "webapp.example.com", version = "v2", storage = false)]
        pub struct Short;
        "#);
    }

    #[test]
    fn types_in_several_files_are_not_copied() {
        assert_eq!(
            copy("mod parts;\n", &kind("v2"), "v1"),
            Err("its module `parts` is in another file".to_owned())
        );
        assert!(copy("mod {", &kind("v2"), "v1").is_err());
    }
}
