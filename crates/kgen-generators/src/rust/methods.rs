//! The methods of handles: one for each verb of a kind, and the methods that markers add.

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
    /// Returns every method of the handle for one namespace or for the cluster.
    pub(super) fn all(&mut self) -> TokenStream {
        let mut methods = TokenStream::new();
        if self.writes() {
            let options = self.runtime("WriteOptions");
            methods.extend(quote! {
                /// Returns the same client with `options` for its writes.
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

    /// Returns the methods of the handle for all namespaces.
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
            /// Returns the underlying `kube::Api`, which has every verb.
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
                /// Creates `object` and returns it as the server stored it.
                pub async fn create(&self, object: &#object) -> #result<#object> {
                    self.0.create(object).await
                }
            },
            Verb::Update => quote! {
                /// Replaces the object of the same name. Fails if it has changed since `object` was read.
                pub async fn update(&self, object: &#object) -> #result<#object> {
                    self.0.update(object).await
                }
            },
            Verb::UpdateStatus => quote! {
                /// Replaces only the status of `object`.
                pub async fn update_status(&self, object: &#object) -> #result<#object> {
                    self.0.update_status(object).await
                }
            },
            Verb::Delete => {
                let params = self.kube("api::DeleteParams");
                quote! {
                    /// Deletes the object `name`.
                    pub async fn delete(&self, name: &str, params: &#params) -> #result<()> {
                        self.0.delete(name, params).await
                    }
                }
            }
            Verb::DeleteCollection => {
                let params = self.kube("api::DeleteParams");
                let list = self.kube("api::ListParams");
                quote! {
                    /// Deletes all objects that match `list`.
                    pub async fn delete_collection(&self, params: &#params, list: &#list) -> #result<()> {
                        self.0.delete_collection(params, list).await
                    }
                }
            }
            Verb::Get => quote! {
                /// Returns the object `name`.
                pub async fn get(&self, name: &str) -> #result<#object> {
                    self.0.get(name).await
                }

                /// Returns the object `name`, or `None` if it does not exist.
                pub async fn get_opt(&self, name: &str) -> #result<Option<#object>> {
                    self.0.get_opt(name).await
                }
            },
            Verb::List => {
                let params = self.kube("api::ListParams");
                let list = self.kube("api::ObjectList");
                quote! {
                    /// Lists the objects that match `params`.
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
                    /// Watches the objects that match `params`, starting at the resource version `version`.
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
                    /// Applies `patch` to the object `name`.
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
                    /// Applies `configuration` with server-side apply. Creates the object if it does not exist.
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
                    /// Applies the status of `configuration` with server-side apply.
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

    /// Returns the names of `Patch` and of the traits that its content must implement.
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
                /// Returns the scale of the object `name`.
                pub async fn get_scale(&self, name: &str) -> #result<#scale> {
                    self.0.get_scale(name).await
                }
            });
        }
        if self.kind.has(Verb::Update) {
            let scale = self.imports.name(&scale_path);
            methods.extend(quote! {
                /// Replaces the scale of the object `name`.
                pub async fn update_scale(&self, name: &str, scale: &#scale) -> #result<#scale> {
                    self.0.update_scale(name, scale).await
                }
            });
        }
        if self.kind.has(Verb::Patch) {
            let scale = self.imports.name(&scale_path);
            let (patch, serialize, debug) = self.patch_names();
            methods.extend(quote! {
                /// Applies `patch` to the scale of the object `name`.
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

    /// Returns a method that a marker adds.
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
                    /// Lists the objects that match `params`.
                    pub async fn #name(&self, params: &#params) -> #result<#list<#object>> {
                        self.0.list(params).await
                    }
                }
            }
            Verb::Create if path.is_empty() => {
                let object = &self.object;
                quote! {
                    /// Creates `object` and returns it as the server stored it.
                    pub async fn #name(&self, object: &#object) -> #result<#object> {
                        self.0.create(object).await
                    }
                }
            }
            Verb::Get => {
                let documentation = format!(" Gets {of}the object `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str) -> #result<#returned> {
                        self.0.get_subresource(name, #path).await
                    }
                }
            }
            Verb::List => {
                let params = self.kube("api::ListParams");
                let documentation = format!(" Lists {of}the object `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str, params: &#params) -> #result<#returned> {
                        self.0.list_subresource(name, #path, params).await
                    }
                }
            }
            Verb::Patch => {
                let (patch, serialize, debug) = self.patch_names();
                let documentation = format!(" Applies `patch` to {of}the object `name`.");
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
                let documentation = format!(" {word} {of}the object `name`.");
                quote! {
                    #[doc = #documentation]
                    pub async fn #name(&self, name: &str, input: &#input) -> #result<#returned> {
                        self.0.#call(name, #path, input).await
                    }
                }
            }
        }
    }

    /// Returns the type that a method names, or the kind itself.
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
