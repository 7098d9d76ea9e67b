//! `#[versioned(…)]` of stackable-versioned: one declaration of a type becomes one module per version.
//!
//! This mirrors the expansion of the macro as far as it concerns JSON: `crd(…)` becomes `#[kube(…)]`, and `added`, `changed` and
//! `deprecated` decide the name and type of a field or variant in each version. Conversions are left out. The code for the stored
//! version is the caller's, so the version with the highest priority is the stored one here. With conversion tracking, the macro
//! declares a status with the changed values, whose type is read from the source of the macro's own crate.
//! Start reading at [`Versions::of`].

use kgen_model::VersionAge;
use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Item, Lit, LitStr, Meta, Token, Type};

type Metas = Punctuated<Meta, Token![,]>;

/// The name that `from_docs = "…"` has after the expansion, which replaces the documentation of a field or variant.
pub(super) const PREVIOUS_DOCUMENTATION: &str = "kgen_previous_documentation";

/// The versions that `#[versioned(…)]` above a module or type declares.
pub(super) struct Versions {
    /// The versions, the oldest first.
    pub(super) names: Vec<LitStr>,
    /// Whether the module of the source stays around the modules of the versions.
    pub(super) keeps_module: bool,
    /// The keys above the module or type.
    metas: Metas,
}

impl Versions {
    /// Reads the versions above an item. Returns `None` if the item has none.
    pub(super) fn of(attributes: &[Attribute]) -> Option<Self> {
        let metas = all_metas(attributes);
        let mut names: Vec<_> = lists(&metas, "version")
            .filter_map(|version| text(&version, "name"))
            .collect();
        if names.iter().all(|name| VersionAge::of(&name.value()).is_some()) {
            names.sort_by_cached_key(|name| VersionAge::of(&name.value()));
        }
        let keeps_module = lists(&metas, "options").any(|options| has_word(&options, "preserve_module"));
        (!names.is_empty()).then_some(Self {
            names,
            keeps_module,
            metas,
        })
    }

    /// Returns the lines that the documentation of every type of a version starts with.
    pub(super) fn documentation(&self, version: &LitStr) -> Vec<String> {
        let of_version = lists(&self.metas, "version")
            .find(|found| text(found, "name").is_some_and(|name| name.value() == version.value()));
        of_version
            .and_then(|found| text(&found, "doc"))
            .map_or_else(Vec::new, |text| lines(&text.value()))
    }

    /// Returns the items of one version.
    pub(super) fn items(&self, version: &LitStr, items: &[Item]) -> Vec<Item> {
        let name = version.value();
        let mut result = Vec::with_capacity(items.len());
        for item in items {
            match item {
                // Code that exists for one version alone is added to its module.
                Item::Mod(module) if self.names.iter().any(|known| module.ident == known.value()) => {
                    let content = module.content.as_ref().filter(|_| module.ident == name);
                    result.extend(content.into_iter().flat_map(|(_, items)| items.clone()));
                }
                item => {
                    result.extend(self.tracking_status(item));
                    result.push(self.item(version, item.clone()));
                }
            }
        }
        result
    }

    /// Returns the status that the macro declares for a kind whose conversions it tracks.
    fn tracking_status(&self, item: &Item) -> Option<Item> {
        let Item::Struct(declared) = item else { return None };
        let metas = all_metas(&declared.attrs);
        let keys = kind_keys(&metas)?;
        let place = self.tracking(&keys)?;
        let crates = lists(&keys, "crates").chain(lists(&self.metas, "crates"));
        let library = crates
            .filter_map(|crates| path(&crates, "versioned"))
            .next()
            .unwrap_or_else(|| "::stackable_versioned".to_owned());
        let status = path(&keys, "status").map_or_else(String::new, |status| {
            format!("#[serde(flatten)] pub status: {status},")
        });
        let name = status_name(&keys, &declared.ident);
        let text = format!(
            "#[derive(Deserialize, Serialize, JsonSchema)] #[serde(rename_all = \"camelCase\")]
             #[{PREVIOUS_DOCUMENTATION} = \"\"]
             pub struct {name} {{ pub changed_values: {library}::ChangedValues, {status} }}"
        );
        let tokens: TokenStream = text.parse().ok()?;
        syn::parse2(at(tokens, place)).ok()
    }

