//! Decides which parts of a file are enabled: `cfg` with the features of the run.

use std::collections::{BTreeMap, BTreeSet};

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Token, ext::IdentExt as _};

/// The enabled cargo features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    /// Names of features; with `all`, the list does not matter.
    pub(crate) enabled: BTreeSet<String>,
    pub(crate) all: bool,
    /// Other conditions whose value is known.
    pub(crate) conditions: BTreeMap<String, String>,
}

impl Features {
    fn contains(&self, name: &str) -> bool {
        self.all || self.enabled.contains(name)
    }

    /// Returns whether all conditions of the attributes hold.
    pub(crate) fn allow(&self, attributes: &[Attribute]) -> bool {
        self.refusing(attributes).is_none()
    }

    /// Returns the first condition of the attributes that does not hold, as it is written.
    pub(crate) fn refused(&self, attributes: &[Attribute]) -> Option<String> {
        let attribute = self.refusing(attributes)?;
        let list = attribute.meta.require_list().ok()?;
        // Tokens are printed with unusual spaces.
        Some(list.tokens.to_string().replace(" (", "(").replace(" ,", ","))
    }

    fn refusing<'a>(&self, attributes: &'a [Attribute]) -> Option<&'a Attribute> {
        attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .find(|attribute| {
                // A condition that cannot be parsed counts as enabled, like any other unknown condition.
                attribute
                    .parse_args::<Predicate>()
                    .is_ok_and(|predicate| !self.holds(&predicate))
            })
    }

    /// Returns the attributes with every `cfg_attr` expanded.
    pub(crate) fn expand(&self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        if !attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("cfg_attr"))
        {
            return attributes;
        }
        let mut expanded = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            if !attribute.path().is_ident("cfg_attr") {
                expanded.push(attribute);
                continue;
            }
            let Ok(conditional) = attribute.parse_args::<Conditional>() else {
                continue;
            };
            if self.holds(&conditional.predicate) {
                let inner = conditional
                    .metas
                    .into_iter()
                    .map(|meta| Attribute {
                        meta,
                        ..attribute.clone()
                    })
                    .collect();
                expanded.extend(self.expand(inner));
            }
        }
        expanded
    }

    /// Returns whether a condition holds: `test` does not, features are looked up, and any other condition does.
    fn holds(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Flag(name) => name != "test",
            Predicate::Value(name, value) if name == "feature" => self.contains(value),
            Predicate::Value(name, value) => self.conditions.get(name).is_none_or(|known| known == value),
            Predicate::All(list) => list.iter().all(|part| self.holds(part)),
            Predicate::Any(list) => list.iter().any(|part| self.holds(part)),
            // The negation of an unknown condition is unknown too, and also counts as enabled.
            Predicate::Not(part) => !self.holds(part) || !self.knows(part),
        }
    }

    /// Returns whether a condition is one that kgen decides.
    fn knows(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Flag(name) => matches!(name.as_str(), "test" | "true" | "false"),
            Predicate::Value(name, _) => name == "feature" || self.conditions.contains_key(name),
            Predicate::All(list) | Predicate::Any(list) => list.iter().all(|part| self.knows(part)),
            Predicate::Not(part) => self.knows(part),
        }
    }
}

/// A condition of a `cfg`.
enum Predicate {
    Flag(String),
    Value(String, String),
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
}

impl Parse for Predicate {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::LitBool) {
            let value: syn::LitBool = input.parse()?;
            return Ok(if value.value {
                Self::All(Vec::new())
            } else {
                Self::Any(Vec::new())
            });
        }
        let name = Ident::parse_any(input)?.to_string();
        if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            let parts: Vec<_> = Punctuated::<Predicate, Token![,]>::parse_terminated(&content)?
                .into_iter()
                .collect();
            return match name.as_str() {
                "all" => Ok(Self::All(parts)),
                "any" => Ok(Self::Any(parts)),
                "not" => match parts.into_iter().next() {
                    Some(part) => Ok(Self::Not(Box::new(part))),
                    None => Err(content.error("`not` needs a condition")),
                },
                _ => Ok(Self::Flag(name)),
            };
        }
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            let value: LitStr = input.parse()?;
            return Ok(Self::Value(name, value.value()));
        }
        Ok(Self::Flag(name))
    }
}

/// The inside of a `cfg_attr`.
struct Conditional {
    predicate: Predicate,
    metas: Vec<syn::Meta>,
}

impl Parse for Conditional {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let predicate = input.parse()?;
        let mut metas = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            metas.push(input.parse()?);
        }
        Ok(Self { predicate, metas })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(attribute: &str) -> bool {
        let item: syn::ItemStruct = syn::parse_str(&format!("{attribute} struct A;")).unwrap();
        let features = Features {
            enabled: ["on".to_owned()].into(),
            ..Features::default()
        };
        features.allow(&item.attrs)
    }

    #[test]
    fn conditions() {
        for on in [
            "#[cfg(feature = \"on\")]",
            "#[cfg(unix)]",
            "#[cfg(not(unix))]",
            "#[cfg(not(test))]",
            "#[cfg(any(test, feature = \"on\"))]",
            "#[cfg(target_os = \"linux\")]",
            "#[cfg(not(feature = \"off\"))]",
            "#[cfg(true)]",
        ] {
            assert!(allowed(on), "{on}");
        }
        for off in [
            "#[cfg(test)]",
            "#[cfg(feature = \"off\")]",
            "#[cfg(all(unix, test))]",
            "#[cfg(not(feature = \"on\"))]",
            "#[cfg(false)]",
        ] {
            assert!(!allowed(off), "{off}");
        }
    }

    #[test]
    fn conditional_attributes_nest() {
        let item: syn::ItemStruct = syn::parse_str(
            "#[cfg_attr(feature = \"on\", cfg_attr(unix, doc = \"a\"), doc = \"b\")] struct A;",
        )
        .unwrap();
        let features = Features {
            enabled: ["on".to_owned()].into(),
            ..Features::default()
        };
        assert_eq!(features.expand(item.attrs.clone()).len(), 2);
        assert_eq!(Features::default().expand(item.attrs).len(), 0);
    }
}
