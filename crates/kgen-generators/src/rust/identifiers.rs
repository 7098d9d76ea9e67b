//! Identifiers as tokens. Every name that reaches a token goes through here, so that no input can produce an invalid one.

use kgen_model::rust_names::{free, is_keyword};
use proc_macro2::{Ident, Span};

/// Keywords that have no raw form.
const NEVER_RAW: &[&str] = &["Self", "_", "crate", "self", "super"];

/// An identifier for something generated.
pub(super) fn ident(name: &str) -> Ident {
    // Letters that are no letters to Rust are left; the parser tells.
    syn::parse_str(&free(name)).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site()))
}

/// The identifier of something that exists in the user's source: a keyword is written raw.
pub(super) fn existing(name: &str) -> Ident {
    if is_keyword(name) && !NEVER_RAW.contains(&name) {
        return Ident::new_raw(name, Span::call_site());
    }
    ident(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_an_identifier() {
        assert_eq!(existing("type").to_string(), "r#type");
        for name in ["", "_", "🦀", "r#x", "self", "9", "a-b", "\u{0}"] {
            let _ = ident(name);
            let _ = existing(name);
        }
    }
}
