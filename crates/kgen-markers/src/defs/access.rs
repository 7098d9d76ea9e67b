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
        "resources" resources: Option<Vec<Located<String>>>,
        /// Names of single objects.
        "resourceNames" resource_names: Option<Vec<Located<String>>>,
        /// What may be done.
        "verbs" verbs: Vec<Located<String>>,
        /// Paths outside of the resources.
        "urls" urls: Option<Vec<Located<String>>>,
        /// Namespace; the rule then goes into a role of that namespace.
        "namespace" namespace: Option<Located<String>>,
        /// Name of the role, where it is not that of the whole run.
        "roleName" role_name: Option<Located<String>>,
    }
    apply api |marker, node| {
        node.used = true;
        let list = |values: &Option<Vec<Located<String>>>| marker.place.spanned_all(values.as_deref().unwrap_or_default());
        let rule = AccessRule {
            groups: marker.groups.clone().map(|groups| groups.0).unwrap_or_default(),
            resources: list(&marker.resources),
            resource_names: list(&marker.resource_names),
            urls: list(&marker.urls),
            verbs: marker.place.spanned_all(&marker.verbs),
            namespace: marker.namespace.as_ref().map(|name| marker.place.spanned(name)),
            role_name: marker.role_name.as_ref().map(|name| marker.place.spanned(name)),
            wildcard_allowed: node.allowed.take(),
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
