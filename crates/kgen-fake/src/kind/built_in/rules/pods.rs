//! Rules of pods and of the templates of pods. Mirrors `ValidatePodSpec` and `ValidatePodUpdate`.

use std::collections::BTreeSet;

use kgen_schema::{FieldError, names};
use serde_json::Value;

use super::super::go_diff::unified;
use super::super::go_structs::GoValue;
use super::containers;
use super::errors::{
    Errors, duplicate, forbidden, has, invalid, items, labels, named, one_of, required, text,
};

/// Sources of volumes, in the order in which a server looks for them.
const SOURCES: [&str; 12] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "secret",
    "nfs",
    "iscsi",
    "persistentVolumeClaim",
    "downwardAPI",
    "configMap",
    "projected",
    "csi",
    "ephemeral",
];
const ADDRESS: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NOT_FOR_INIT: &str = "may not be set for init containers without restartPolicy=Always";

/// Checks the spec of a pod.
pub(super) fn spec(spec: Option<&Value>, field: &str, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = spec.unwrap_or(&nothing);
    let at = |key: &str| format!("{field}.{key}");
    let volumes = volumes(errors, spec, &at("volumes"));
    let containers = items(spec, "containers");
    if containers.is_empty() {
        required(errors, at("containers"), "");
    }
    let mut seen = BTreeSet::new();
    for (key, is_init) in [("containers", false), ("initContainers", true)] {
        for (index, one) in items(spec, key).iter().enumerate() {
            let field = format!("{field}.{key}[{index}]");
            containers::container(errors, one, &field, &volumes);
            let is_sidecar = is_init && text(one, "restartPolicy") == "Always";
            let name = text(one, "name");
            if !name.is_empty() && !seen.insert(name) {
                duplicate(errors, format!("{field}.name"), name);
            }
            if is_init && !is_sidecar {
                for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
                    if has(one, key) {
                        forbidden(errors, format!("{field}.{key}"), NOT_FOR_INIT);
                    }
                }
            } else {
                containers::probes(errors, one, &field);
            }
        }
    }
    if spec.is_null() {
        return;
    }
    one_of(
        errors,
        at("restartPolicy"),
        text(spec, "restartPolicy"),
        &["Always", "OnFailure", "Never"],
    );
    one_of(
        errors,
        at("dnsPolicy"),
        text(spec, "dnsPolicy"),
        &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
    );
    labels(errors, spec.get("nodeSelector"), &at("nodeSelector"));
    for (key, mistakes) in [
        (
            "serviceAccountName",
            names::subdomain_mistakes as fn(&str) -> Vec<String>,
        ),
        ("nodeName", names::subdomain_mistakes),
        ("hostname", names::label_mistakes),
        ("subdomain", names::label_mistakes),
        ("priorityClassName", names::subdomain_mistakes),
        ("runtimeClassName", names::subdomain_mistakes),
    ] {
        let name = text(spec, key);
        if !name.is_empty() {
            named(errors, &at(key), name, mistakes(name));
        }
    }
    let deadline = spec.get("activeDeadlineSeconds").and_then(Value::as_i64);
    if let Some(seconds) = deadline.filter(|seconds| !(1..=i64::from(i32::MAX)).contains(seconds)) {
        let detail = "must be between 1 and 2147483647, inclusive";
        invalid(errors, at("activeDeadlineSeconds"), &seconds, detail);
    }
    if let Some(policy) = spec.get("preemptionPolicy").and_then(Value::as_str) {
        one_of(
            errors,
            at("preemptionPolicy"),
            policy,
            &["PreemptLowerPriority", "Never"],
        );
    }
    tolerations(errors, items(spec, "tolerations"), &at("tolerations"));
    for (index, alias) in items(spec, "hostAliases").iter().enumerate() {
        address(
            errors,
            text(alias, "ip"),
            format!("{field}.hostAliases[{index}].ip"),
        );
    }
    let servers = spec.get("dnsConfig").map(|config| items(config, "nameservers"));
    for (index, server) in servers.unwrap_or_default().iter().enumerate() {
        let server = server.as_str().unwrap_or_default();
        address(errors, server, format!("{field}.dnsConfig.nameservers[{index}]"));
    }
    if let Some(system) = spec.get("os") {
        let name = text(system, "name");
        if !matches!(name, "linux" | "windows") {
            errors.push(FieldError::not_supported(at("os"), name, &["linux", "windows"]));
        }
    }
    identity(errors, spec.get("securityContext"), &at("securityContext"));
    for (index, spread) in items(spec, "topologySpreadConstraints").iter().enumerate() {
        let field = format!("{field}.topologySpreadConstraints[{index}]");
        let skew = spread.get("maxSkew").and_then(Value::as_i64).unwrap_or(0);
        if skew <= 0 {
            invalid(
                errors,
                format!("{field}.maxSkew"),
                &skew,
                "must be greater than zero",
            );
        }
        let key = text(spread, "topologyKey");
        if key.is_empty() {
            required(errors, format!("{field}.topologyKey"), "can not be empty");
        } else {
            named(
                errors,
                &format!("{field}.topologyKey"),
                key,
                names::key_mistakes(key),
            );
        }
        let action = text(spread, "whenUnsatisfiable");
        let supported = ["DoNotSchedule", "ScheduleAnyway"];
        if !supported.contains(&action) {
            errors.push(FieldError::not_supported(
                format!("{field}.whenUnsatisfiable"),
                action,
                &supported,
            ));
        }
    }
}

