//! The codes of all problems, each with the text that `kgen explain` shows.
//!
//! A code is declared once, with its explanation as documentation: what is wrong, why kgen refuses it, and an example
//! of the mistake with its repair. The texts are in `codes/`, one file per code, so that they read as pages.

/// Declares the enum of codes, their names and their pages from one list.
macro_rules! codes {
    ($($(#[doc = $summary:literal])+ $variant:ident = $name:literal;)+) => {
        /// The kind of a [`Problem`](crate::Problem). It is stable, so that scripts can compare it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $summary])+ $variant,)+
        }

        impl Code {
            /// Every code, by name.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// Returns the name in messages and on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// One line on what the code means.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($summary,)+).trim_ascii(),)+ }
            }

            /// Returns the page of the code, in Markdown: what it means, an example, the repair.
            #[must_use]
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("codes/", $name, ".md")),)+ }
            }
        }
    };
}

codes! {
    /// A name reaches two different types through glob imports.
    AmbiguousName = "ambiguous-name";
    /// A field that an apply configuration cannot mirror.
    ApplyField = "apply-field";
    /// A CEL rule whose estimated cost exceeds the limit of the API server.
    CelCost = "cel-cost";
    /// A CEL rule that cannot be parsed, or that uses an unknown name.
    CelSyntax = "cel-syntax";
    /// A CEL rule whose types do not match.
    CelType = "cel-type";
    /// A marker of a typed client that contradicts its kind.
    ClientMarker = "client-marker";
    /// Two kinds or groups that would have the same name in generated Rust.
    ClientName = "client-name";
    /// A configuration that is not valid.
    Configuration = "configuration";
    /// Bounds that no value can satisfy.
    ContradictingBounds = "contradicting-bounds";
    /// Two markers that contradict each other.
    ContradictingMarkers = "contradicting-markers";
    /// A conversion marker that changes nothing.
    ConversionNeedless = "conversion-needless";
    /// Versions of a kind whose order is unknown.
    ConversionOrder = "conversion-order";
    /// A conversion marker that names something that the previous version does not have.
    ConversionSource = "conversion-source";
    /// A field that must be translated, but whose type no method can name.
    ConversionType = "conversion-type";
    /// A field of the previous version without a counterpart.
    ConversionUnmatched = "conversion-unmatched";
    /// A variant without a counterpart in the other version.
    ConversionVariant = "conversion-variant";
    /// A marker with a newer name.
    DeprecatedMarker = "deprecated-marker";
    /// A marker that is not attached to any item.
    DetachedMarker = "detached-marker";
    /// A manifest that is too large for `kubectl apply` or for the API server.
    DocumentSize = "document-size";
    /// Generated files that do not match their source.
    Drift = "drift";
    /// Two fields of an object, or two variants of an enum, with the same name in JSON.
    DuplicateField = "duplicate-field";
    /// Two types with the same kind, version or plural.
    DuplicateKind = "duplicate-kind";
    /// A `Duration` of the standard library, which is an object in JSON.
    DurationParts = "duration-parts";
    /// Enumerations that have no value in common.
    EmptyEnum = "empty-enum";
    /// An enum whose JSON cannot be described by a structural schema.
    EnumShape = "enum-shape";
    /// A flattened field that is not an object.
    FlattenShape = "flatten-shape";
    /// A floating-point type, which needs `allowDangerousTypes`.
    FloatType = "float-type";
    /// A marker of another tool, which the configuration forbids.
    ForeignMarker = "foreign-marker";
    /// A type of another crate whose source kgen cannot read.
    ForeignType = "foreign-type";
    /// A marker that does not apply to the type of its field.
    InapplicableMarker = "inapplicable-marker";
    /// An attribute that kgen cannot read.
    InvalidAttribute = "invalid-attribute";
    /// A default that does not match its schema.
    InvalidDefault = "invalid-default";
    /// An enum value that does not match the type.
    InvalidEnumValue = "invalid-enum-value";
    /// An example that does not match its schema.
    InvalidExample = "invalid-example";
    /// A name that is not valid in Kubernetes.
    InvalidName = "invalid-name";
    /// A file that cannot be written.
    Io = "io";
    /// A path to a field that does not exist or has the wrong type.
    JsonPath = "json-path";
    /// A kind that would be serialized without `apiVersion` and `kind`.
    KindSerde = "kind-serde";
    /// A type that is marked as a kind but not declared as one.
    KindShape = "kind-shape";
    /// Source that exceeds a limit of kgen.
    Limit = "limit";
    /// A key of a list map that cannot identify the items.
    ListMapKey = "list-map-key";
    /// A list type that does not suit the items.
    ListType = "list-type";
    /// Versions that differ without a conversion, so that the API server drops fields.
    LossyVersions = "lossy-versions";
    /// A field that may be omitted when written but cannot be read back.
    LostWhenSkipped = "lost-when-skipped";
    /// A map whose keys are not strings.
    MapKey = "map-key";
    /// An argument of a marker that is unknown, missing or repeated.
    MarkerArgument = "marker-argument";
    /// A comment that looks like a marker but is plain text.
    MarkerLookalike = "marker-lookalike";
    /// Text in a marker that has no meaning.
    MarkerText = "marker-text";
    /// A value of a marker that has the wrong type or form.
    MarkerValue = "marker-value";
    /// A marker on an item where it is not allowed.
    MisplacedMarker = "misplaced-marker";
    /// A kind without an API group.
    MissingGroup = "missing-group";
    /// A module declaration without its file.
    MissingModule = "missing-module";
    /// A kind without an API version.
    MissingVersion = "missing-version";
    /// A run that found nothing to generate.
    NothingFound = "nothing-found";
    /// A one-of rule over a field that does not exist or is required.
    OneOfField = "one-of-field";
    /// A type whose JSON is computed by code.
    OpaqueType = "opaque-type";
    /// A type or field that generated Rust cannot use because it is private.
    PrivateType = "private-type";
    /// An alias that the API server prunes before serde reads it.
    PrunedAlias = "pruned-alias";
    /// An RBAC rule that is not valid or never matches.
    RbacRule = "rbac-rule";
    /// An RBAC rule with an unknown verb.
    RbacVerb = "rbac-verb";
    /// An RBAC rule that grants all verbs or resources.
    RbacWildcard = "rbac-wildcard";
    /// A type that contains itself.
    RecursiveType = "recursive-type";
    /// A regular expression that does not compile.
    RegularExpression = "regular-expression";
    /// A serde name that differs between reading and writing.
    RenameDiffers = "rename-differs";
    /// A marker that is given twice but allowed only once.
    RepeatedMarker = "repeated-marker";
    /// A required status, which no new object can have.
    RequiredStatus = "required-status";
    /// A group that is reserved for Kubernetes.
    ReservedGroup = "reserved-group";
    /// Single quotes instead of double quotes or backticks.
    SingleQuotes = "single-quotes";
    /// A kind without exactly one storage version.
    StorageVersion = "storage-version";
    /// A version that is still stored, but no longer in the source.
    StoredVersionRemoved = "stored-version-removed";
    /// A schema that breaks the structural rules of Kubernetes.
    StructuralSchema = "structural-schema";
    /// Source text that is not Rust.
    Syntax = "syntax";
    /// A marker after code on the same line.
    TrailingMarker = "trailing-marker";
    /// A quote or bracket in a marker that is never closed.
    UnclosedValue = "unclosed-value";
    /// A marker that does not exist.
    UnknownMarker = "unknown-marker";
    /// A file or folder that cannot be read.
    Unreadable = "unreadable";
    /// An optional field that Rust cannot read when it is absent.
    UnreadableWhenAbsent = "unreadable-when-absent";
    /// A type that cannot be found.
    UnresolvedName = "unresolved-name";
    /// A type that has no schema.
    UnsupportedType = "unsupported-type";
    /// A `+kgen:allow` whose warning does not occur.
    UnusedAllowance = "unused-allowance";
    /// A command line that is not valid.
    Usage = "usage";
    /// Versions of a kind that differ in settings that all versions share.
    VersionDisagreement = "version-disagreement";
    /// A webhook that Kubernetes would refuse.
    Webhook = "webhook";
}

