//! Creates identifier tokens. Every name becomes a token here, so that no input can produce an invalid one.

use kgen_model::rust_names::{free, is_keyword};
use proc_macro2::{Ident, Span};

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["Self", "_", "crate", "self", "super"];

/// Returns an identifier for a generated item.
pub(super) fn ident(name: &str) -> Ident {
    // `free` leaves characters that Rust does not allow in identifiers, so the parser decides.
    syn::parse_str(&free(name)).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site()))
}

/// Returns the identifier of an item in the user's source; a keyword becomes a raw identifier.
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
