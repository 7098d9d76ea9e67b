//! The fields of a webhook entry, as `k8s.io/api/admissionregistration/v1` declares them.

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Text,
    /// A whole number of 32 bits.
    Integer,
    /// Bytes, written in Base64.
    Bytes,
    /// Texts by name.
    Labels,
    /// A list of strings, which a patch replaces.
    Texts,
    /// A list of objects, which a patch replaces.
    Objects(&'static [Field]),
    /// A list of objects with names, into which a patch merges those of equal name.
    NamedObjects(&'static [Field]),
    Object(&'static [Field]),
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// Whether Kubernetes writes it even if it is empty.
    pub(super) always: bool,
}

const fn always(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        always: true,
    }
}

const fn optional(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        always: false,
    }
}

/// Returns the fields of an entry. `reinvocationPolicy` exists for mutating webhooks only.
pub(super) fn entry(mutating: bool) -> &'static [Field] {
    if mutating { MUTATING } else { VALIDATING }
}

const MUTATING: &[Field] = &[
    always("name", Shape::Text),
    always("clientConfig", Shape::Object(CLIENT)),
    optional("rules", Shape::Objects(RULE)),
    optional("failurePolicy", Shape::Text),
    optional("matchPolicy", Shape::Text),
    optional("namespaceSelector", Shape::Object(SELECTOR)),
    optional("objectSelector", Shape::Object(SELECTOR)),
    optional("sideEffects", Shape::Text),
    optional("timeoutSeconds", Shape::Integer),
    optional("admissionReviewVersions", Shape::Texts),
    optional("matchConditions", Shape::NamedObjects(CONDITION)),
    optional("reinvocationPolicy", Shape::Text),
];

const VALIDATING: &[Field] = match MUTATING.split_last() {
    Some((_, shared)) => shared,
    None => MUTATING,
};

const CLIENT: &[Field] = &[
    optional("url", Shape::Text),
    optional("service", Shape::Object(SERVICE)),
    optional("caBundle", Shape::Bytes),
];

const SERVICE: &[Field] = &[
    always("namespace", Shape::Text),
    always("name", Shape::Text),
    optional("path", Shape::Text),
    optional("port", Shape::Integer),
];

const RULE: &[Field] = &[
    optional("operations", Shape::Texts),
    optional("apiGroups", Shape::Texts),
    optional("apiVersions", Shape::Texts),
    optional("resources", Shape::Texts),
    optional("scope", Shape::Text),
];

const SELECTOR: &[Field] = &[
    optional("matchLabels", Shape::Labels),
    optional("matchExpressions", Shape::Objects(EXPRESSION)),
];

const EXPRESSION: &[Field] = &[
    always("key", Shape::Text),
    always("operator", Shape::Text),
    optional("values", Shape::Texts),
];

const CONDITION: &[Field] = &[always("name", Shape::Text), always("expression", Shape::Text)];
