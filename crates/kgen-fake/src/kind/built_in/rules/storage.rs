//! Rules of storage, and of classes.

use kgen_schema::{FieldError, names};
use serde_json::Value;

use super::amounts::compare;
use super::errors::{Errors, forbidden, invalid, is_empty, items, named, one_of, required, text, unchanged};

const MODES: [&str; 4] = [
    "ReadOnlyMany",
    "ReadWriteMany",
    "ReadWriteOnce",
    "ReadWriteOncePod",
];
/// The fields of a volume that are not its source.
const NO_SOURCES: [&str; 9] = [
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "nodeAffinity",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeAttributesClassName",
    "volumeMode",
];
/// The highest priority of a user.
const HIGHEST: i64 = 1_000_000_000;
const SYSTEM: [&str; 2] = ["system-node-critical", "system-cluster-critical"];

fn access_modes(spec: &Value, field: &str, detail: &str, errors: &mut Errors) {
    let modes: Vec<&str> = items(spec, "accessModes")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let field = format!("{field}.accessModes");
    if modes.is_empty() {
        required(errors, &field, detail);
    }
    for mode in modes.iter().filter(|mode| !MODES.contains(mode)) {
        errors.push(FieldError::not_supported(&field, *mode, &MODES));
    }
    let alone = |mode: &&&str| **mode == "ReadWriteOncePod";
    let is_mixed = modes
        .iter()
        .any(|mode| MODES.contains(mode) && *mode != "ReadWriteOncePod");
    if modes.iter().any(|mode| alone(&mode)) && is_mixed {
        forbidden(
            errors,
            field,
            "may not use ReadWriteOncePod with other access modes",
        );
    }
}

/// Checks the spec of a claim.
pub(super) fn claim_spec(spec: &Value, field: &str, errors: &mut Errors) {
    access_modes(spec, field, "at least 1 access mode is required", errors);
    let size = spec
        .pointer("/resources/requests/storage")
        .and_then(Value::as_str);
    match size {
        None => required(errors, format!("{field}.resources[storage]"), ""),
        Some(size) if compare(size, "0").is_le() => {
            let detail = "must be greater than zero";
            invalid(errors, format!("{field}.resources[storage]"), size, detail);
        }
        Some(_) => {}
    }
    let class = text(spec, "storageClassName");
    if !class.is_empty() {
        named(
            errors,
            &format!("{field}.storageClassName"),
            class,
            names::subdomain_mistakes(class),
        );
    }
    let mode = text(spec, "volumeMode");
    if !mode.is_empty() {
        one_of(
            errors,
            format!("{field}.volumeMode"),
            mode,
            &["Block", "Filesystem"],
        );
    }
}

pub(super) fn claim(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    claim_spec(spec, "spec", errors);
    let Some(before) = old.and_then(|old| old.get("spec")) else {
        return;
    };
    let mut kept = before.clone();
    let volume = text(before, "volumeName");
    if volume.is_empty() {
        crate::kind::put(&mut kept, "volumeName", spec.get("volumeName").cloned());
    }
    if before.get("storageClassName").is_none() {
        crate::kind::put(
            &mut kept,
            "storageClassName",
            spec.get("storageClassName").cloned(),
        );
    }
    let is_bound = object.pointer("/status/phase") == Some(&Value::from("Bound"));
    let size = |spec: &Value| spec.pointer("/resources/requests/storage").cloned();
    if is_bound
        && let (Some(size), Some(place)) = (size(spec), kept.pointer_mut("/resources/requests/storage"))
    {
        *place = size;
    }
    if kept != *spec {
        // A server also prints the differences of the Go structs.
        let detail = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n";
        forbidden(errors, "spec", detail);
    }
    let number = |spec: &Value| size(spec).and_then(|size| size.as_str().map(str::to_owned));
    if let (Some(new), Some(old_size)) = (number(spec), number(before))
        && compare(&new, &old_size).is_lt()
    {
        let capacity = object.pointer("/status/capacity/storage").and_then(Value::as_str);
        if compare(&new, capacity.unwrap_or("0")).is_le() {
            let field = "spec.resources.requests.storage";
            forbidden(errors, field, "field can not be less than status.capacity");
        }
    }
    unchanged(
        errors,
        "volumeMode",
        spec.get("volumeMode"),
        before.get("volumeMode"),
    );
}

