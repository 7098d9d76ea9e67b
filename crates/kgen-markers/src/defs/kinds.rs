//! Markers of kinds: names, subresources, columns, versions.

use kgen_diagnostics::{Code, Span, Spanned};
use kgen_model::{Column, Deprecation, Scale, Scope};

use crate::definition::markers;
use crate::kind::{contradiction, state};
use crate::marker::{Outcome, Place};
use crate::value::{Located, choice};
use crate::write::KindGap;

choice! {
    /// Where objects live.
    ScopeWord(Scope) {
        "Namespaced" => Scope::Namespaced,
        "Cluster" => Scope::Cluster,
    }
}

choice! {
    /// The types that the API server knows for columns.
    ColumnType(&'static str) {
        "boolean" => "boolean",
        "date" => "date",
        "integer" => "integer",
        "number" => "number",
        "string" => "string",
    }
}

choice! {
    /// The formats that the API server knows for columns.
    ColumnFormat(&'static str) {
        "byte" => "byte",
        "date" => "date",
        "date-time" => "date-time",
        "double" => "double",
        "float" => "float",
        "int32" => "int32",
        "int64" => "int64",
        "password" => "password",
    }
}

markers! {
    family "kind" "Kinds";

    /// Names and scope of the custom resource.
    ///
    /// ```
    /// // +kubebuilder:resource:path=foos,shortName=fo;f,categories=all,scope=Namespaced
    /// pub struct Foo {}
    /// ```
    "kubebuilder:resource" on [Kind] => Resource {
        /// Plural name in URLs; the default is the plural of the kind.
        "path" path: Option<Located<String>>,
        /// Short names for `kubectl`.
        "shortName" short_names: Option<Vec<Located<String>>>,
        /// Categories for `kubectl get`, such as `all`.
        "categories" categories: Option<Vec<Located<String>>>,
        /// Singular name; the default is the kind in lowercase.
        "singular" singular: Option<Located<String>>,
        /// Scope of the objects; the default is `Namespaced`.
        "scope" scope: Option<Located<ScopeWord>>,
    }
    apply kind |marker, kind| {
        let place = &marker.place;
        if let Some(path) = &marker.path {
            state(place, &mut kind.plural, place.spanned(path), "plural")?;
        }
        if let Some(singular) = &marker.singular {
            state(place, &mut kind.singular, place.spanned(singular), "singular")?;
        }
        if let Some(scope) = &marker.scope {
            let scope = Spanned::new(scope.value.0, place.span_of(&scope.range));
            state(place, &mut kind.scope, scope, "scope")?;
        }
        kind.short_names.extend(place.spanned_all(marker.short_names.as_deref().unwrap_or_default()));
        kind.categories.extend(place.spanned_all(marker.categories.as_deref().unwrap_or_default()));
    };
    write kind |gap| gap.names();

    /// Enables the status subresource; only the status verbs change the status.
    ///
    /// ```
    /// // +kubebuilder:subresource:status
    /// pub struct Foo {}
    /// ```
    "kubebuilder:subresource:status" on [Kind] => SubresourceStatus {}
    apply kind |marker, kind| kind.status_subresource = kind.status_subresource.or(Some(marker.place.span()));
    write kind |gap| gap.version.status_subresource.map(|_| ());

    /// Enables the scale subresource, for `kubectl scale` and autoscalers.
    ///
    /// ```
    /// // +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
    /// pub struct Foo {}
    /// ```
    "kubebuilder:subresource:scale" on [Kind] => SubresourceScale {
        /// Path of the desired number of replicas.
        "specpath" spec_path: Located<String>,
        /// Path of the observed number of replicas.
        "statuspath" status_path: Located<String>,
        /// Path of the label selector as a string; horizontal autoscalers need it.
        "selectorpath" selector_path: Option<Located<String>>,
    }
    apply kind |marker, kind| {
        let scale = Scale {
            spec_path: marker.place.spanned(&marker.spec_path),
            status_path: marker.place.spanned(&marker.status_path),
            selector_path: marker.selector_path.as_ref().map(|path| marker.place.spanned(path)),
        };
        state(&marker.place, &mut kind.scale, Spanned::new(scale, marker.place.span()), "scale subresource")?;
    };
    write kind |gap| gap.version.scale.as_ref().map(|scale| (
        scale.value.spec_path.value.clone().into(),
        scale.value.status_path.value.clone().into(),
        scale.value.selector_path.as_ref().map(|path| path.value.clone().into()),
    ));

    /// Adds a column to `kubectl get`.
    ///
    /// ```
    /// // +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
    /// pub struct Foo {}
    /// ```
    "kubebuilder:printcolumn" on [Kind] with [repeatable] => PrintColumn {
        /// Heading of the column.
        "name" name: String,
        /// Type of the value.
        "type" column_type: ColumnType,
        /// Path of the value.
        "JSONPath" json_path: Located<String>,
        /// Description of the column.
        "description" description: Option<String>,
        /// Format of the value.
        "format" format: Option<ColumnFormat>,
        /// Columns with priority 0 are always shown, others only with `-o wide`.
        "priority" priority: Option<Located<i64>>,
    }
    apply kind |marker, kind| {
        if let Some(priority) = marker.priority.as_ref().filter(|found| i32::try_from(found.value).is_err()) {
            let message = format!("priority `{}` does not fit in 32 bits", priority.value);
            return Err(marker.place.problem_at(&priority.range, Code::MarkerValue, message));
        }
        let column = Column {
            name: marker.name.clone(),
            column_type: marker.column_type.0.to_owned(),
            json_path: marker.place.spanned(&marker.json_path),
            description: marker.description.clone(),
            format: marker.format.map(|format| format.0.to_owned()),
            priority: marker.priority.as_ref().map(|priority| priority.value),
        };
        kind.columns.push(Spanned::new(column, marker.place.span()));
    };
    write kind |gap| gap.version.columns.iter().filter_map(|column| Some((
        column.value.name.clone(),
        ColumnType::of_word(&column.value.column_type)?,
        column.value.json_path.value.clone().into(),
        column.value.description.clone(),
        column.value.format.as_deref().and_then(ColumnFormat::of_word),
        column.value.priority.map(Located::from),
    )));

    /// Lets field selectors use a field of the resource.
    ///
    /// ```
    /// // +kubebuilder:selectablefield:JSONPath=.spec.color
    /// pub struct Foo {}
    /// ```
    "kubebuilder:selectablefield" on [Kind] with [repeatable] => SelectableField {
        /// Path of the field.
        "JSONPath" json_path: Located<String>,
    }
    apply kind |marker, kind| kind.selectable_fields.push(marker.place.spanned(&marker.json_path));
    write kind |gap| gap.version.selectable_fields.iter().map(|path| (path.value.clone().into(),));

    /// Makes this version the storage version.
    ///
    /// A kind with several versions needs exactly one storage version.
    ///
    /// ```
    /// // +kubebuilder:storageversion
    /// pub struct Foo {}
    /// ```
    "kubebuilder:storageversion" on [Kind] with [contradicts(&["kubebuilder:skipversion"])] => StorageVersion {}
    apply kind |marker, kind| kind.storage = kind.storage.or(Some(marker.place.span()));
    write kind |gap| (gap.version.storage.is_some() && gap.resource.versions.len() > 1).then_some(());

    /// Keeps this version in the CRD without serving it.
    ///
    /// ```
    /// // +kubebuilder:unservedversion
    /// pub struct Foo {}
    /// ```
    "kubebuilder:unservedversion" on [Kind] => UnservedVersion {}
    apply kind |marker, kind| kind.unserved = kind.unserved.or(Some(marker.place.span()));
    write kind |gap| gap.version.unserved.map(|_| ());

    /// Marks this version as deprecated, so that the API server warns its clients.
    ///
    /// ```
    /// // +kubebuilder:deprecatedversion:warning="use example.com/v1"
    /// pub struct Foo {}
    /// ```
    "kubebuilder:deprecatedversion" on [Kind] => DeprecatedVersion {
        /// The warning; the default is Kubernetes' own text.
        "warning" warning: Option<String>,
    }
    apply kind |marker, kind| match &kind.deprecation {
        Some(known) if known.warning != marker.warning => {
            return Err(contradiction(&marker.place, marker.place.span(), known.span, "deprecation"));
        }
        Some(_) => {}
        None => kind.deprecation = Some(Deprecation { warning: marker.warning.clone(), span: marker.place.span() }),
    };
    write kind |gap| gap.version.deprecation.as_ref().map(|deprecation| (deprecation.warning.clone(),));

    /// Excludes this version from the CRD.
    ///
    /// ```
    /// // +kubebuilder:skipversion
    /// pub struct Foo {}
    /// ```
    "kubebuilder:skipversion" on [Kind] => SkipVersion {}
    apply kind |_marker, kind| kind.skipped = true;
    write kind |gap| gap.version.skipped.then_some(());

    /// Annotations and labels of the CRD itself.
    ///
    /// ```
    /// // +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved",labels="app=foo"
    /// pub struct Foo {}
    /// ```
    "kubebuilder:metadata" on [Kind] with [repeatable] => Metadata {
        /// Annotations, each `key=value`.
        "annotations" annotations: Option<Vec<Located<String>>>,
        /// Labels, each `key=value`.
        "labels" labels: Option<Vec<Located<String>>>,
    }
    apply kind |marker, kind| {
        for entry in marker.annotations.iter().flatten() {
            add_entry(&marker.place, entry, &mut kind.annotations)?;
        }
        for entry in marker.labels.iter().flatten() {
            add_entry(&marker.place, entry, &mut kind.labels)?;
        }
    };
    write kind |gap| gap.metadata();

    /// Names of the resource that Rust types cannot have.
    ///
    /// The kind is the name of the Rust type by default, and the kind of lists has `List` behind it.
    ///
    /// ```
    /// // +kgen:names:kind=postgresql,listKind=postgresqls
    /// pub struct Postgresql {}
    /// ```
    "kgen:names" on [Kind] => Names {
        /// The kind.
        "kind" kind: Option<Located<String>>,
        /// The kind of lists.
        "listKind" list_kind: Option<Located<String>>,
    }
    apply kind |marker, kind| {
        let place = &marker.place;
        if let Some(name) = &marker.kind {
            kind.kind = name.value.clone();
            kind.kind_span = Some(place.span_of(&name.range));
        }
        if let Some(name) = &marker.list_kind {
            state(place, &mut kind.list_kind, place.spanned(name), "kind of lists")?;
        }
    };
    write kind |gap| gap.special_names();
}

