//! Markers of access rules, in any comment of any file.

use kgen_diagnostics::{Allowance, Code, Spanned, nearest};
use kgen_model::AccessRule;

use crate::definition::markers;
use crate::value::{Error, Located, Parser, Value, ValueType};

/// A code that can be allowed.
#[derive(Clone, Copy, Debug)]
struct AllowedCode(Code);

impl Value for AllowedCode {
    const TYPE: ValueType = ValueType::String;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let word: Located<String> = parser.read()?;
        let names = || Code::allowed().map(Code::name);
        match Code::find(&word.value) {
            Some(code) if code.can_be_allowed() => Ok(Self(code)),
            Some(code) => Err(Error::value(
                word.range,
                format!("`{code}` is always an error and cannot be allowed"),
            )
            .help(format!("run `kgen explain {code}` to see how to fix it"))),
            None => {
                let error = Error::value(
                    word.range.clone(),
                    format!("there is no diagnostic `{}`", word.value),
                )
                .help("use the code in the brackets of the warning");
                Err(error.near(word.range, nearest(&word.value, names())))
            }
        }
    }

    fn write(&self) -> Option<String> {
        Some(self.0.name().to_owned())
    }
}

markers! {
    family "rbac" "RBAC rules";

    /// Adds an RBAC rule to the role of the operator.
    ///
    /// Put it next to the code that needs it: in any comment, above or inside of functions. An empty `groups=`
    /// or `groups=""` is the core group.
    ///
    /// ```
    /// // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch
    /// pub fn reconcile() {}
    /// ```
    "kubebuilder:rbac" on [Anywhere] with [repeatable] => Rbac {
        /// API groups.
        "groups" groups: Option<Groups>,
        /// Resources, such as `pods`, or subresources, such as `pods/log`.
        "resources" resources: Option<Vec<Located<String>>>,
        /// Names of objects, if the rule is not for all of them.
        "resourceNames" resource_names: Option<Vec<Located<String>>>,
        /// Verbs, such as `get`.
        "verbs" verbs: Vec<Located<String>>,
        /// Non-resource URLs, such as `/metrics`.
        "urls" urls: Option<Vec<Located<String>>>,
        /// Namespace; the rule is then part of a `Role` in that namespace.
        "namespace" namespace: Option<Located<String>>,
        /// Name of the role; the default is the `roleName` of the run.
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
    write access |rule| {
        let list = |values: &[Spanned<String>]| {
            let values: Vec<Located<String>> = values.iter().map(|value| value.value.clone().into()).collect();
            (!values.is_empty()).then_some(values)
        };
        let name = |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.value.clone().into());
        [(
            (!rule.groups.is_empty()).then(|| Groups(rule.groups.clone())),
            list(&rule.resources),
            list(&rule.resource_names),
            list(&rule.verbs).unwrap_or_default(),
            list(&rule.urls),
            name(&rule.namespace),
            name(&rule.role_name),
        )]
    };

    /// Allows a problem at one item.
    ///
    /// It applies to the item or field below it; in a module comment (`//!`), to the whole file.
    /// It silences warnings, and errors about source that the API server accepts. `dangerous-type` allows floating-point numbers.
    /// Write `rbac-wildcard` directly above its RBAC rule.
    ///
    /// ```
    /// // +kgen:allow=document-size
    /// // +kgen:allow=rbac-wildcard
    /// // +kubebuilder:rbac:groups=apps,resources=*,verbs=get
    /// pub fn reconcile() {}
    /// ```
    "kgen:allow" on [Anywhere] with [repeatable] => Allow {
        /// The code of the problem, such as `document-size`.
        "=" value: AllowedCode,
    }
    apply api |marker, node| {
        let AllowedCode(code) = marker.value;
        if code == Code::RbacWildcard {
            node.used = true;
            node.allowed = Some(marker.place.span());
        } else {
            let span = Some(marker.place.span());
            node.api.allowances.push(Allowance {
                code,
                place: span,
                marker: span,
            });
        }
    };
    write allowance |code| [(AllowedCode(*code),)];
}

/// API groups; an empty list is the core group.
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

    fn write(&self) -> Option<String> {
        self.0.write()
    }
}
