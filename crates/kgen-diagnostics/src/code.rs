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

            /// Returns the meaning of the code in one line.
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
    /// An RBAC rule that the operator's role did not cover before.
    AccessAdded = "access-added";
    /// A name reaches two different types through glob imports.
    AmbiguousName = "ambiguous-name";
    /// A field that an apply configuration cannot mirror.
    ApplyField = "apply-field";
    /// A boolean field, which cannot get a third value.
    BoolField = "bool-field";
    /// A bound, length or count that allows more than before.
    BoundLoosened = "bound-loosened";
    /// A bound, length or count that excludes values that were accepted before.
    BoundTightened = "bound-tightened";
    /// A Deployment that an OLM bundle needs is missing, or two webhooks have the same name.
    BundleDeployment = "bundle-deployment";
    /// A field that OperatorHub requires is empty.
    BundleMetadata = "bundle-metadata";
    /// An object that OLM does not accept in a bundle.
    BundleObject = "bundle-object";
    /// A role or binding that an OLM bundle cannot express.
    BundlePermission = "bundle-permission";
    /// A sample that the operator's CRDs do not accept.
    BundleSample = "bundle-sample";
    /// A version that OLM would refuse.
    BundleVersion = "bundle-version";
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
    /// A changed column of `kubectl get`.
    ColumnChanged = "column-changed";
    /// Conditions that are not an optional list map of `Condition`.
    ConditionShape = "condition-shape";
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
    /// A floating-point type, which needs `allowDangerousTypes` or a marker.
    DangerousType = "dangerous-type";
    /// A field that has a default now.
    DefaultAdded = "default-added";
    /// A default on a field that is explicitly required.
    DefaultAndRequired = "default-and-required";
    /// A default with another value.
    DefaultChanged = "default-changed";
    /// A field that no longer has a default.
    DefaultRemoved = "default-removed";
    /// A marker with a newer name.
    DeprecatedMarker = "deprecated-marker";
    /// A marker that is not attached to any item.
    DetachedMarker = "detached-marker";
    /// A link in documentation that leads nowhere.
    DocsLink = "docs-link";
    /// A kind for which no sample object was found.
    DocsSample = "docs-sample";
    /// A template of reference pages that fails.
    DocsTemplate = "docs-template";
    /// A manifest that is too large for `kubectl apply` or for the API server.
    DocumentSize = "document-size";
    /// A kind or field without a description.
    Documentation = "documentation";
    /// Generated files that do not match their source.
    Drift = "drift";
    /// Two fields of an object, or two variants of an enum, with the same name in JSON.
    DuplicateField = "duplicate-field";
    /// Two types with the same kind, version or plural.
    DuplicateKind = "duplicate-kind";
    /// A duration that is not an integer with its unit.
    DurationField = "duration-field";
    /// A `Duration` of the standard library, which is an object in JSON.
    DurationParts = "duration-parts";
    /// Enumerations that have no value in common.
    EmptyEnum = "empty-enum";
    /// A value of an enum that is not in PascalCase.
    EnumCase = "enum-case";
    /// A value that the field no longer accepts.
    EnumNarrowed = "enum-narrowed";
    /// An enum whose JSON cannot be described by a structural schema.
    EnumShape = "enum-shape";
    /// A value that the field did not accept before.
    EnumWidened = "enum-widened";
    /// A new field that may be left out.
    FieldAdded = "field-added";
    /// A field whose JSON name is not in camelCase.
    FieldCase = "field-case";
    /// A field that is gone.
    FieldRemoved = "field-removed";
    /// A flattened field that is not an object.
    FlattenShape = "flatten-shape";
    /// A marker of another tool, which the configuration forbids.
    ForeignMarker = "foreign-marker";
    /// A type of another crate whose source kgen cannot read.
    ForeignType = "foreign-type";
    /// A format that allows more than before.
    FormatLoosened = "format-loosened";
    /// A format that excludes values that were accepted before.
    FormatTightened = "format-tightened";
    /// A file of a Helm chart that both kgen and the user changed.
    HelmMerge = "helm-merge";
    /// A name that leaves no room for the name of a Helm release.
    HelmName = "helm-name";
    /// An object that a Helm chart cannot contain, or not completely.
    HelmObject = "helm-object";
    /// A part of an imported CRD that the Rust types do not keep.
    ImportLoss = "import-loss";
    /// A name that an import cannot derive, or that matches nothing.
    ImportName = "import-name";
    /// A marker that does not apply to the type of its field.
    InapplicableMarker = "inapplicable-marker";
    /// An attribute that kgen cannot read.
    InvalidAttribute = "invalid-attribute";
    /// A default that does not match its schema.
    InvalidDefault = "invalid-default";
    /// A CRD with a field that is missing or has the wrong type.
    InvalidDefinition = "invalid-definition";
    /// An enum value that does not match the type.
    InvalidEnumValue = "invalid-enum-value";
    /// An example that does not match its schema.
    InvalidExample = "invalid-example";
    /// A name that is not valid in Kubernetes.
    InvalidName = "invalid-name";
    /// Text that is not YAML.
    InvalidYaml = "invalid-yaml";
    /// A file that cannot be written.
    Io = "io";
    /// A path to a field that does not exist or has the wrong type.
    JsonPath = "json-path";
    /// A new kind.
    KindAdded = "kind-added";
    /// A kind that is gone.
    KindRemoved = "kind-removed";
    /// A different kind under the same plural.
    KindRenamed = "kind-renamed";
    /// A kind that would be serialized without `apiVersion` and `kind`.
    KindSerde = "kind-serde";
    /// A type that is marked as a kind but not declared as one.
    KindShape = "kind-shape";
    /// Source that exceeds a limit of kgen.
    Limit = "limit";
    /// A list of objects without any required field.
    ListItemsOptional = "list-items-optional";
    /// A key of a list map that cannot identify the items.
    ListMapKey = "list-map-key";
    /// A list type that does not suit the items.
    ListType = "list-type";
    /// A list or map that merges in another way.
    ListTypeChanged = "list-type-changed";
    /// A list of objects without a list type.
    ListTypeMissing = "list-type-missing";
    /// Versions that differ without a conversion, so that the API server drops fields.
    LossyVersions = "lossy-versions";
    /// A field that may be omitted when written but cannot be read back.
    LostWhenSkipped = "lost-when-skipped";
    /// A map, which is hard to extend and to document.
    MapField = "map-field";
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
    /// A new short name, category or singular name.
    NameAdded = "name-added";
    /// A short name, category or singular name that is gone.
    NameRemoved = "name-removed";
    /// A run that found nothing to generate.
    NothingFound = "nothing-found";
    /// A field that accepts `null` now.
    NullableAdded = "nullable-added";
    /// A field that accepts `null`.
    NullableField = "nullable-field";
    /// A field that no longer accepts `null`.
    NullableRemoved = "nullable-removed";
    /// A one-of rule over a field that does not exist or is required.
    OneOfField = "one-of-field";
    /// A type whose JSON is computed by code.
    OpaqueType = "opaque-type";
    /// An `Option` that Rust writes as `null`.
    OptionNull = "option-null";
    /// A pattern that matches more than before.
    PatternLoosened = "pattern-loosened";
    /// A pattern that no longer matches some strings.
    PatternTightened = "pattern-tightened";
    /// A `phase` in status.
    PhaseField = "phase-field";
    /// A type or field that generated Rust cannot use because it is private.
    PrivateType = "private-type";
    /// An alias that the API server prunes before serde reads it.
    PrunedAlias = "pruned-alias";
    /// An object that no longer keeps unknown fields.
    PruningAdded = "pruning-added";
    /// An object that keeps unknown fields now.
    PruningRemoved = "pruning-removed";
    /// An RBAC rule that is not valid or never matches.
    RbacRule = "rbac-rule";
    /// An RBAC rule with an unknown verb.
    RbacVerb = "rbac-verb";
    /// An RBAC rule that grants all verbs or resources.
    RbacWildcard = "rbac-wildcard";
    /// A type that contains itself.
    RecursiveType = "recursive-type";
    /// A reference whose name ends with `Reference`.
    ReferenceName = "reference-name";
    /// A regular expression that does not compile.
    RegularExpression = "regular-expression";
    /// A serde name that differs between reading and writing.
    RenameDiffers = "rename-differs";
    /// A marker that is given twice but allowed only once.
    RepeatedMarker = "repeated-marker";
    /// A field that is required now and has no default.
    RequiredAdded = "required-added";
    /// An `Option` that is required.
    RequiredOption = "required-option";
    /// A field that may be left out now.
    RequiredRemoved = "required-removed";
    /// A required status, which no new object can have.
    RequiredStatus = "required-status";
    /// A group that is reserved for Kubernetes.
    ReservedGroup = "reserved-group";
    /// A new validation rule.
    RuleAdded = "rule-added";
    /// A rule that uses more than half of its cost budget.
    RuleCost = "rule-cost";
    /// A validation rule without a message.
    RuleMessage = "rule-message";
    /// A validation rule that is gone.
    RuleRemoved = "rule-removed";
    /// A kind that is namespaced now, or no longer.
    ScopeChanged = "scope-changed";
    /// A field that field selectors may name now.
    SelectableFieldAdded = "selectable-field-added";
    /// A field that field selectors may no longer name.
    SelectableFieldRemoved = "selectable-field-removed";
    /// Another combination of fields or values is allowed.
    ShapeChanged = "shape-changed";
    /// Single quotes instead of double quotes or backticks.
    SingleQuotes = "single-quotes";
    /// A required field directly in status.
    StatusRequired = "status-required";
    /// `status` is a subresource now, and the field existed before.
    StatusSplit = "status-split";
    /// A status field without the subresource, or the reverse.
    StatusSubresource = "status-subresource";
    /// Objects are stored in another version.
    StorageChanged = "storage-changed";
    /// A kind without exactly one storage version.
    StorageVersion = "storage-version";
    /// A version that is still stored, but no longer in the source.
    StoredVersionRemoved = "stored-version-removed";
    /// A schema that breaks the structural rules of Kubernetes.
    StructuralSchema = "structural-schema";
    /// A new subresource.
    SubresourceAdded = "subresource-added";
    /// A subresource that is gone or changed.
    SubresourceRemoved = "subresource-removed";
    /// Source text that is not Rust.
    Syntax = "syntax";
    /// Template syntax in YAML that is to be imported.
    TemplateSyntax = "template-syntax";
    /// A time whose name ends with `Timestamp`.
    TimeName = "time-name";
    /// A marker after code on the same line.
    TrailingMarker = "trailing-marker";
    /// A field with another type.
    TypeChanged = "type-changed";
    /// A field that accepts more types than before.
    TypeWidened = "type-widened";
    /// An integer without bounds.
    UnboundedInteger = "unbounded-integer";
    /// A list without a maximum number of items.
    UnboundedList = "unbounded-list";
    /// A map without a maximum number of entries.
    UnboundedMap = "unbounded-map";
    /// A string without a maximum length.
    UnboundedString = "unbounded-string";
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
    /// An unsigned integer.
    UnsignedInteger = "unsigned-integer";
    /// A type that has no schema.
    UnsupportedType = "unsupported-type";
    /// A `+kgen:allow` whose problem does not occur.
    UnusedAllowance = "unused-allowance";
    /// A command line that is not valid.
    Usage = "usage";
    /// A new variant of an enum with data.
    VariantAdded = "variant-added";
    /// A new version of a kind, or one that is served again.
    VersionAdded = "version-added";
    /// A version that is deprecated now.
    VersionDeprecated = "version-deprecated";
    /// Versions of a kind that differ in settings that all versions share.
    VersionDisagreement = "version-disagreement";
    /// A version that is gone.
    VersionRemoved = "version-removed";
    /// A version that is no longer served.
    VersionUnserved = "version-unserved";
    /// A webhook that Kubernetes would refuse.
    Webhook = "webhook";
}