impl Code {
    /// Returns whether its problems can be warnings or notes, so that a user can allow them. All others always stop a
    /// run.
    #[must_use]
    pub fn can_be_allowed(self) -> bool {
        matches!(
            self,
            Self::ClientMarker
                | Self::ClientName
                | Self::ContradictingMarkers
                | Self::ConversionNeedless
                | Self::DeprecatedMarker
                | Self::DetachedMarker
                | Self::DocumentSize
                | Self::Drift
                | Self::DurationParts
                | Self::ForeignMarker
                | Self::InapplicableMarker
                | Self::InvalidEnumValue
                | Self::JsonPath
                | Self::LossyVersions
                | Self::LostWhenSkipped
                | Self::MarkerArgument
                | Self::MarkerLookalike
                | Self::MarkerText
                | Self::MarkerValue
                | Self::MisplacedMarker
                | Self::NothingFound
                | Self::OpaqueType
                | Self::PrunedAlias
                | Self::RbacRule
                | Self::RbacVerb
                | Self::RbacWildcard
                | Self::RenameDiffers
                | Self::RepeatedMarker
                | Self::ReservedGroup
                | Self::StorageVersion
                | Self::TrailingMarker
                | Self::UnknownMarker
                | Self::Unreadable
                | Self::UnreadableWhenAbsent
                | Self::UnresolvedName
                | Self::UnusedAllowance
                | Self::Usage
                | Self::Webhook
        )
    }

    /// Returns the codes that a user can allow, by name.
    pub fn allowed() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|code| code.can_be_allowed())
    }

    /// Returns the code called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_lower_case_and_sorted() {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted, "keep the list sorted and free of doubles");
        assert!(
            names
                .iter()
                .all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        );
    }

    #[test]
    fn every_page_explains_and_shows_an_example() {
        for code in Code::ALL {
            let page = code.explanation();
            assert!(
                page.len() > 120,
                "{code}: the page is too short to explain anything"
            );
            assert!(page.contains("```"), "{code}: the page shows no example");
            assert!(
                code.summary().ends_with('.'),
                "{code}: the summary is no sentence"
            );
        }
    }
}
