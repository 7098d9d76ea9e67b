//! The methods of handles: one for each verb that a kind has, and those that markers add.

use kgen_check::clients::Kind;
use kgen_model::{ClientMethod, MethodType, Verb, rust_names};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::identifiers;
use super::imports::Imports;
use super::options::{RustOptions, type_tokens};

/// Writes the methods of one kind.
pub(super) struct Writer<'a, 'k> {
    pub(super) kind: &'a Kind<'k>,
    pub(super) options: &'a RustOptions,
    pub(super) imports: &'a mut Imports,
    /// The name of the object's type.
    pub(super) object: Ident,
}

impl Writer<'_, '_> {
    /// Every method of the handle for one place.
    pub(super) fn all(&mut self) -> TokenStream {
        let mut methods = TokenStream::new();
        if self.writes() {
            let options = self.runtime("WriteOptions");
            methods.extend(quote! {
                /// The same objects, written as `options` say.
                #[must_use]
                pub fn with_options(&self, options: #options) -> Self {
                    Self(self.0.with_options(options))
                }
            });
        }
        methods.extend(self.escape());
        for verb in Verb::ALL {
            if self.kind.has(*verb) {
                methods.extend(self.verb(*verb));
            }
        }
        methods.extend(self.scale());
        for method in &self.kind.version.client.methods {
            methods.extend(self.custom(method));
        }
        methods
    }

    /// The methods of the handle for all namespaces.
    pub(super) fn reading(&mut self) -> TokenStream {
        let mut methods = self.escape();
        for verb in [Verb::List, Verb::Watch] {
            if self.kind.has(verb) {
                methods.extend(self.verb(verb));
            }
        }
        methods
    }

    fn writes(&self) -> bool {
        let reading = [Verb::Get, Verb::List, Verb::Watch];
        let writing = |verb: &Verb| !reading.contains(verb);
        let methods = &self.kind.version.client.methods;
        self.kind.verbs.iter().any(writing) || methods.iter().any(|method| writing(&method.verb))
    }

    fn runtime(&mut self, name: &str) -> Ident {
        self.imports.name(&format!("{}::{name}", self.options.runtime))
    }

    fn result(&mut self) -> Ident {
        self.imports.runtime_result(&self.options.runtime)
    }

    fn kube(&mut self, path: &str) -> Ident {
        self.imports.name(&format!("{}::{path}", self.options.kube))
    }

