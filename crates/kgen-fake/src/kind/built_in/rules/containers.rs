//! Rules of the containers of pods.

use std::collections::BTreeSet;

use kgen_schema::{ErrorKind, FieldError, names};
use serde_json::Value;

use super::errors::{
    Errors, duplicate, forbidden, invalid, items, named, not_negative, one_of, port, port_name_mistakes,
    port_number, required, text,
};

pub(super) const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];
const ENVIRONMENT_FIELDS: [&str; 11] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
    "metadata.annotations",
    "metadata.labels",
];

pub(super) fn container(errors: &mut Errors, container: &Value, field: &str, volumes: &BTreeSet<&str>) {
    let at = |key: &str| format!("{field}.{key}");
    let name = text(container, "name");
    if name.is_empty() {
        required(errors, at("name"), "");
    } else {
        named(errors, &at("name"), name, names::label_mistakes(name));
    }
    let image = text(container, "image");
    if image.is_empty() {
        required(errors, at("image"), "");
    } else if image.trim() != image {
        let detail = "must not have leading or trailing whitespace";
        invalid(errors, at("image"), image, detail);
    }
    let policy = text(container, "terminationMessagePolicy");
    if !policy.is_empty() {
        let supported = ["File", "FallbackToLogsOnError"];
        one_of(errors, at("terminationMessagePolicy"), policy, &supported);
    }
    let policy = text(container, "imagePullPolicy");
    if !policy.is_empty() {
        one_of(
            errors,
            at("imagePullPolicy"),
            policy,
            &["Always", "IfNotPresent", "Never"],
        );
    }
    ports(errors, container, field);
    environment(errors, container, field);
    let mut paths = BTreeSet::new();
    for (index, mount) in items(container, "volumeMounts").iter().enumerate() {
        let field = format!("{field}.volumeMounts[{index}]");
        let (name, path) = (text(mount, "name"), text(mount, "mountPath"));
        if name.is_empty() {
            required(errors, format!("{field}.name"), "");
        }
        if !volumes.contains(name) {
            let error = FieldError::new(ErrorKind::NotFound, format!("{field}.name"), "");
            errors.push(error.with_value(name));
        }
        if path.is_empty() {
            required(errors, format!("{field}.mountPath"), "");
        }
        if !paths.insert(path) {
            invalid(errors, format!("{field}.mountPath"), path, "must be unique");
        }
    }
    super::pods::identity(errors, container.get("securityContext"), &at("securityContext"));
    super::amounts::container(errors, container, &at("resources"));
}

fn ports(errors: &mut Errors, container: &Value, field: &str) {
    let mut seen = BTreeSet::new();
    for (index, port) in items(container, "ports").iter().enumerate() {
        let field = format!("{field}.ports[{index}]");
        let name = text(port, "name");
        if !name.is_empty() {
            let mistakes = port_name_mistakes(name);
            if mistakes.is_empty() && !seen.insert(name) {
                duplicate(errors, format!("{field}.name"), name);
            }
            named(errors, &format!("{field}.name"), name, mistakes);
        }
        match port.get("containerPort").and_then(Value::as_i64).unwrap_or(0) {
            0 => required(errors, format!("{field}.containerPort"), ""),
            number => port_number(errors, format!("{field}.containerPort"), number),
        }
        match port.get("hostPort").and_then(Value::as_i64).unwrap_or(0) {
            0 => {}
            number => port_number(errors, format!("{field}.hostPort"), number),
        }
        let protocol = text(port, "protocol");
        one_of(errors, format!("{field}.protocol"), protocol, &PROTOCOLS);
    }
}

fn environment(errors: &mut Errors, container: &Value, field: &str) {
    for (index, variable) in items(container, "env").iter().enumerate() {
        let field = format!("{field}.env[{index}]");
        let name = text(variable, "name");
        if name.is_empty() {
            required(errors, format!("{field}.name"), "");
        } else if !name
            .bytes()
            .all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=')
        {
            let detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
            invalid(errors, format!("{field}.name"), name, detail);
        }
        let Some(Value::Object(sources)) = variable.get("valueFrom") else {
            continue;
        };
        let field = format!("{field}.valueFrom");
        let path = sources.get("fieldRef").map(|source| text(source, "fieldPath"));
        match path {
            Some("") => required(errors, format!("{field}.fieldRef.fieldPath"), ""),
            Some(path) => field_path(errors, path, &format!("{field}.fieldRef.fieldPath")),
            None => {}
        }
        if sources.is_empty() {
            let detail = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
            invalid(errors, &field, "", detail);
        } else if !text(variable, "value").is_empty() {
            invalid(
                errors,
                &field,
                "",
                "may not be specified when `value` is not empty",
            );
        } else if sources.len() > 1 {
            let detail = "may not have more than one field specified at a time";
            invalid(errors, &field, "", detail);
        }
    }
}

fn field_path(errors: &mut Errors, path: &str, field: &str) {
    let is_map_entry = ["metadata.annotations['", "metadata.labels['"]
        .iter()
        .any(|start| path.starts_with(start) && path.ends_with("']"));
    if is_map_entry {
        return;
    }
    let known = ENVIRONMENT_FIELDS.iter().take(9);
    if ENVIRONMENT_FIELDS.contains(&path) {
        let mut supported: Vec<&str> = known.copied().collect();
        supported.sort_unstable();
        if !supported.contains(&path) {
            errors.push(FieldError::not_supported(field, path, &supported));
        }
        return;
    }
    let detail = format!("error converting fieldPath: field label not supported: {path}");
    invalid(errors, field, path, detail);
}

pub(super) fn probes(errors: &mut Errors, container: &Value, field: &str) {
    if let Some(lifecycle) = container.get("lifecycle") {
        for key in ["postStart", "preStop"] {
            if let Some(handler) = lifecycle.get(key).filter(|handler| handler.is_object()) {
                self::handler(errors, handler, &format!("{field}.lifecycle.{key}"));
            }
        }
    }
    for key in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let Some(probe) = container.get(key).filter(|probe| probe.is_object()) else {
            continue;
        };
        let field = format!("{field}.{key}");
        handler(errors, probe, &field);
        let seconds = [
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold",
        ];
        not_negative(errors, probe, &field, &seconds);
        if key != "readinessProbe"
            && let Some(number) = probe.get("successThreshold").and_then(Value::as_i64)
            && number != 1
        {
            invalid(errors, format!("{field}.successThreshold"), &number, "must be 1");
        }
    }
}

fn handler(errors: &mut Errors, handler: &Value, field: &str) {
    let mut count = 0;
    for key in ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] {
        let Some(action) = handler.get(key).filter(|action| action.is_object()) else {
            continue;
        };
        let field = format!("{field}.{key}");
        count += 1;
        if count > 1 {
            forbidden(errors, field, "may not specify more than 1 handler type");
            continue;
        }
        match key {
            "exec" if items(action, "command").is_empty() => required(errors, format!("{field}.command"), ""),
            "httpGet" => {
                port(errors, &format!("{field}.port"), action.get("port"));
                let scheme = text(action, "scheme");
                if !matches!(scheme, "HTTP" | "HTTPS") {
                    let field = format!("{field}.scheme");
                    errors.push(FieldError::not_supported(field, scheme, &["HTTP", "HTTPS"]));
                }
            }
            "tcpSocket" | "grpc" => port(errors, &format!("{field}.port"), action.get("port")),
            _ => {}
        }
    }
    if count == 0 {
        required(errors, field, "must specify a handler type");
    }
}
