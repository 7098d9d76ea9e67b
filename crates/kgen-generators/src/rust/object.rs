//! `object`: the trait implementations that make a whole struct a Kubernetes object. kube-derive generates its own.

use kgen_check::Checked;
use kgen_check::clients::{GroupVersion, Kind};
use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{ConversionWebhook, KindStyle, RustField, RustRole, Scope, rust_names};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::options::{RustOptions, type_tokens};
use super::printer::SourceText;
use super::{identifiers, write};
use crate::Artifact;
use crate::crd::{self, CrdOptions};

const GENERATOR: &str = "object";

/// Names that the file defines.
const OWN_NAMES: [&str; 4] = ["API_VERSION", "DEFINITION", "KIND", "Object"];

/// Names of the variables in the constructor.
const TAKEN: [&str; 2] = ["metadata", "name"];

/// Generates the trait implementations of every kind that is declared as a whole struct. With `definition`, they embed
/// the CRD that `crd` generates with these options.
#[must_use]
pub fn generate(
    checked: &Checked<'_>,
    options: &RustOptions,
    definition: Option<&CrdOptions>,
) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let groups = checked.clients().all();
    let whole = |kind: &Kind<'_>| kind.version.style == KindStyle::WholeStruct;
    if !options.beside_types() && groups.iter().flat_map(|group| &group.kinds).any(whole) {
        let message = format!(
            "`object` cannot implement traits for the types of another crate, `{}`",
            options.types
        );
        problems.push(
            Problem::general(Code::Configuration, message)
                .help("run `object` in the crate of the types, without the option `types`"),
        );
    }
    if problems.has_errors() {
        return (Vec::new(), problems);
    }
    let mut artifacts = Vec::new();
    let kinds: Vec<_> = groups
        .iter()
        .flat_map(|group| &group.kinds)
        .filter(|kind| whole(kind))
        .collect();
    for group in groups {
        for kind in group.kinds.iter().filter(|kind| whole(kind)) {
            let definition = definition.map(|options| Definition {
                options,
                holder: holder(kind, &kinds),
                webhook: checked.conversion_webhook(kind.resource),
            });
            let printed = file(group, kind, options, definition);
            write(
                &mut artifacts,
                &mut problems,
                GENERATOR,
                format!("{}/{}_object.rs", group.module, kind.stem),
                printed,
            );
        }
    }
    (artifacts, problems)
}

/// How a kind gets its CRD.
struct Definition<'a> {
    options: &'a CrdOptions,
    /// The version that embeds the CRD with all versions.
    holder: &'a Kind<'a>,
    webhook: Option<&'a ConversionWebhook>,
}

/// Returns the version of a kind that embeds the CRD with all versions: the storage version, or the first.
fn holder<'a>(kind: &'a Kind<'a>, kinds: &[&'a Kind<'a>]) -> &'a Kind<'a> {
    let versions = || {
        let of_resource = |other: &&&Kind<'a>| std::ptr::eq(other.resource, kind.resource);
        kinds.iter().filter(of_resource).copied()
    };
    let stored = versions().find(|version| version.version.storage.is_some());
    stored.or_else(|| versions().next()).unwrap_or(kind)
}

fn file(
    group: &GroupVersion<'_>,
    kind: &Kind<'_>,
    options: &RustOptions,
    definition: Option<Definition<'_>>,
) -> Result<String, Problem> {
    let mut object = Object {
        kind,
        options,
        imports: Imports::new(OWN_NAMES.map(str::to_owned)),
    };
    let constructor = object.constructor();
    let resource = object.resource();
    let spec = object.has_spec();
    let status = object.has_status();
    let serde = if kind.rust.derives_serde {
        quote!()
    } else {
        object.serde()
    };
    let definition = definition.map(|definition| object.definition(&definition));
    let api_version = &group.api_version;
    let name = kind.name();
    let items = quote! {
        /// The `apiVersion` of every object of this kind.
        const API_VERSION: &str = #api_version;
        /// The `kind` of every object of this kind.
        const KIND: &str = #name;
        #constructor
        #resource
        #spec
        #status
        #serde
        #definition
    };
    SourceText {
        generator: GENERATOR,
        source: &kind.rust.source,
        header: options.header.as_deref(),
        documentation: Some(&format!("`{}` as a Kubernetes object: `{}`.", name, kind.title())),
        imports: &object.imports,
        items,
    }
    .print()
}