/// The arguments of `kubebuilder:resource`.
type ResourceArguments = (
    Option<Located<String>>,
    Option<Vec<Located<String>>>,
    Option<Vec<Located<String>>>,
    Option<Located<String>>,
    Option<Located<ScopeWord>>,
);

/// The arguments of `kubebuilder:metadata`.
type MetadataArguments = (Option<Vec<Located<String>>>, Option<Vec<Located<String>>>);

/// The arguments of `kgen:names`.
type NameArguments = (Option<Located<String>>, Option<Located<String>>);

impl KindGap<'_> {
    fn names(&self) -> Option<ResourceArguments> {
        let (names, kind) = (&self.resource.names, &self.resource.kind);
        let list = |texts: &[String]| -> Option<Vec<Located<String>>> {
            (!texts.is_empty()).then(|| texts.iter().cloned().map(Located::from).collect())
        };
        let arguments = (
            (names.plural != kgen_model::plural(kind)).then(|| names.plural.clone().into()),
            list(&names.short_names),
            list(&names.categories),
            (names.singular != kind.to_lowercase()).then(|| names.singular.clone().into()),
            (self.resource.scope == Scope::Cluster).then(|| ScopeWord(Scope::Cluster).into()),
        );
        let (path, short_names, categories, singular, scope) = &arguments;
        let is_needed = self.needs_marker
            || path.is_some()
            || short_names.is_some()
            || categories.is_some()
            || singular.is_some()
            || scope.is_some();
        is_needed.then_some(arguments)
    }

    fn metadata(&self) -> Vec<MetadataArguments> {
        let entry = |key: &str, value: &str| vec![Located::from(format!("{key}={value}"))];
        let annotations = self.resource.annotations.iter();
        let annotations = annotations.map(|(key, value)| (Some(entry(key, value)), None));
        let labels = self.resource.labels.iter();
        let labels = labels.map(|(key, value)| (None, Some(entry(key, value))));
        annotations.chain(labels).collect()
    }

    fn special_names(&self) -> Option<NameArguments> {
        let resource = self.resource;
        let kind = (resource.kind != self.rust_name).then(|| resource.kind.clone().into());
        let is_usual = resource.names.list_kind == format!("{}List", resource.kind);
        let list_kind = (!is_usual).then(|| resource.names.list_kind.clone().into());
        (kind.is_some() || list_kind.is_some()).then_some((kind, list_kind))
    }
}

/// Adds one `key=value`.
fn add_entry(place: &Place, entry: &Located<String>, entries: &mut Vec<(String, String, Span)>) -> Outcome {
    let Some((key, value)) = entry
        .value
        .split_once('=')
        .filter(|(key, _)| !key.trim().is_empty())
    else {
        let message = format!("`{}` does not have the form `key=value`", entry.value);
        return Err(place.problem_at(&entry.range, Code::MarkerValue, message));
    };
    let span = place.span_of(&entry.range);
    match entries.iter().find(|(known, _, _)| known == key.trim()) {
        Some((_, known, _)) if known == value => {}
        Some((_, _, known)) => {
            return Err(contradiction(
                place,
                span,
                *known,
                &format!("value of `{}`", key.trim()),
            ));
        }
        None => entries.push((key.trim().to_owned(), value.to_owned(), span)),
    }
    Ok(())
}