    fn escape(&mut self) -> TokenStream {
        let api = self.kube("api::Api");
        let object = &self.object;
        quote! {
            /// The untyped interface beneath, with every verb there is.
            #[must_use]
            pub fn as_api(&self) -> &#api<#object> {
                self.0.as_api()
            }
        }
    }

    fn verb(&mut self, verb: Verb) -> TokenStream {
        let object = self.object.clone();
        let result = self.result();
        match verb {
            Verb::Create => quote! {
                /// Creates `object` and returns it as the server has it.
                pub async fn create(&self, object: &#object) -> #result<#object> {
                    self.0.create(object).await
                }
            },
            Verb::Update => quote! {
                /// Replaces the object that has the name of `object`, unless it has changed since it was read.
                pub async fn update(&self, object: &#object) -> #result<#object> {
                    self.0.update(object).await
                }
            },
            Verb::UpdateStatus => quote! {
                /// Replaces the status of `object` and nothing else.
                pub async fn update_status(&self, object: &#object) -> #result<#object> {
                    self.0.update_status(object).await
                }
            },
            Verb::Delete => {
                let params = self.kube("api::DeleteParams");
                quote! {
                    /// Deletes the object called `name`.
                    pub async fn delete(&self, name: &str, params: &#params) -> #result<()> {
                        self.0.delete(name, params).await
                    }
                }
            }
            Verb::DeleteCollection => {
                let params = self.kube("api::DeleteParams");
                let list = self.kube("api::ListParams");
                quote! {
                    /// Deletes every object that `list` selects.
                    pub async fn delete_collection(&self, params: &#params, list: &#list) -> #result<()> {
                        self.0.delete_collection(params, list).await
                    }
                }
            }
            Verb::Get => quote! {
                /// The object called `name`.
                pub async fn get(&self, name: &str) -> #result<#object> {
                    self.0.get(name).await
                }

                /// The object called `name`, if there is one.
                pub async fn get_opt(&self, name: &str) -> #result<Option<#object>> {
                    self.0.get_opt(name).await
                }
            },
            Verb::List => {
                let params = self.kube("api::ListParams");
                let list = self.kube("api::ObjectList");
                quote! {
                    /// The objects that `params` select.
                    pub async fn list(&self, params: &#params) -> #result<#list<#object>> {
                        self.0.list(params).await
                    }
                }
            }
            Verb::Watch => {
                let params = self.kube("api::WatchParams");
                let event = self.kube("api::WatchEvent");
                let stream = self.runtime("Stream");
                quote! {
                    /// What happens to the objects that `params` select, from `version` on.
                    pub async fn watch(
                        &self,
                        params: &#params,
                        version: &str,
                    ) -> #result<impl #stream<Item = #result<#event<#object>>> + use<>> {
                        self.0.watch(params, version).await
                    }
                }
            }
            Verb::Patch => {
                let (patch, serialize, debug) = self.patch_names();
                quote! {
                    /// Changes the object called `name` as `patch` says.
                    pub async fn patch<P>(&self, name: &str, patch: &#patch<P>) -> #result<#object>
                    where
                        P: #serialize + #debug,
                    {
                        self.0.patch(name, patch).await
                    }
                }
            }
            Verb::Apply => {
                let configuration = self.runtime("ApplyConfiguration");
                quote! {
                    /// Makes the server merge `configuration` into the object, which is created if need be.
                    pub async fn apply<A>(&self, configuration: &A) -> #result<#object>
                    where
                        A: #configuration<Object = #object>,
                    {
                        self.0.apply(configuration).await
                    }
                }
            }
            Verb::ApplyStatus => {
                let configuration = self.runtime("ApplyConfiguration");
                quote! {
                    /// Makes the server merge the status of `configuration` into the object.
                    pub async fn apply_status<A>(&self, configuration: &A) -> #result<#object>
                    where
                        A: #configuration<Object = #object>,
                    {
                        self.0.apply_status(configuration).await
                    }
                }
            }
        }
    }

    /// `Patch`, and what its content must be able to do.
    fn patch_names(&mut self) -> (Ident, Ident, Ident) {
        (
            self.kube("api::Patch"),
            self.imports.name(&format!("{}::Serialize", self.options.serde)),
            self.imports.name("std::fmt::Debug"),
        )
    }

    fn scale(&mut self) -> TokenStream {
        if self.kind.version.scale.is_none() {
            return TokenStream::new();
        }
        let result = self.result();
        let scale_path = format!("{}::api::autoscaling::v1::Scale", self.options.k8s_openapi);
        let mut methods = TokenStream::new();
        if self.kind.has(Verb::Get) {
            let scale = self.imports.name(&scale_path);
            methods.extend(quote! {
                /// How large the object called `name` is and should be.
                pub async fn get_scale(&self, name: &str) -> #result<#scale> {
                    self.0.get_scale(name).await
                }
            });
        }
        if self.kind.has(Verb::Update) {
            let scale = self.imports.name(&scale_path);
            methods.extend(quote! {
                /// Replaces the scale of the object called `name`.
                pub async fn update_scale(&self, name: &str, scale: &#scale) -> #result<#scale> {
                    self.0.update_scale(name, scale).await
                }
            });
        }
        if self.kind.has(Verb::Patch) {
            let scale = self.imports.name(&scale_path);
            let (patch, serialize, debug) = self.patch_names();
            methods.extend(quote! {
                /// Changes the scale of the object called `name` as `patch` says.
                pub async fn patch_scale<P>(&self, name: &str, patch: &#patch<P>) -> #result<#scale>
                where
                    P: #serialize + #debug,
                {
                    self.0.patch_scale(name, patch).await
                }
            });
        }
        methods
    }

    /// A method that a marker adds.
    fn custom(&mut self, method: &ClientMethod) -> TokenStream {
        let name = identifiers::ident(&rust_names::snake(&method.name));
        let result = self.result();
        let returned = self.method_type(method.result.as_ref());
        let path = method.subresource.as_deref().unwrap_or_default();
        let of = if path.is_empty() {
            String::new()
        } else {
            format!("`{path}` of ")
        };
        match method.verb {
            Verb::List if path.is_empty() => {
                let params = self.kube("api::ListParams");
                let list = self.kube("api::ObjectList");
                let object = &self.object;
                quote! {
                    /// The objects that `params` select.
                    pub async fn #name(&self, params: &#params) -> #result<#list<#object>> {
                        self.0.list(params).await
                    }
                }
            }
            Verb::Create if path.is_empty() => {
                let object = &self.object;
                quote! {
                    /// Creates `object` and returns it as the server has it.
                    pub async fn #name(&self, object: &#object) -> #result<#object> {
                        self.0.create(object).await
                    }
                }
            }
            Verb::Get => {
                let documentation = format!(" Gets {of}the object called `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str) -> #result<#returned> {
                        self.0.get_subresource(name, #path).await
                    }
                }
            }
            Verb::List => {
                let params = self.kube("api::ListParams");
                let documentation = format!(" Lists {of}the object called `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str, params: &#params) -> #result<#returned> {
                        self.0.list_subresource(name, #path, params).await
                    }
                }
            }
            Verb::Patch => {
                let (patch, serialize, debug) = self.patch_names();
                let documentation = format!(" Changes {of}the object called `name` as `patch` says.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name<P>(&self, name: &str, patch: &#patch<P>) -> #result<#returned>
                    where
                        P: #serialize + #debug,
                    {
                        self.0.patch_subresource(name, #path, patch).await
                    }
                }
            }
            verb => {
                let (word, call) = match verb {
                    Verb::Create => ("Creates", "create_subresource"),
                    Verb::Apply => ("Applies", "apply_subresource"),
                    _ => ("Replaces", "update_subresource"),
                };
                let call = identifiers::ident(call);
                let input = self.method_type(method.input.as_ref());
                let documentation = format!(" {word} {of}the object called `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str, input: &#input) -> #result<#returned> {
                        self.0.#call(name, #path, input).await
                    }
                }
            }
        }
    }

    /// The type that a method names, or the kind itself.
    fn method_type(&mut self, named: Option<&MethodType>) -> TokenStream {
        match named.and_then(|named| named.rust.as_ref()) {
            Some(rust) => type_tokens(rust, self.options, self.imports),
            None => {
                let object = &self.object;
                quote!(#object)
            }
        }
    }
}
