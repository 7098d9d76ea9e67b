//! Markers of operator-sdk: entries of kinds and fields in catalogs of operators.

use kgen_model::{CatalogResource, Descriptor, DescriptorPart};

use crate::definition::{Position, markers};
use crate::kind::contradiction;
use crate::value::{Error, Located, MaybeEmpty, Parser, Value, ValueType, choice, written};

choice! {
    /// The parts of an object that have descriptors.
    Part(DescriptorPart) {
        "spec" => DescriptorPart::Spec,
        "status" => DescriptorPart::Status,
    }
}

markers! {
    family "catalog" "Catalogs of operators";

    /// Entry of a kind or of a field in catalogs of operators, for `kgen bundle`.
    ///
    /// On a kind, the marker takes `displayName`, `resources` and `order`.
    /// On a field, it takes `type`, `displayName`, `xDescriptors` and `order`, and `type` is required.
    /// A field of a nested type is listed with its path below `spec` or `status`.
    ///
    /// ```
    /// // +operator-sdk:csv:customresourcedefinitions:displayName="Memcached App",resources={{Deployment,v1,memcached}}
    /// // +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Pod Count",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount"}
    /// pub replicas: i32,
    /// ```
    "operator-sdk:csv:customresourcedefinitions" on [Kind, Field] with [repeatable] => CustomResourceDefinitions {
        /// Part of the object that has the field: `spec` or `status`.
        "type" part: Option<Located<Part>>,
        /// Name that users see; the default is the kind or the field in words.
        "displayName" display_name: Option<String>,
        /// Objects that the operator creates for the kind, each `{kind,version,name}`; the name is optional.
        "resources" resources: Option<Located<Resources>>,
        /// Hints for user interfaces; the default is inferred from the name and the type of the field.
        "xDescriptors" x_descriptors: Option<Located<Vec<String>>>,
        /// Position in the list; entries without one come last, by name.
        "order" order: Option<i64>,
    }
    apply position |marker, position| marker.check(position)?;
    apply kind |marker, kind| if marker.part.is_none() {
        let catalog = &mut kind.catalog;
        let other_name = catalog.display_name.is_some() && marker.display_name.is_some();
        if other_name && catalog.display_name != marker.display_name {
            return Err(contradiction(&marker.place, marker.place.span(), marker.place.span(), "display name"));
        }
        catalog.display_name = catalog.display_name.take().or_else(|| marker.display_name.clone());
        catalog.order = catalog.order.or(marker.order);
        catalog.resources.extend(marker.resources.iter().flat_map(|found| found.value.0.clone()));
    };
    apply schema |marker, node| if let Some(part) = &marker.part {
        node.schema.descriptors.push(Descriptor {
            part: part.value.0,
            display_name: marker.display_name.clone(),
            x_descriptors: marker.x_descriptors.as_ref().map(|found| found.value.clone()).unwrap_or_default(),
            order: marker.order,
        });
    };
}

impl CustomResourceDefinitions {
    /// Makes sure that a kind has no argument of a field, and the other way round.
    fn check(&self, position: Position) -> Result<(), Error> {
        let is_kind = position == Position::Kind;
        let of_fields = self.part.as_ref().map(|found| (found.range.clone(), "type"));
        let of_fields = of_fields.or_else(|| {
            self.x_descriptors
                .as_ref()
                .map(|found| (found.range.clone(), "xDescriptors"))
        });
        let of_kinds = self
            .resources
            .as_ref()
            .map(|found| (found.range.clone(), "resources"));
        let (wrong, other) = if is_kind {
            (of_fields, "field")
        } else {
            (of_kinds, "kind")
        };
        if let Some((range, name)) = wrong {
            return Err(Error::argument(
                range,
                format!("`{name}` is an argument of the marker of a {other}"),
            ));
        }
        if !is_kind && self.part.is_none() {
            return Err(self
                .place
                .missing("type")
                .help("write `type=spec` or `type=status`"));
        }
        Ok(())
    }
}

/// Objects that the operator creates: `{{kind,version,name},…}`.
#[derive(Clone, Debug)]
struct Resources(Vec<CatalogResource>);

impl Value for Resources {
    const TYPE: ValueType = ValueType::List(&ValueType::List(&ValueType::String));

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let entries = Vec::<Located<Vec<MaybeEmpty>>>::read(parser)?
            .into_iter()
            .map(|found| {
                let mut words = found.value.into_iter().map(|word| word.0.trim().to_owned());
                match (words.next(), words.next(), words.next(), words.next()) {
                    (Some(kind), Some(version), name, None) if !kind.is_empty() && !version.is_empty() => {
                        let name = name.unwrap_or_default();
                        Ok(CatalogResource { kind, version, name })
                    }
                    _ => Err(Error::value(
                        found.range,
                        "a resource consists of a kind, a version and an optional name",
                    )
                    .help("write `{{Deployment,v1,name}}`")),
                }
            });
        entries.collect::<Result<_, _>>().map(Self)
    }

    fn write(&self) -> Option<String> {
        let entry = |CatalogResource { kind, version, name }: &CatalogResource| {
            let words = [kind, version, name].into_iter().filter(|word| !word.is_empty());
            let words: Vec<String> = words.map(|word| written::string(word)).collect();
            format!("{{{}}}", words.join(","))
        };
        let entries: Vec<String> = self.0.iter().map(entry).collect();
        Some(format!("{{{}}}", entries.join(",")))
    }
}
