//! Markers at the head of a module: group, version, and what holds for everything in it.

use kgen_diagnostics::Spanned;

use crate::definition::markers;
use crate::value::{Located, MaybeEmpty};

markers! {
    family "module" "Modules";

    /// API group of the kinds in this module and its submodules.
    ///
    /// An empty value means the core group.
    ///
    /// ```
    /// //! +groupName=example.com
    /// ```
    "groupName" on [Module] => GroupName {
        /// The group, a DNS name.
        "=" value: Option<Located<MaybeEmpty>>,
    }
    apply module |marker, module| {
        let (group, span) = match &marker.value {
            Some(found) => (found.value.0.clone(), marker.place.span_of(&found.range)),
            None => (String::new(), marker.place.span()),
        };
        // An empty value does not have its own place.
        let span = if group.is_empty() { marker.place.span() } else { span };
        module.group = Some(Spanned::new(group, span));
    };
    write module |gap| gap.group.map(|group| (Some(MaybeEmpty(group.to_owned()).into()),));

    /// API version of the kinds in this module and its submodules.
    ///
    /// Without it, the version is the name of the module, if that looks like a version.
    ///
    /// ```
    /// //! +versionName=v1alpha1
    /// ```
    "versionName" on [Module] => VersionName {
        /// The version, such as `v1` or `v1beta2`.
        "=" value: Located<String>,
    }
    apply module |marker, module| module.version = Some(marker.place.spanned(&marker.value));
    write module |gap| gap.version.map(|version| (version.to_owned().into(),));

    /// Name of the group in typed clients, if its first part is not unique.
    ///
    /// Two groups with the same first part need it. The name has code-generator's form, `SampleApps`, and
    /// becomes `sample_apps` in Rust.
    ///
    /// ```
    /// //! +groupName=apps.example.com
    /// //! +groupGoName=SampleApps
    /// ```
    "groupGoName" on [Module] => GroupGoName {
        /// The name, in letters, digits and `_`.
        "=" value: Located<String>,
    }
    apply module |marker, module| module.group_name = Some(marker.place.spanned(&marker.value));

    /// Excludes a module or a type.
    ///
    /// ```
    /// // +kubebuilder:skip
    /// pub struct Draft {}
    /// ```
    "kubebuilder:skip" on [Module, Type] => Skip {}
    apply module |marker, module| module.skip = Some(marker.place.span());
    apply type_settings |marker, settings| settings.skip = Some(marker.place.span());
}