impl Code {
    /// Returns whether a user can allow its problems: they can be warnings or notes, or a marker accepts the risk. All others always stop a run.
    #[must_use]
    pub fn can_be_allowed(self) -> bool {
        self.is_change()
            || self.is_lint()
            || matches!(
                self,
                Self::BundleDeployment
                    | Self::BundleMetadata
                    | Self::BundleObject
                    | Self::BundlePermission
                    | Self::ClientMarker
                    | Self::ClientName
                    | Self::ContradictingBounds
                    | Self::ContradictingMarkers
                    | Self::ConversionNeedless
                    | Self::DangerousType
                    | Self::DeprecatedMarker
                    | Self::DetachedMarker
                    | Self::DocsLink
                    | Self::DocsSample
                    | Self::DocumentSize
                    | Self::Drift
                    | Self::DurationParts
                    | Self::FlattenShape
                    | Self::ForeignMarker
                    | Self::ForeignType
                    | Self::HelmMerge
                    | Self::HelmObject
                    | Self::ImportLoss
                    | Self::ImportName
                    | Self::InapplicableMarker
                    | Self::InvalidAttribute
                    | Self::InvalidDefault
                    | Self::InvalidEnumValue
                    | Self::InvalidExample
                    | Self::JsonPath
                    | Self::LossyVersions
                    | Self::LostWhenSkipped
                    | Self::MarkerArgument
                    | Self::MarkerLookalike
                    | Self::MarkerText
                    | Self::MarkerValue
                    | Self::MisplacedMarker
                    | Self::MissingModule
                    | Self::NothingFound
                    | Self::OpaqueType
                    | Self::PrunedAlias
                    | Self::RbacRule
                    | Self::RbacVerb
                    | Self::RbacWildcard
                    | Self::RenameDiffers
                    | Self::RepeatedMarker
                    | Self::RequiredStatus
                    | Self::ReservedGroup
                    | Self::StorageVersion
                    | Self::StructuralSchema
                    | Self::TrailingMarker
                    | Self::UnknownMarker
                    | Self::Unreadable
                    | Self::UnreadableWhenAbsent
                    | Self::UnresolvedName
                    | Self::UnusedAllowance
                    | Self::Usage
                    | Self::VersionDisagreement
                    | Self::Webhook
            )
    }

