//! The codes of all problems, each with the text that `kgen explain` shows.
//!
//! A code is declared once, with its explanation as documentation: what is wrong, why kgen refuses it, and an example
//! of the mistake with its repair. The texts are in `codes/`, one file per code, so that they read as pages.

/// Declares the enum of codes, their names and their pages from one list.
macro_rules! codes {
    ($($(#[doc = $summary:literal])+ $variant:ident = $name:literal;)+) => {
        /// What sort of problem a [`Problem`](crate::Problem) is. Stable: scripts may compare it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $summary])+ $variant,)+
        }

        impl Code {
            /// Every code, by name.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The name in messages and on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// One line on what the code means.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($summary,)+).trim_ascii(),)+ }
            }

            /// The page of the code, in Markdown: what it means, an example, the repair.
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
    /// A CEL rule that the API server refuses because it can cost too much.
    CelCost = "cel-cost";
    /// A CEL rule that cannot be parsed, or that reads what does not exist.
    CelSyntax = "cel-syntax";
    /// A CEL rule whose types do not fit.
    CelType = "cel-type";
    /// A marker of a typed client that disagrees with its kind.
    ClientMarker = "client-marker";
    /// Two kinds or groups that would have one name in generated Rust.
    ClientName = "client-name";
    /// The configuration file says something that kgen does not know.
    Configuration = "configuration";
    /// Bounds that no value can satisfy.
    ContradictingBounds = "contradicting-bounds";
    /// Two markers on one node that cannot both hold.
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
    /// A marker that works, but has a better name.
    DeprecatedMarker = "deprecated-marker";
    /// A marker that stands above nothing it could belong to.
    DetachedMarker = "detached-marker";
    /// A manifest that is too large for `kubectl apply`, or for any API server.
    DocumentSize = "document-size";
    /// Generated files that do not match their source.
    Drift = "drift";
    /// Two fields of one object, or two variants of one enum, with one name in JSON.
    DuplicateField = "duplicate-field";
    /// Two types that claim the same kind, version or plural.
    DuplicateKind = "duplicate-kind";
    /// A `Duration` of the standard library, which is an object in JSON.
    DurationParts = "duration-parts";
    /// Enumerations that have no value in common.
    EmptyEnum = "empty-enum";
    /// An enum whose JSON cannot be one structural schema.
    EnumShape = "enum-shape";
    /// A flattened field that is no object.
    FlattenShape = "flatten-shape";
    /// A floating point type without leave to use it.
    FloatType = "float-type";
    /// A marker of a foreign prefix where the configuration forbids them.
    ForeignMarker = "foreign-marker";
    /// A type of another crate whose source is not read.
    ForeignType = "foreign-type";
    /// A marker that does not fit the type it stands on.
    InapplicableMarker = "inapplicable-marker";
    /// An attribute that cannot be understood.
    InvalidAttribute = "invalid-attribute";
    /// A default that its own schema refuses.
    InvalidDefault = "invalid-default";
    /// An enum value that does not fit the type.
    InvalidEnumValue = "invalid-enum-value";
    /// An example that its own schema refuses.
    InvalidExample = "invalid-example";
    /// A name that Kubernetes does not accept.
    InvalidName = "invalid-name";
    /// A file that cannot be written.
    Io = "io";
    /// A path into the object that does not exist or does not fit.
    JsonPath = "json-path";
    /// A kind whose JSON would lack `apiVersion` and `kind`.
    KindSerde = "kind-serde";
    /// A kind that is not declared as kinds are.
    KindShape = "kind-shape";
    /// Source that takes too many steps or levels to read.
    Limit = "limit";
    /// A key of a list map that the items do not have.
    ListMapKey = "list-map-key";
    /// A list type that its items do not allow.
    ListType = "list-type";
    /// Versions that differ without a conversion, so that the API server drops fields.
    LossyVersions = "lossy-versions";
    /// A field that may be left out when written and cannot be read back.
    LostWhenSkipped = "lost-when-skipped";
    /// A map whose keys are not strings.
    MapKey = "map-key";
    /// An argument of a marker that is unknown, missing or repeated.
    MarkerArgument = "marker-argument";
    /// A comment that looks like a marker and is none.
    MarkerLookalike = "marker-lookalike";
    /// Text around a marker that has no meaning.
    MarkerText = "marker-text";
    /// A value of a marker that has the wrong type or form.
    MarkerValue = "marker-value";
    /// A marker on a node where it means nothing.
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
    /// A type whose JSON only running code knows.
    OpaqueType = "opaque-type";
    /// A type or field that generated Rust cannot use because it is private.
    PrivateType = "private-type";
    /// An alias that the API server prunes before serde sees it.
    PrunedAlias = "pruned-alias";
    /// An access rule that Kubernetes has no meaning for.
    RbacRule = "rbac-rule";
    /// An access rule with a verb that Kubernetes does not know.
    RbacVerb = "rbac-verb";
    /// An access rule that grants everything.
    RbacWildcard = "rbac-wildcard";
    /// A type that contains itself.
    RecursiveType = "recursive-type";
    /// A regular expression that does not compile.
    RegularExpression = "regular-expression";
    /// Serde names that differ between reading and writing.
    RenameDiffers = "rename-differs";
    /// A single-valued marker that stands twice.
    RepeatedMarker = "repeated-marker";
    /// A status that every new object would have to have.
    RequiredStatus = "required-status";
    /// A group that Kubernetes keeps for itself.
    ReservedGroup = "reserved-group";
    /// Single quotes where a string needs double quotes or back quotes.
    SingleQuotes = "single-quotes";
    /// A kind without exactly one stored version.
    StorageVersion = "storage-version";
    /// A version that is still stored, but no longer in the source.
    StoredVersionRemoved = "stored-version-removed";
    /// A schema that breaks the structural rules of Kubernetes.
    StructuralSchema = "structural-schema";
    /// Source text that is not Rust.
    Syntax = "syntax";
    /// A marker behind code on the same line.
    TrailingMarker = "trailing-marker";
    /// A quote or bracket of a marker that is never closed.
    UnclosedValue = "unclosed-value";
    /// A marker that does not exist.
    UnknownMarker = "unknown-marker";
    /// A file or folder that cannot be read.
    Unreadable = "unreadable";
    /// An optional field that Rust cannot read when it is absent.
    UnreadableWhenAbsent = "unreadable-when-absent";
    /// A name that leads to no type.
    UnresolvedName = "unresolved-name";
    /// A type that has no schema.
    UnsupportedType = "unsupported-type";
    /// A command line that cannot be understood.
    Usage = "usage";
    /// Versions of one kind that disagree on what holds for all of them.
    VersionDisagreement = "version-disagreement";
    /// A webhook that Kubernetes would refuse.
    Webhook = "webhook";
}

impl Code {
    /// Whether its problems can be warnings or notes, so that a user can allow them. All others always stop a run.
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
                | Self::Usage
                | Self::Webhook
        )
    }

    /// The codes that a user can allow, by name.
    pub fn allowed() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|code| code.can_be_allowed())
    }

    /// The code called `name`.
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
