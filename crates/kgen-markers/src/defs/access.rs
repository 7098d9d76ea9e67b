//! Markers of access rules, in any comment of any file.

use kgen_model::AccessRule;

use crate::definition::markers;
use crate::value::{Error, Located, Parser, Value, ValueType, choice};

choice! {
    /// What can be allowed.
    Allowance(&'static str) {
        "rbac-wildcard" => "rbac-wildcard",
    }
}

markers! {
    family "rbac" "Access rules";

    /// What the operator must be allowed to do.
    ///
    /// Put it where the code needs it: in any comment, above or inside of functions. `groups=` with nothing behind it
    /// and `groups=""` mean the core group.
    ///
    /// ```
    /// // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch
    /// pub fn reconcile() {}
    /// ```
    "kubebuilder:rbac" on [Anywhere] with [repeatable] => Rbac {
        /// API groups.
        "groups" groups: Option<Groups>,
        /// Resources, with subresources behind a slash.
        "resources" resources: Option<Vec<String>>,
        /// Names of single objects.
        "resourceNames" resource_names: Option<Vec<String>>,
        /// What may be done.
        "verbs" verbs: Vec<Located<String>>,
        /// Paths outside of the resources.
        "urls" urls: Option<Vec<String>>,
        /// Namespace; the rule then goes into a role of that namespace.
        "namespace" namespace: Option<String>,
        /// Name of the role, where it is not that of the whole run.
        "roleName" role_name: Option<String>,
    }
    apply api |marker, node| {
        node.used = true;
        let rule = AccessRule {
            groups: marker.groups.clone().map(|groups| groups.0).unwrap_or_default(),
            resources: marker.resources.clone().unwrap_or_default(),
            resource_names: marker.resource_names.clone().unwrap_or_default(),
            urls: marker.urls.clone().unwrap_or_default(),
            verbs: marker.place.spanned_all(&marker.verbs),
            namespace: marker.namespace.clone(),
            role_name: marker.role_name.clone(),
            wildcard_allowed: node.allowed.take().is_some(),
            span: marker.place.span(),
        };
        node.api.access_rules.push(rule);
    };

    /// Says that something that kgen warns about is meant.
    ///
    /// It stands directly above the access rule that it is for.
    ///
    /// ```
    /// // +kgen:allow=rbac-wildcard
    /// // +kubebuilder:rbac:groups=apps,resources=*,verbs=get
    /// pub fn reconcile() {}
    /// ```
    "kgen:allow" on [Anywhere] with [repeatable] => Allow {
        /// `rbac-wildcard`: a star in an access rule.
        "=" value: Allowance,
    }
    apply api |marker, node| {
        node.used = true;
        let Allowance(_the_only_one) = marker.value;
        node.allowed = Some(marker.place.span());
    };
}

/// API groups; nothing at all is the core group.
#[derive(Clone, Debug)]
pub(super) struct Groups(pub(super) Vec<String>);

impl Value for Groups {
    const TYPE: ValueType = ValueType::List(&ValueType::String);

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        match parser.peek() {
            None | Some(',') => Ok(Self(vec![String::new()])),
            Some(_) => Vec::read(parser).map(Self),
        }
    }
}