    /// Returns the place of the option that tracks conversions, if it is there.
    fn tracking(&self, keys: &Metas) -> Option<Span> {
        let of_kinds =
            lists(&self.metas, "options").flat_map(|options| lists(&options, "k8s").collect::<Vec<_>>());
        lists(keys, "options")
            .chain(of_kinds)
            .find_map(|options| word(&options, "experimental_conversion_tracking"))
    }

    /// Returns a type as it is in one version.
    fn item(&self, version: &LitStr, mut item: Item) -> Item {
        match &mut item {
            Item::Struct(declared) => {
                self.declare_kind(version, &declared.ident, &mut declared.attrs);
                publish(&mut declared.vis, declared.struct_token.span);
                if let syn::Fields::Named(fields) = &mut declared.fields {
                    let named = std::mem::take(&mut fields.named);
                    fields.named = named
                        .into_iter()
                        .filter_map(|mut field| {
                            let ident = field.ident.as_ref()?;
                            let place = ident.span();
                            let state =
                                self.state(version, &field.attrs, ident, Some(&field.ty), "deprecated_")?;
                            (field.ident, field.ty) = (Some(state.ident), state.declared_type?);
                            document(&mut field.attrs, state.documentation);
                            publish(&mut field.vis, place);
                            Some(field)
                        })
                        .collect();
                }
            }
            Item::Enum(declared) => {
                self.declare_kind(version, &declared.ident, &mut declared.attrs);
                publish(&mut declared.vis, declared.enum_token.span);
                let variants = std::mem::take(&mut declared.variants);
                declared.variants = variants
                    .into_iter()
                    .filter_map(|mut variant| {
                        let state =
                            self.state(version, &variant.attrs, &variant.ident, None, "Deprecated")?;
                        variant.ident = state.ident;
                        document(&mut variant.attrs, state.documentation);
                        Some(variant)
                    })
                    .collect();
            }
            _ => {}
        }
        item
    }

    /// Replaces `#[versioned(crd(…))]` by the attribute of kube-derive.
    fn declare_kind(&self, version: &LitStr, ident: &Ident, attributes: &mut [Attribute]) {
        for attribute in attributes.iter_mut().filter(|attribute| is_versioned(attribute)) {
            let Some(metas) = metas_of(attribute) else {
                continue;
            };
            let Some(keys) = kind_list(&metas).map(|list| list.tokens.clone()) else {
                // The copy of a type is not versioned again.
                if let Meta::List(list) = &mut attribute.meta {
                    list.tokens = TokenStream::new();
                }
                continue;
            };
            let parsed = Metas::parse_terminated.parse2(keys.clone()).unwrap_or_default();
            let is_tracked = self.tracking(&parsed).is_some();
            let mut kube = KubeTokens::passed(keys, version.span(), is_tracked);
            kube.add("version", version.token().into());
            if text(&parsed, "kind").is_none() {
                let kind = LitStr::new(&kind_name(&parsed, ident), ident.span());
                kube.add("kind", kind.token().into());
            }
            if is_tracked {
                let status = LitStr::new(&status_name(&parsed, ident), ident.span());
                kube.add("status", status.token().into());
            }
            if self.names.len() > 1 {
                let is_stored = self.stored() == version.value();
                kube.add(
                    "storage",
                    Ident::new(if is_stored { "true" } else { "false" }, version.span()).into(),
                );
            }
            if let Meta::List(list) = &mut attribute.meta {
                list.path = Ident::new("kube", version.span()).into();
                list.tokens = kube.tokens.into_iter().collect();
            }
        }
    }

    /// Returns the version with the highest priority.
    fn stored(&self) -> String {
        let names = self.names.iter().map(LitStr::value);
        let stored = names.max_by(
            |left, right| match (VersionAge::of(left), VersionAge::of(right)) {
                (Some(left), Some(right)) => left.by_priority(right),
                (left, right) => left.is_some().cmp(&right.is_some()),
            },
        );
        stored.unwrap_or_default()
    }