fn address(errors: &mut Errors, address: &str, field: String) {
    if address.parse::<std::net::IpAddr>().is_err() {
        invalid(errors, field, address, ADDRESS);
    }
}

/// Checks the numbers of users and groups.
pub(super) fn identity(errors: &mut Errors, context: Option<&Value>, field: &str) {
    for key in ["runAsUser", "runAsGroup", "fsGroup"] {
        let number = context
            .and_then(|context| context.get(key))
            .and_then(Value::as_i64);
        if let Some(number) = number.filter(|number| !(0..=i64::from(i32::MAX)).contains(number)) {
            let detail = "must be between 0 and 2147483647, inclusive";
            invalid(errors, format!("{field}.{key}"), &number, detail);
        }
    }
}

/// Checks what only a new pod cannot have.
pub(super) fn new(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    if !items(spec, "ephemeralContainers").is_empty() {
        forbidden(errors, "spec.ephemeralContainers", "cannot be set on create");
    }
    if !text(spec, "serviceAccountName").is_empty() {
        return;
    }
    for (index, volume) in items(spec, "volumes").iter().enumerate() {
        let sources = volume
            .get("projected")
            .map(|projected| items(projected, "sources"));
        for (position, source) in sources.unwrap_or_default().iter().enumerate() {
            if has(source, "serviceAccountToken") {
                let field =
                    format!("spec.volumes[{index}].projected.sources[{position}].serviceAccountToken");
                forbidden(
                    errors,
                    field,
                    "must not be specified when serviceAccountName is not set",
                );
            }
        }
    }
}

/// Checks volumes. Returns the names of the valid ones.
fn volumes<'o>(errors: &mut Errors, spec: &'o Value, field: &str) -> BTreeSet<&'o str> {
    let mut valid = BTreeSet::new();
    for (index, volume) in items(spec, "volumes").iter().enumerate() {
        let field = format!("{field}[{index}]");
        let name = text(volume, "name");
        let before = errors.len();
        let sources: Vec<&String> = volume
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key)
            .collect();
        let mut sources: Vec<&&String> = sources.iter().filter(|key| *key != &"name").collect();
        // A server looks for sources in its own order.
        sources.sort_by_key(|key| SOURCES.iter().position(|known| known == **key));
        if sources.is_empty() {
            required(errors, &field, "must specify a volume type");
        }
        for source in sources.iter().skip(1) {
            forbidden(
                errors,
                format!("{field}.{source}"),
                "may not specify more than 1 volume type",
            );
        }
        let source = |key: &str| volume.get(key).filter(|source| source.is_object());
        for (source_key, key) in [
            ("configMap", "name"),
            ("secret", "secretName"),
            ("hostPath", "path"),
            ("persistentVolumeClaim", "claimName"),
            ("nfs", "server"),
            ("nfs", "path"),
        ] {
            let field = format!("{field}.{source_key}.{key}");
            if source(source_key).is_some_and(|source| text(source, key).is_empty()) {
                required(errors, field, "");
            }
        }
        if name.is_empty() {
            required(errors, format!("{field}.name"), "");
        } else {
            named(
                errors,
                &format!("{field}.name"),
                name,
                names::label_mistakes(name),
            );
        }
        if valid.contains(name) {
            duplicate(errors, format!("{field}.name"), name);
        }
        if errors.len() == before {
            valid.insert(name);
        }
    }
    valid
}