struct Object<'a> {
    kind: &'a Kind<'a>,
    options: &'a RustOptions,
    imports: Imports,
}

impl Object<'_> {
    fn this(&mut self) -> proc_macro2::Ident {
        self.imports.name(&self.options.path(&self.kind.rust.path))
    }

    fn kube(&mut self, path: &str) -> proc_macro2::Ident {
        self.imports.name(&format!("{}::{path}", self.options.kube))
    }

    fn serde_name(&mut self, path: &str) -> proc_macro2::Ident {
        self.imports.name(&format!("{}::{path}", self.options.serde))
    }

    /// Returns the function `Foo::new(name, spec)`.
    fn constructor(&mut self) -> TokenStream {
        let this = self.this();
        let metadata = self.imports.name(&self.options.object_meta());
        let spec = self.kind.rust.field("spec");
        let spec_type = spec.and_then(|field| field.field_type.as_ref());
        let parameter = spec_type.map(|spec| {
            let spec = type_tokens(spec, self.options, &mut self.imports);
            quote!(, spec: #spec)
        });
        // Fields without a default value are parameters.
        let mut more = Vec::new();
        let mut values = Vec::new();
        for field in &self.kind.rust.fields {
            let name = identifiers::existing(&field.name);
            values.push(match (field.name.as_str(), &field.field_type) {
                ("metadata", _) => quote!(metadata),
                ("spec", Some(_)) => quote!(spec),
                (_, Some(known)) if known.role == RustRole::TypeMeta => {
                    let types = type_tokens(known, self.options, &mut self.imports);
                    quote!(#name: #types { api_version: API_VERSION.to_owned(), kind: KIND.to_owned() })
                }
                (_, Some(known))
                    if known
                        .optional()
                        .is_some_and(|inner| inner.role == RustRole::TypeMeta) =>
                {
                    let inner = known
                        .optional()
                        .map(|inner| type_tokens(inner, self.options, &mut self.imports));
                    quote!(#name: Some(#inner { api_version: API_VERSION.to_owned(), kind: KIND.to_owned() }))
                }
                (_, Some(known)) if known.optional().is_some() => quote!(#name: None),
                (_, Some(known)) if !known.is_default() => {
                    let written = type_tokens(known, self.options, &mut self.imports);
                    if TAKEN.contains(&field.name.as_str()) {
                        let given = identifiers::ident(&format!("{}_", field.name));
                        more.push(quote!(, #given: #written));
                        quote!(#name: #given)
                    } else {
                        more.push(quote!(, #name: #written));
                        quote!(#name)
                    }
                }
                _ => quote!(#name: Default::default()),
            });
        }
        for name in &self.kind.rust.unwritten {
            let name = identifiers::existing(name);
            values.push(quote!(#name: Default::default()));
        }
        let documentation = if parameter.is_some() {
            format!(
                " Creates the `{}` `name` with the given `spec`.",
                self.kind.name()
            )
        } else {
            format!(" Creates the `{}` `name`.", self.kind.name())
        };
        quote! {
            impl #this {
                #[doc = #documentation]
                #[must_use]
                pub fn new(name: &str #parameter #(#more)*) -> Self {
                    let name = Some(name.to_owned());
                    let metadata = #metadata { name, ..Default::default() };
                    Self { #(#values),* }
                }
            }
        }
    }

    fn resource(&mut self) -> TokenStream {
        let this = self.this();
        let resource = self.kube("Resource");
        let metadata = self.imports.name(&self.options.object_meta());
        let cow = self.imports.name("std::borrow::Cow");
        let scope = match self.kind.resource.scope {
            Scope::Namespaced => self.kube("core::NamespaceResourceScope"),
            Scope::Cluster => self.kube("core::ClusterResourceScope"),
        };
        let group = &self.kind.version.group;
        let version = &self.kind.version.version;
        let plural = &self.kind.resource.names.plural;
        quote! {
            impl #resource for #this {
                type DynamicType = ();
                type Scope = #scope;

                fn kind(_: &()) -> #cow<'_, str> {
                    KIND.into()
                }

                fn group(_: &()) -> #cow<'_, str> {
                    #group.into()
                }

                fn version(_: &()) -> #cow<'_, str> {
                    #version.into()
                }

                fn api_version(_: &()) -> #cow<'_, str> {
                    API_VERSION.into()
                }

                fn plural(_: &()) -> #cow<'_, str> {
                    #plural.into()
                }

                fn meta(&self) -> &#metadata {
                    &self.metadata
                }

                fn meta_mut(&mut self) -> &mut #metadata {
                    &mut self.metadata
                }
            }
        }
    }

    fn has_spec(&mut self) -> TokenStream {
        let Some(spec) = self
            .kind
            .rust
            .field("spec")
            .and_then(|field| field.field_type.as_ref())
        else {
            return quote!();
        };
        let this = self.this();
        let spec = type_tokens(spec, self.options, &mut self.imports);
        let has_spec = self.kube("core::object::HasSpec");
        quote! {
            impl #has_spec for #this {
                type Spec = #spec;

                fn spec(&self) -> &Self::Spec {
                    &self.spec
                }

                fn spec_mut(&mut self) -> &mut Self::Spec {
                    &mut self.spec
                }
            }
        }
    }

    /// Returns the implementation of `HasStatus`, which requires an optional status: a kind with another status has none.
    fn has_status(&mut self) -> TokenStream {
        let status = self
            .kind
            .rust
            .field("status")
            .and_then(|field| field.field_type.as_ref());
        let Some(status) = status.and_then(|status| status.optional()) else {
            return quote!();
        };
        let this = self.this();
        let status = type_tokens(status, self.options, &mut self.imports);
        let has_status = self.kube("core::object::HasStatus");
        quote! {
            impl #has_status for #this {
                type Status = #status;

                fn status(&self) -> Option<&Self::Status> {
                    self.status.as_ref()
                }

                fn status_mut(&mut self) -> &mut Option<Self::Status> {
                    &mut self.status
                }
            }
        }
    }

    fn serde(&mut self) -> TokenStream {
        let serialize = self.serialize();
        let deserialize = self.deserialize();
        quote!(#serialize #deserialize)
    }

    fn serialize(&mut self) -> TokenStream {
        let this = self.this();
        let serialize = self.serde_name("Serialize");
        let serializer = self.serde_name("Serializer");
        let serialize_struct = self.serde_name("ser::SerializeStruct");
        let fields = &self.kind.rust.fields;
        let is_optional = |field: &&RustField| {
            field
                .field_type
                .as_ref()
                .is_some_and(|known| known.optional().is_some())
        };
        let always = Literal::usize_unsuffixed(2 + fields.iter().filter(|field| !is_optional(field)).count());
        let sometimes = fields.iter().filter(is_optional).map(|field| {
            let name = identifiers::existing(&field.name);
            quote!(+ usize::from(self.#name.is_some()))
        });
        let written = fields.iter().map(|field| {
            let (name, json) = (identifiers::existing(&field.name), &field.json_name);
            if is_optional(&field) {
                // `object` is the name of the serializer's struct.
                let value = if field.name == "object" {
                    identifiers::ident("value")
                } else {
                    name.clone()
                };
                quote! {
                    if let Some(#value) = &self.#name {
                        object.serialize_field(#json, #value)?;
                    }
                }
            } else {
                quote!(object.serialize_field(#json, &self.#name)?;)
            }
        });
        // The trait is imported only for its methods.
        let _ = serialize_struct;
        quote! {
            impl #serialize for #this {
                fn serialize<S: #serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let length = #always #(#sometimes)*;
                    let mut object = serializer.serialize_struct(KIND, length)?;
                    object.serialize_field("apiVersion", API_VERSION)?;
                    object.serialize_field("kind", KIND)?;
                    #(#written)*
                    object.end()
                }
            }
        }
    }

    fn deserialize(&mut self) -> TokenStream {
        let this = self.this();
        let deserialize = self.serde_name("Deserialize");
        let deserializer = self.serde_name("Deserializer");
        let _ = self.serde_name("de::Error");
        let unexpected = self.serde_name("de::Unexpected");
        let fields = &self.kind.rust.fields;
        let mut members = Vec::new();
        let mut values = Vec::new();
        for field in fields {
            let (name, json) = (identifiers::existing(&field.name), &field.json_name);
            let Some(field_type) = &field.field_type else {
                continue;
            };
            let field_type = type_tokens(field_type, self.options, &mut self.imports);
            let default = (field.name == "metadata").then(|| quote!(#[serde(default)]));
            let rename = (*json != rust_names::camel(&field.name)).then(|| quote!(#[serde(rename = #json)]));
            members.push(quote!(#default #rename #name: #field_type));
            values.push(quote!(#name: object.#name));
        }
        let crate_path = (self.options.serde != "serde").then(|| {
            let path = &self.options.serde;
            quote!(#[serde(crate = #path)])
        });
        quote! {
            impl<'de> #deserialize<'de> for #this {
                fn deserialize<D: #deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    #[derive(#deserialize)]
                    #crate_path
                    #[serde(rename_all = "camelCase")]
                    struct Object {
                        api_version: Option<String>,
                        kind: Option<String>,
                        #(#members),*
                    }

                    let object = Object::deserialize(deserializer)?;
                    if let Some(found) = object.api_version.filter(|found| found != API_VERSION) {
                        let found = #unexpected::Str(&found);
                        return Err(D::Error::invalid_value(found, &API_VERSION));
                    }
                    if let Some(found) = object.kind.filter(|found| found != KIND) {
                        let found = #unexpected::Str(&found);
                        return Err(D::Error::invalid_value(found, &KIND));
                    }
                    Ok(Self { #(#values),* })
                }
            }
        }
    }

    fn definition(&mut self, definition: &Definition<'_>) -> TokenStream {
        let this = self.this();
        let extension = self.kube("CustomResourceExt");
        let api_resource = self.kube("core::ApiResource");
        let definition_type = self.imports.name(&format!(
            "{}::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition",
            self.options.k8s_openapi
        ));
        let resource = self.kind.resource;
        let is_holder = std::ptr::eq(definition.holder.version, self.kind.version);
        let name = format!("{}.{}", resource.names.plural, resource.group);
        let short_names = &resource.names.short_names;
        let serde_json: syn::Path = syn::parse_str(&self.options.serde_json)
            .unwrap_or_else(|_| identifiers::ident("serde_json").into());
        let (body, constant) = if is_holder {
            let value = crd::definition(resource, definition.options, definition.webhook);
            let json = raw_string(&serde_json::to_string_pretty(&value).unwrap_or_default());
            let body = quote! {
                #serde_json::from_str(DEFINITION)
                    .unwrap_or_else(|error| unreachable!("kgen generated this CRD: {error}"))
            };
            let constant = quote! {
                /// The CRD of this kind with all its versions.
                const DEFINITION: &str = #json;
            };
            (body, Some(constant))
        } else {
            // The CRD has all versions, so it is embedded once.
            let holder = self
                .imports
                .name(&self.options.path(&definition.holder.rust.path));
            (quote!(#holder::crd()), None)
        };
        quote! {
            impl #extension for #this {
                fn crd() -> #definition_type {
                    #body
                }

                fn crd_name() -> &'static str {
                    #name
                }

                fn api_resource() -> #api_resource {
                    #api_resource::erase::<Self>(&())
                }

                fn shortnames() -> &'static [&'static str] {
                    &[#(#short_names),*]
                }
            }

            #constant
        }
    }
}

/// Returns `text` as a raw string literal, with as many `#` around it as it needs.
fn raw_string(text: &str) -> TokenStream {
    let mut signs = String::from("#");
    while text.contains(&format!("\"{signs}")) {
        signs.push('#');
    }
    // A text with a carriage return cannot be a raw string, so it is escaped.
    format!("r{signs}\"{text}\"{signs}").parse().unwrap_or_else(|_| {
        let literal = Literal::string(text);
        quote!(#literal)
    })
}
