//! Random values of Kubernetes' own types, and of jiff's. Kubernetes narrows some of its types beyond what Rust knows;
//! these values keep to that.

use fastrand::Rng;
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::{LocalObjectReference, ResourceRequirements, SecretKeySelector, Toleration};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    Condition, LabelSelector, LabelSelectorRequirement, MicroTime, ObjectMeta, Time,
};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::random::Random;

/// Years of four digits, which is all that RFC 3339 has.
impl Random for Timestamp {
    fn random(rng: &mut Rng) -> Self {
        let seconds = match rng.u8(..3) {
            0 => 0,
            1 => rng.i64(0..4_000_000_000),
            _ => rng.i64(-62_135_596_800..253_402_207_200),
        };
        let nanoseconds = if rng.bool() { 0 } else { rng.i32(0..1_000_000_000) };
        Self::new(seconds, nanoseconds).unwrap_or(Self::UNIX_EPOCH)
    }
}

impl Random for Date {
    fn random(rng: &mut Rng) -> Self {
        DateTime::random(rng).date()
    }
}

impl Random for jiff::civil::Time {
    fn random(rng: &mut Rng) -> Self {
        DateTime::random(rng).time()
    }
}

impl Random for DateTime {
    fn random(rng: &mut Rng) -> Self {
        Timestamp::random(rng)
            .to_zoned(jiff::tz::TimeZone::UTC)
            .datetime()
    }
}

impl Random for SignedDuration {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..4) {
            0 => Self::MAX,
            1 => Self::MIN,
            2 => Self::new(rng.i64(-1_000_000..1_000_000), 0),
            _ => Self::new(rng.i64(..), rng.i32(0..1_000_000_000)),
        }
    }
}

impl Random for Time {
    fn random(rng: &mut Rng) -> Self {
        Self(Random::random(rng))
    }
}

impl Random for MicroTime {
    fn random(rng: &mut Rng) -> Self {
        Self(Random::random(rng))
    }
}

impl Random for Quantity {
    fn random(rng: &mut Rng) -> Self {
        let known = ["0", "1", "-1.5", "10Mi", "100m", "1e3", ".5", "+1"];
        Self(known[rng.usize(..known.len())].to_owned())
    }
}

impl Random for IntOrString {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() {
            Self::Int(Random::random(rng))
        } else {
            Self::String(Random::random(rng))
        }
    }
}

impl Random for RawExtension {
    fn random(rng: &mut Rng) -> Self {
        Self(serde_json::Value::Object(Random::random(rng)))
    }
}

/// Its schema is that of Go, which does not accept null: `docs/book/src/deviations.md` lists that.
impl Random for JSON {
    fn random(rng: &mut Rng) -> Self {
        match Random::random(rng) {
            serde_json::Value::Null => Self(false.into()),
            value => Self(value),
        }
    }
}

impl Random for Condition {
    fn random(rng: &mut Rng) -> Self {
        Self {
            last_transition_time: Random::random(rng),
            message: Random::random(rng),
            observed_generation: rng.bool().then(|| rng.i64(0..)),
            reason: "Because".to_owned(),
            status: ["True", "False", "Unknown"][rng.usize(..3)].to_owned(),
            type_: "Ready".to_owned(),
        }
    }
}

impl Random for LabelSelector {
    fn random(rng: &mut Rng) -> Self {
        let requirement = |rng: &mut Rng| LabelSelectorRequirement {
            key: Random::random(rng),
            operator: Random::random(rng),
            values: Random::random(rng),
        };
        Self {
            match_expressions: rng.bool().then(|| vec![requirement(rng)]),
            match_labels: Random::random(rng),
        }
    }
}

impl Random for ObjectMeta {
    fn random(rng: &mut Rng) -> Self {
        Self {
            name: Random::random(rng),
            labels: Random::random(rng),
            annotations: Random::random(rng),
            finalizers: Random::random(rng),
            ..Self::default()
        }
    }
}

impl Random for LocalObjectReference {
    fn random(rng: &mut Rng) -> Self {
        Self {
            name: Random::random(rng),
        }
    }
}

impl Random for SecretKeySelector {
    fn random(rng: &mut Rng) -> Self {
        Self {
            key: Random::random(rng),
            name: Random::random(rng),
            optional: Random::random(rng),
        }
    }
}

impl Random for ResourceRequirements {
    fn random(rng: &mut Rng) -> Self {
        Self {
            claims: None,
            limits: Random::random(rng),
            requests: Random::random(rng),
        }
    }
}

impl Random for Toleration {
    fn random(rng: &mut Rng) -> Self {
        Self {
            effect: Random::random(rng),
            key: Random::random(rng),
            operator: Random::random(rng),
            toleration_seconds: Random::random(rng),
            value: Random::random(rng),
        }
    }
}
