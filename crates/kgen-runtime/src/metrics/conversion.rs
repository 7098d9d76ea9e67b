//! The metrics of conversions between versions of a kind.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
#[cfg(feature = "webhook")]
use prometheus_client::registry::Registry;

/// The metrics of the conversion of one kind.
#[derive(Clone, Debug)]
pub(crate) struct ConversionMetrics {
    kind: String,
    versions: usize,
    /// The counters of all pairs of versions, by the first one and then by the second one.
    objects: Vec<Counter>,
    untranslated: Family<Untranslated, Counter>,
    kept_bytes: Histogram,
}

#[cfg(feature = "webhook")]
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Converted {
    kind: String,
    from: String,
    to: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Untranslated {
    kind: String,
    field: String,
}

#[cfg(feature = "webhook")]
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Kind {
    kind: String,
}

/// The metrics of all conversions.
#[cfg(feature = "webhook")]
pub(super) struct Families {
    objects: Family<Converted, Counter>,
    untranslated: Family<Untranslated, Counter>,
    kept_bytes: Family<Kind, Histogram, fn() -> Histogram>,
}

#[cfg(feature = "webhook")]
impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        // The API server allows 256 KiB for all annotations.
        let sizes = || Histogram::new([64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262_144.0]);
        let families = Self {
            objects: Family::default(),
            untranslated: Family::default(),
            kept_bytes: Family::new_with_constructor(sizes),
        };
        registry.register(
            "kgen_conversion_objects",
            "Objects converted from one version to another",
            families.objects.clone(),
        );
        registry.register(
            "kgen_conversion_untranslated",
            "Values that could not be translated and were kept",
            families.untranslated.clone(),
        );
        registry.register(
            "kgen_conversion_kept_bytes",
            "The size of the values of an object that the other version cannot represent",
            families.kept_bytes.clone(),
        );
        families
    }

    pub(super) fn of(&self, kind: &str, versions: &[&str]) -> ConversionMetrics {
        let mut objects = Vec::new();
        for from in versions {
            for to in versions {
                let labels = Converted {
                    kind: kind.to_owned(),
                    from: (*from).to_owned(),
                    to: (*to).to_owned(),
                };
                objects.push(if from == to {
                    Counter::default()
                } else {
                    self.objects.get_or_create_owned(&labels)
                });
            }
        }
        let kind = kind.to_owned();
        ConversionMetrics {
            versions: versions.len(),
            objects,
            untranslated: self.untranslated.clone(),
            kept_bytes: self.kept_bytes.get_or_create_owned(&Kind { kind: kind.clone() }),
            kind,
        }
    }
}

impl ConversionMetrics {
    /// Counts an object.
    pub(crate) fn converted(&self, from: usize, to: usize) {
        if let Some(counter) = self.objects.get(from * self.versions + to) {
            counter.inc();
        }
    }

    /// Counts a value that could not be translated.
    pub(crate) fn untranslated(&self, field: &str) {
        let labels = Untranslated {
            kind: self.kind.clone(),
            field: field.to_owned(),
        };
        self.untranslated.get_or_create(&labels).inc();
    }

    /// Notes the size of the kept values of an object.
    pub(crate) fn kept(&self, bytes: usize) {
        self.kept_bytes
            .observe(f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)));
    }
}