/// Returns the sources of a volume.
fn sources(spec: &Value) -> Vec<(&String, &Value)> {
    let fields = spec.as_object().into_iter().flatten();
    fields
        .filter(|(key, _)| !NO_SOURCES.contains(&key.as_str()))
        .collect()
}

pub(super) fn volume(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    access_modes(spec, "spec", "", errors);
    let capacity = spec.get("capacity").filter(|capacity| !is_empty(capacity));
    if capacity.is_none() {
        required(errors, "spec.capacity", "");
    }
    if capacity.and_then(|capacity| capacity.get("storage")).is_none() {
        let shown = spec.get("capacity").cloned().unwrap_or_default();
        errors.push(FieldError::not_supported("spec.capacity", &shown, &["storage"]));
    }
    let policy = text(spec, "persistentVolumeReclaimPolicy");
    if !policy.is_empty() {
        let supported = ["Delete", "Recycle", "Retain"];
        one_of(errors, "spec.persistentVolumeReclaimPolicy", policy, &supported);
    }
    let sources = sources(spec);
    if sources.is_empty() {
        required(errors, "spec", "must specify a volume type");
    }
    for (key, _) in sources.iter().skip(1) {
        forbidden(
            errors,
            format!("spec.{key}"),
            "may not specify more than 1 volume type",
        );
    }
    let Some(old) = old.and_then(|old| old.get("spec")) else {
        return;
    };
    if sources != self::sources(old) {
        // A server also prints the differences of the Go structs.
        let detail = "spec.persistentvolumesource is immutable after creation\n";
        forbidden(errors, "spec.persistentvolumesource", detail);
    }
    unchanged(
        errors,
        "volumeMode",
        spec.get("volumeMode"),
        old.get("volumeMode"),
    );
}

pub(super) fn class(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let provisioner = text(object, "provisioner");
    if provisioner.is_empty() {
        required(errors, "provisioner", "");
    } else {
        let lower = provisioner.to_lowercase();
        named(errors, "provisioner", &lower, names::key_mistakes(&lower));
    }
    let policy = text(object, "reclaimPolicy");
    if !policy.is_empty() {
        one_of(errors, "reclaimPolicy", policy, &["Delete", "Retain"]);
    }
    let modes = ["Immediate", "WaitForFirstConsumer"];
    one_of(
        errors,
        "volumeBindingMode",
        text(object, "volumeBindingMode"),
        &modes,
    );
    if let Some(old) = old {
        for key in ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] {
            unchanged(errors, key, object.get(key), old.get(key));
        }
    }
}

pub(super) fn priority(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let value = |object: &Value| object.get("value").and_then(Value::as_i64).unwrap_or(0);
    let name = crate::meta::name(object);
    if let Some(old) = old {
        if value(object) != value(old) {
            forbidden(errors, "value", "may not be changed in an update.");
        }
        let key = "preemptionPolicy";
        unchanged(errors, key, object.get(key), old.get(key));
        return;
    }
    if name.starts_with("system-") && !SYSTEM.contains(&name) {
        let detail = format!(
            "priority class names with 'system-' prefix are reserved for system use only. error: {name} is not a known \
             system priority class"
        );
        forbidden(errors, "metadata.name", detail);
    } else if !name.starts_with("system-") && value(object) > HIGHEST {
        let detail = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        forbidden(errors, "value", detail);
    }
    let policy = text(object, "preemptionPolicy");
    one_of(
        errors,
        "preemptionPolicy",
        policy,
        &["PreemptLowerPriority", "Never"],
    );
}

pub(super) fn runtime(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    if let Some(old) = old {
        let key = "handler";
        unchanged(errors, key, object.get(key), old.get(key));
        return;
    }
    match text(object, "handler") {
        "" => required(errors, "handler", ""),
        handler => named(errors, "handler", handler, names::label_mistakes(handler)),
    }
}