fn tolerations(errors: &mut Errors, tolerations: &[Value], field: &str) {
    for (index, toleration) in tolerations.iter().enumerate() {
        let field = format!("{field}[{index}]");
        let (key, operator, effect) = (
            text(toleration, "key"),
            text(toleration, "operator"),
            text(toleration, "effect"),
        );
        if !key.is_empty() {
            named(errors, &format!("{field}.key"), key, names::key_mistakes(key));
        } else if operator != "Exists" {
            let detail =
                "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            invalid(errors, format!("{field}.operator"), operator, detail);
        }
        if has(toleration, "tolerationSeconds") && effect != "NoExecute" {
            let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            invalid(errors, format!("{field}.effect"), effect, detail);
        }
        match operator {
            "Equal" | "" => {
                let value = text(toleration, "value");
                named(
                    errors,
                    &format!("{field}.operator"),
                    value,
                    names::value_mistakes(value),
                );
            }
            "Exists" => {
                if !text(toleration, "value").is_empty() {
                    let value = text(toleration, "value");
                    let detail = "value must be empty when `operator` is 'Exists'";
                    invalid(errors, format!("{field}.operator"), value, detail);
                }
            }
            other => {
                let field = format!("{field}.operator");
                errors.push(FieldError::not_supported(field, other, &["Equal", "Exists"]));
            }
        }
        if !effect.is_empty() {
            let supported = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
            one_of(errors, format!("{field}.effect"), effect, &supported);
        }
    }
}

/// The fields of the spec that an update can change.
const CHANGEABLE: &str = "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,\
                          `spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` \
                          (allow it to be set to 1 if it was previously negative)";

/// Checks the change of a pod.
pub(super) fn change(object: &Value, old: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let new = object.get("spec").unwrap_or(&nothing);
    let old = old.get("spec").unwrap_or(&nothing);
    for key in ["containers", "initContainers"] {
        if items(new, key).len() != items(old, key).len() {
            let detail = "pod updates may not add or remove containers";
            return forbidden(errors, format!("spec.{key}"), detail);
        }
        for (index, container) in items(new, key).iter().enumerate() {
            if text(container, "image").is_empty() {
                required(errors, format!("spec.{key}[{index}].image"), "");
            }
        }
    }
    let deadline = |spec: &Value| spec.get("activeDeadlineSeconds").and_then(Value::as_i64);
    match (deadline(new), deadline(old)) {
        (Some(new), Some(old)) if new > old => {
            let detail = "must be less than or equal to previous value";
            return invalid(errors, "spec.activeDeadlineSeconds", &new, detail);
        }
        (None, Some(_)) => {
            let detail = "must not update from a positive integer to nil value";
            invalid(errors, "spec.activeDeadlineSeconds", &Value::Null, detail);
        }
        _ => {}
    }
    let timeless = |spec: &Value| -> Vec<Value> {
        let mut tolerations = items(spec, "tolerations").to_vec();
        for toleration in &mut tolerations {
            crate::kind::remove(toleration, "tolerationSeconds");
        }
        tolerations
    };
    let kept = timeless(new);
    if !timeless(old).iter().all(|toleration| kept.contains(toleration)) {
        let detail = "existing toleration can not be modified except its tolerationSeconds";
        forbidden(errors, "spec.tolerations", detail);
    }
    let gates = items(old, "schedulingGates");
    for (index, gate) in items(new, "schedulingGates").iter().enumerate() {
        if !gates.contains(gate) {
            let name = text(gate, "name");
            let detail = format!("only deletion is allowed, but found new scheduling gate '{name}'");
            forbidden(errors, format!("spec.schedulingGates[{index}].name"), detail);
        }
    }
    let mut same = new.clone();
    for key in ["activeDeadlineSeconds", "schedulingGates", "tolerations"] {
        crate::kind::put(&mut same, key, old.get(key).cloned());
    }
    for key in ["containers", "initContainers"] {
        let before = items(old, key);
        let containers = same.get_mut(key).and_then(Value::as_array_mut);
        for (container, before) in containers.into_iter().flatten().zip(before) {
            crate::kind::put(container, "image", before.get("image").cloned());
        }
    }
    let seconds = |spec: &Value| spec.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if seconds(old).is_some_and(|seconds| seconds < 0) && seconds(new) == Some(1) {
        crate::kind::put(
            &mut same,
            "terminationGracePeriodSeconds",
            old.get("terminationGracePeriodSeconds").cloned(),
        );
    }
    if same != *old {
        let shown = |spec: &Value| GoValue::of("PodSpec", spec).pretty();
        let difference = unified(&shown(old), &shown(&same));
        forbidden(
            errors,
            "spec",
            format!("pod updates may not change fields other than {CHANGEABLE}\n{difference}"),
        );
    }
}