    /// Returns whether it is a difference between two states of an API, which only `kgen diff` reports.
    /// `lossy-versions` is a warning of other runs as well.
    #[must_use]
    pub fn is_change(self) -> bool {
        matches!(
            self,
            Self::AccessAdded
                | Self::BoundLoosened
                | Self::BoundTightened
                | Self::ColumnChanged
                | Self::DefaultAdded
                | Self::DefaultChanged
                | Self::DefaultRemoved
                | Self::EnumNarrowed
                | Self::EnumWidened
                | Self::FieldAdded
                | Self::FieldRemoved
                | Self::FormatLoosened
                | Self::FormatTightened
                | Self::KindAdded
                | Self::KindRemoved
                | Self::KindRenamed
                | Self::ListTypeChanged
                | Self::LossyVersions
                | Self::NameAdded
                | Self::NameRemoved
                | Self::NullableAdded
                | Self::NullableRemoved
                | Self::PatternLoosened
                | Self::PatternTightened
                | Self::PruningAdded
                | Self::PruningRemoved
                | Self::RequiredAdded
                | Self::RequiredRemoved
                | Self::RuleAdded
                | Self::RuleRemoved
                | Self::ScopeChanged
                | Self::SelectableFieldAdded
                | Self::SelectableFieldRemoved
                | Self::ShapeChanged
                | Self::StatusSplit
                | Self::StorageChanged
                | Self::SubresourceAdded
                | Self::SubresourceRemoved
                | Self::TypeChanged
                | Self::TypeWidened
                | Self::VariantAdded
                | Self::VersionAdded
                | Self::VersionDeprecated
                | Self::VersionRemoved
                | Self::VersionUnserved
        )
    }

    /// Returns whether it is a design choice that only `kgen lint` reports.
    #[must_use]
    pub fn is_lint(self) -> bool {
        matches!(
            self,
            Self::BoolField
                | Self::ConditionShape
                | Self::DefaultAndRequired
                | Self::Documentation
                | Self::DurationField
                | Self::EnumCase
                | Self::FieldCase
                | Self::ListItemsOptional
                | Self::ListTypeMissing
                | Self::MapField
                | Self::NullableField
                | Self::OptionNull
                | Self::PhaseField
                | Self::ReferenceName
                | Self::RequiredOption
                | Self::RuleCost
                | Self::RuleMessage
                | Self::StatusRequired
                | Self::StatusSubresource
                | Self::TimeName
                | Self::UnboundedInteger
                | Self::UnboundedList
                | Self::UnboundedMap
                | Self::UnboundedString
                | Self::UnsignedInteger
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
                "{code}: the summary is not a sentence"
            );
        }
    }
}