    /// Returns the name and type of a field or variant in a version. Returns `None` if the version does not have it.
    fn state(
        &self,
        version: &LitStr,
        attributes: &[Attribute],
        ident: &Ident,
        declared_type: Option<&Type>,
        prefix: &str,
    ) -> Option<State> {
        let mut state = State {
            ident: ident.clone(),
            declared_type: declared_type.cloned(),
            documentation: None,
        };
        let place = |name: &LitStr| self.names.iter().position(|known| known.value() == name.value());
        let present = place(version);
        // An action in a version that is not declared does not compile.
        let is_later = |action: &Metas| text(action, "since").is_some_and(|since| place(&since) > present);
        let metas = all_metas(attributes);
        if lists(&metas, "added").any(|added| is_later(&added)) {
            return None;
        }
        if lists(&metas, "deprecated").any(|deprecated| is_later(&deprecated)) {
            let name = ident.to_string();
            state.ident = named(name.strip_prefix(prefix).unwrap_or(&name), ident);
        }
        let mut changes: Vec<_> = lists(&metas, "changed").filter(is_later).collect();
        changes.sort_by_key(|change| text(change, "since").and_then(|since| place(&since)));
        for change in changes.iter().rev() {
            if let Some(name) = text(change, "from_name") {
                state.ident = named(&name.value(), ident);
            }
            if let Some(Ok(old)) = text(change, "from_type").map(|text| text.parse()) {
                state.declared_type = Some(old);
            }
            state.documentation = text(change, "from_docs").or(state.documentation);
        }
        Some(state)
    }
}

/// Keys of the macro that kube-derive does not have.
const OWN_KEYS: &[&str] = &["crates", "options", "skip"];

/// The tokens inside of `#[kube(…)]`.
struct KubeTokens {
    tokens: Vec<TokenTree>,
    place: Span,
}

impl KubeTokens {
    /// Returns the keys that the macro passes on.
    fn passed(keys: TokenStream, place: Span, has_own_status: bool) -> Self {
        let keys: Vec<_> = keys.into_iter().collect();
        let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
        let is_own = |key: &[TokenTree]| {
            matches!(key.first(), Some(TokenTree::Ident(name))
                if OWN_KEYS.iter().any(|own| name == own) || (has_own_status && name == "status"))
        };
        let mut result = Self {
            tokens: Vec::with_capacity(keys.len()),
            place,
        };
        for key in keys.split(is_comma) {
            if !key.is_empty() && !is_own(key) {
                result.tokens.extend(key.iter().cloned());
                result.sign(',');
            }
        }
        result
    }

    /// Adds a key at the place of its value.
    fn add(&mut self, key: &str, value: TokenTree) {
        self.place = value.span();
        self.tokens.push(Ident::new(key, self.place).into());
        self.sign('=');
        self.tokens.push(value);
        self.sign(',');
    }

    fn sign(&mut self, sign: char) {
        let mut sign = Punct::new(sign, Spacing::Alone);
        sign.set_span(self.place);
        self.tokens.push(sign.into());
    }
}

/// A field or variant in one version.
struct State {
    ident: Ident,
    /// The type of a field.
    declared_type: Option<Type>,
    /// The text of an earlier version.
    documentation: Option<LitStr>,
}

/// Replaces the documentation of a field or variant.
fn document(attributes: &mut [Attribute], documentation: Option<LitStr>) {
    let Some(text) = documentation else { return };
    if let Some(attribute) = attributes.iter_mut().find(|attribute| is_versioned(attribute)) {
        let place = text.span();
        attribute.meta = Meta::NameValue(syn::MetaNameValue {
            path: Ident::new(PREVIOUS_DOCUMENTATION, place).into(),
            eq_token: Token![=](place),
            value: Expr::Lit(ExprLit {
                attrs: Vec::new(),
                lit: Lit::Str(LitStr::new(&lines(&text.value()).join("\n"), place)),
            }),
        });
    }
}

/// Returns the lines of a text as the macro writes them into comments.
fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| line.trim().to_owned()).collect()
}

/// Returns the arguments of `crd(…)`. Before version 0.8 of the macro, the key was `k8s`.
fn kind_list(metas: &Metas) -> Option<&syn::MetaList> {
    let of_kind = |meta: &&Meta| ["crd", "k8s"].iter().any(|name| meta.path().is_ident(name));
    metas.iter().find(of_kind)?.require_list().ok()
}

