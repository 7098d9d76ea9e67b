//! Markers of conversion: how a version of a kind differs from the previous one. All of them are in the newer version.

use kgen_diagnostics::{Code, Spanned};
use kgen_model::{ConversionWebhook, DroppedVariant};

use crate::definition::markers;
use crate::kind::{contradiction, state};
use crate::marker::Outcome;
use crate::value::Located;

markers! {
    family "conversion" "Conversion";

    /// Names the field or variant of the previous version that this one replaces.
    ///
    /// A name is a JSON name of the same struct or enum. A path such as `.spec.tlsSecret` starts at the root of the object
    /// and does not lead through a list. A field with several sources is translated by a method; fields that share a source
    /// are translated together.
    ///
    /// ```
    /// // +kgen:conversion:from=size
    /// pub replicas: i32,
    /// ```
    "kgen:conversion:from" on [Field, Variant] => From {
        /// JSON names, or paths from the root of the object.
        "=" names: Vec<Located<String>>,
    }
    apply field |marker, settings| {
        settings.conversion.from = marker.place.spanned_all(&marker.names);
        settings.conversion.from_span = Some(marker.place.span());
    };
    apply variant |marker, conversion| {
        conversion.from = marker.names.first().map(|name| marker.place.spanned(name));
    };

    /// Names the variant that the previous version shows for a new variant.
    ///
    /// ```
    /// // +kgen:conversion:as=Rolling
    /// Canary,
    /// ```
    "kgen:conversion:as" on [Variant] with [contradicts(&["kgen:conversion:from"])] => As {
        /// JSON name of a variant of the previous version.
        "=" name: Located<String>,
    }
    apply variant |marker, conversion| conversion.shown = Some(marker.place.spanned(&marker.name));

    /// Lists fields of the previous version that are gone.
    ///
    /// ```
    /// // +kgen:conversion:dropped=note;color
    /// pub struct FooSpec {}
    /// ```
    "kgen:conversion:dropped" on [Type] with [repeatable] => Dropped {
        /// JSON names of the fields.
        "=" names: Vec<Located<String>>,
    }
    apply type_settings |marker, settings| {
        settings.conversion.dropped.extend(marker.place.spanned_all(&marker.names));
    };

    /// Names a variant of the previous version that is gone, and the variant that this version shows for it.
    ///
    /// ```
    /// // +kgen:conversion:droppedVariant:name=Blue,as=Green
    /// pub enum Color {}
    /// ```
    "kgen:conversion:droppedVariant" on [Type] with [repeatable] => DroppedVariantMarker {
        /// JSON name of the variant that is gone.
        "name" name: Located<String>,
        /// JSON name of a variant of this version.
        "as" shown: Located<String>,
    }
    apply type_settings |marker, settings| {
        settings.conversion.dropped_variants.push(DroppedVariant {
            name: marker.place.spanned(&marker.name),
            shown: marker.place.spanned(&marker.shown),
            span: marker.place.span(),
        });
    };

    /// Translates a field by methods although it could be copied, because its meaning changed.
    ///
    /// ```
    /// // +kgen:conversion:custom
    /// pub timeout: i64,
    /// ```
    "kgen:conversion:custom" on [Field] => Custom {}
    apply field |marker, settings| settings.conversion.custom = Some(marker.place.span());

    /// Names the previous version, if the names of the versions do not tell their age.
    ///
    /// ```
    /// // +kgen:conversion:previous=stable
    /// pub struct Foo {}
    /// ```
    "kgen:conversion:previous" on [Kind] => Previous {
        /// The version.
        "=" version: Located<String>,
    }
    apply kind |marker, kind| {
        let version = marker.place.spanned(&marker.version);
        state(&marker.place, &mut kind.conversion.previous, version, "previous version")?;
    };

    /// Converts objects between versions by a webhook, which the definition names.
    ///
    /// One version of the kind has the marker, for all of them.
    ///
    /// ```
    /// // +kgen:conversion:webhook:serviceName=webhook-service,serviceNamespace=system
    /// pub struct Foo {}
    /// ```
    "kgen:conversion:webhook" on [Kind] with [contradicts(&["kgen:conversion:external"])] => Webhook {
        /// Name of the service, if it is not `webhook-service`.
        "serviceName" service_name: Option<String>,
        /// Namespace of the service, if it is not `system`.
        "serviceNamespace" service_namespace: Option<String>,
        /// Port of the service.
        "servicePort" service_port: Option<Located<i64>>,
        /// Path on the service, if it is not `/convert`.
        "path" path: Option<Located<String>>,
        /// Address of a webhook outside of the cluster.
        "url" url: Option<Located<String>>,
    }
    apply kind |marker, kind| {
        check_webhook(marker)?;
        let place = &marker.place;
        let webhook = ConversionWebhook {
            service_name: marker.service_name.clone(),
            service_namespace: marker.service_namespace.clone(),
            service_port: marker.service_port.as_ref().map(|port| port.value),
            path: marker.path.as_ref().map(|path| path.value.clone()),
            url: marker.url.as_ref().map(|url| place.spanned(url)),
        };
        match &kind.conversion.webhook {
            Some(known) if known.value != webhook => {
                return Err(contradiction(place, place.span(), known.span, "conversion webhook"));
            }
            Some(_) => {}
            None => kind.conversion.webhook = Some(Spanned::new(webhook, place.span())),
        }
    };

    /// Leaves the conversion of the kind to another tool, which completes the definition.
    ///
    /// ```
    /// // +kgen:conversion:external
    /// pub struct Foo {}
    /// ```
    "kgen:conversion:external" on [Kind] => External {}
    apply kind |marker, kind| kind.conversion.external = kind.conversion.external.or(Some(marker.place.span()));

    /// States that no object is stored in these versions anymore, so that they can be removed.
    ///
    /// ```
    /// // +kgen:conversion:migrated=v1
    /// pub struct Foo {}
    /// ```
    "kgen:conversion:migrated" on [Kind] with [repeatable] => Migrated {
        /// The versions.
        "=" versions: Vec<Located<String>>,
    }
    apply kind |marker, kind| kind.conversion.migrated.extend(marker.place.spanned_all(&marker.versions));
}

/// Reports an address that the API server would refuse.
fn check_webhook(marker: &Webhook) -> Outcome {
    let place = &marker.place;
    if let Some(url) = &marker.url {
        let service = marker.service_name.is_some()
            || marker.service_namespace.is_some()
            || marker.service_port.is_some()
            || marker.path.is_some();
        if service {
            let message = "a webhook has either a `url` or a service with a `path`";
            return Err(place.problem_at(&url.range, Code::MarkerArgument, message));
        }
        if !url.value.starts_with("https://") {
            let message = format!("`{}` does not start with `https://`", url.value);
            return Err(place.problem_at(&url.range, Code::MarkerValue, message));
        }
    }
    if let Some(port) = marker
        .service_port
        .as_ref()
        .filter(|port| !(1..=65535).contains(&port.value))
    {
        let message = format!("`{}` is not a port", port.value);
        return Err(place.problem_at(&port.range, Code::MarkerValue, message));
    }
    if let Some(path) = marker.path.as_ref().filter(|path| !path.value.starts_with('/')) {
        let message = format!("`{}` does not start with `/`", path.value);
        return Err(place.problem_at(&path.range, Code::MarkerValue, message));
    }
    Ok(())
}
