//! The names of generated Rust: snake case, plurals with the capitals of their kind, and words that are keywords.
//!
//! Checks, generators and the scaffold use this module, so that they agree on the Rust names of a kind.

/// Words that cannot be identifiers, and cannot all be raw ones either.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield", "_",
];

/// Types, traits and variants of Rust's prelude.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Returns whether a name means something in every module, so that a type should not have it.
#[must_use]
pub fn is_in_prelude(name: &str) -> bool {
    PRELUDE.contains(&name)
}

/// Returns whether a word cannot be an identifier as it is.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Returns a name for something generated: a keyword gets a `_` at its end.
#[must_use]
pub fn free(name: &str) -> String {
    let mut name: String = name
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() || letter == '_' {
                letter
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() || name.starts_with(|first: char| first.is_numeric()) {
        name.insert(0, '_');
    }
    if is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Writes `HTTPRoute` as `http_route`, `FooBar` as `foo_bar`, `my-group` as `my_group`.
#[must_use]
pub fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut result = String::with_capacity(name.len() + 4);
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            if !result.ends_with('_') && !result.is_empty() {
                result.push('_');
            }
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(index + 1);
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if starts_word && !result.ends_with('_') {
            result.push('_');
        }
        result.extend(letter.to_lowercase());
    }
    result.trim_end_matches('_').to_owned()
}

/// Writes `my_group` as `MyGroup`.
#[must_use]
pub fn pascal(name: &str) -> String {
    name.split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(|part| {
            let mut letters = part.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            format!("{}{}", first.unwrap_or_default(), letters.as_str())
        })
        .collect()
}

/// Returns the plural of a kind with the capitals of the kind: `HTTPRoute` and `httproutes` make `HTTPRoutes`.
#[must_use]
pub fn plural(kind: &str, plural: &str) -> String {
    let mut result = String::with_capacity(plural.len());
    let mut capitals = kind.chars();
    let mut same = true;
    for letter in plural.chars() {
        let capital = capitals.next().filter(|_| same);
        match capital {
            Some(capital) if capital.to_lowercase().eq(letter.to_lowercase()) => result.push(capital),
            _ => {
                same = false;
                result.push(letter);
            }
        }
    }
    // A plural that has nothing in common with its kind still names a type.
    pascal(&result)
}

/// Returns the name of a group in accessors and modules, unless a marker gives another: `webapp` for
/// `webapp.example.com`.
#[must_use]
pub fn group(group: &str) -> String {
    if group.is_empty() {
        return "core".to_owned();
    }
    snake(group.split('.').next().unwrap_or(group))
}

/// Returns the module and accessor of a group, under its name in Rust, and a version: `webapp_v1`.
#[must_use]
pub fn group_version(group_name: &str, version: &str) -> String {
    free(&snake(&format!("{group_name}_{version}")))
}

/// Returns the type of the clients of a kind: `HTTPRoutes`.
#[must_use]
pub fn client_type(kind: &str, plural: &str) -> String {
    free(&self::plural(kind, plural))
}

/// Returns the accessor of the clients of a kind: `http_routes`.
#[must_use]
pub fn client_accessor(kind: &str, plural: &str) -> String {
    free(&snake(&self::plural(kind, plural)))
}

/// Returns the name of a field in serde's `camelCase`. The prefix `r#` is not part of the name.
#[must_use]
pub fn camel(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    let mut capital = false;
    for letter in name.strip_prefix("r#").unwrap_or(name).chars() {
        if letter == '_' {
            capital = true;
        } else if capital {
            result.push(letter.to_ascii_uppercase());
            capital = false;
        } else {
            result.push(letter);
        }
    }
    let mut letters = result.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake_case_keeps_acronyms_together() {
        for (name, expected) in [
            ("Foo", "foo"),
            ("FooBar", "foo_bar"),
            ("HTTPRoute", "http_route"),
            ("VPNGateways", "vpn_gateways"),
            ("my-group", "my_group"),
            ("V1Beta", "v1_beta"),
            ("v1alpha1", "v1alpha1"),
            ("GetScale", "get_scale"),
            ("get_scale", "get_scale"),
            ("-a--b-", "a_b"),
        ] {
            assert_eq!(snake(name), expected);
        }
    }

    #[test]
    fn plurals_have_the_capitals_of_their_kind() {
        for (kind, word, expected) in [
            ("Foo", "foos", "Foos"),
            ("HTTPRoute", "httproutes", "HTTPRoutes"),
            ("Proxy", "proxies", "Proxies"),
            ("Mouse", "mice", "Mice"),
            ("Kiln", "ovens", "Ovens"),
            ("FooBar", "foo-bars", "FooBars"),
        ] {
            assert_eq!(plural(kind, word), expected);
        }
    }

    #[test]
    fn no_name_is_a_keyword_or_empty() {
        assert_eq!(free("type"), "type_");
        assert_eq!(free("self"), "self_");
        assert_eq!(free(""), "__");
        assert_eq!(free("1st"), "_1st");
        assert_eq!(free("a b"), "a_b");
    }
}