fn kind_keys(metas: &Metas) -> Option<Metas> {
    Metas::parse_terminated
        .parse2(kind_list(metas)?.tokens.clone())
        .ok()
}

/// Returns the kind that a type is the spec of.
fn kind_name(keys: &Metas, ident: &Ident) -> String {
    let name = ident.to_string();
    let without_suffix = || name.strip_suffix("Spec").unwrap_or(&name).to_owned();
    text(keys, "kind").map_or_else(without_suffix, |kind| kind.value())
}

/// Returns the name of the status that the macro declares for tracked conversions.
fn status_name(keys: &Metas, ident: &Ident) -> String {
    format!("{}StatusWithChangedValues", kind_name(keys, ident))
}

/// Moves tokens to a place of the source.
fn at(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = |token: TokenTree| {
        let mut token = match token {
            TokenTree::Group(group) => {
                proc_macro2::Group::new(group.delimiter(), at(group.stream(), place)).into()
            }
            other => other,
        };
        token.set_span(place);
        token
    };
    tokens.into_iter().map(moved).collect()
}

/// Makes an item or field public, as the macro does. `place` is its first token without visibility.
fn publish(visibility: &mut syn::Visibility, place: Span) {
    let token = match visibility {
        syn::Visibility::Public(token) => *token,
        syn::Visibility::Restricted(restricted) => restricted.pub_token,
        syn::Visibility::Inherited => Token![pub](place),
    };
    *visibility = syn::Visibility::Public(token);
}

/// Returns an identifier at the place of another one, which is used if the text is not an identifier.
fn named(name: &str, place: &Ident) -> Ident {
    let parsed: Option<Ident> = syn::parse_str(name).ok();
    parsed.map_or_else(|| place.clone(), |_| Ident::new(name, place.span()))
}

fn is_versioned(attribute: &Attribute) -> bool {
    let mut segments = attribute.path().segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == "versioned")
}

fn metas_of(attribute: &Attribute) -> Option<Metas> {
    let list = attribute.meta.require_list().ok()?;
    Metas::parse_terminated.parse2(list.tokens.clone()).ok()
}

/// Returns the keys of all `#[versioned(…)]`.
fn all_metas(attributes: &[Attribute]) -> Metas {
    let found = attributes.iter().filter(|attribute| is_versioned(attribute));
    found.filter_map(metas_of).flatten().collect()
}

/// Returns the arguments of every `name(…)`.
fn lists<'a>(metas: &'a Metas, name: &'a str) -> impl Iterator<Item = Metas> + 'a {
    let of_name = metas.iter().filter(move |meta| meta.path().is_ident(name));
    of_name.filter_map(|meta| {
        let tokens = meta.require_list().ok()?.tokens.clone();
        Metas::parse_terminated.parse2(tokens).ok()
    })
}

/// Returns the string in `name = "…"`.
fn text(metas: &Metas, name: &str) -> Option<LitStr> {
    let pair = metas.iter().find(|meta| meta.path().is_ident(name))?;
    match &pair.require_name_value().ok()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text), ..
        }) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the path in `name = path` or `name = "path"`.
fn path(metas: &Metas, name: &str) -> Option<String> {
    if let Some(text) = text(metas, name) {
        return Some(text.value());
    }
    let pair = metas.iter().find(|meta| meta.path().is_ident(name))?;
    match &pair.require_name_value().ok()?.value {
        Expr::Path(value) => {
            let names: Vec<_> = value
                .path
                .segments
                .iter()
                .map(|part| part.ident.to_string())
                .collect();
            let start = if value.path.leading_colon.is_some() {
                "::"
            } else {
                ""
            };
            Some(format!("{start}{}", names.join("::")))
        }
        _ => None,
    }
}

fn has_word(metas: &Metas, name: &str) -> bool {
    word(metas, name).is_some()
}

/// Returns the place of a flag.
fn word(metas: &Metas, name: &str) -> Option<Span> {
    let path = metas.iter().find_map(|meta| match meta {
        Meta::Path(path) if path.is_ident(name) => Some(path),
        _ => None,
    })?;
    path.get_ident().map(Ident::span)
}
