//! Rules of Jobs and CronJobs.

use kgen_schema::FieldError;
use serde_json::Value;

use super::super::go_structs::GoValue;
use super::errors::{Errors, has, invalid, is_empty, not_negative, one_of, required, text, unchanged};
use super::{pods, schedule};

/// A CronJob appends eleven characters to its name.
const LONGEST_NAME: usize = 52;
/// The fields that a suspended Job can change in its template.
const SCHEDULING: [&str; 5] = [
    "/metadata/annotations",
    "/metadata/labels",
    "/spec/nodeSelector",
    "/spec/tolerations",
    "/spec/schedulingGates",
];

pub(super) fn job(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    own_selector(object, spec, errors);
    whole_spec(spec, errors);
    if let Some(old) = old.and_then(|old| old.get("spec")) {
        // A server validates the spec of a change twice.
        whole_spec(spec, errors);
        change(spec, old, errors);
    }
}

/// Refuses a selector that is neither generated nor asked for.
fn own_selector(object: &Value, spec: &Value, errors: &mut Errors) {
    let Some(selector) = spec.get("selector").filter(|selector| selector.is_object()) else {
        return;
    };
    if spec.get("manualSelector") == Some(&Value::Bool(true)) {
        return;
    }
    let (uid, name) = (crate::meta::uid(object), crate::meta::name(object));
    let own = serde_json::json!({"metadata": {"labels": {
        "controller-uid": uid, "job-name": name,
        "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": name,
    }}});
    if !crate::selector::LabelSelector::from_json(selector).matches(&own) {
        invalid(errors, "spec.selector", selector, "`selector` not auto-generated");
    }
}

fn whole_spec(spec: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let template = spec.get("template").unwrap_or(&nothing);
    let mut matches = false;
    match spec.get("selector") {
        None | Some(Value::Null) => required(errors, "spec.selector", ""),
        Some(selector) => {
            matches = crate::selector::LabelSelector::from_json(selector).matches(template);
        }
    }
    if !matches {
        let labels = template
            .pointer("/metadata/labels")
            .filter(|labels| !is_empty(labels));
        let labels = labels.cloned().unwrap_or_default();
        let detail = "`selector` does not match template `labels`";
        invalid(errors, "spec.template.metadata.labels", &labels, detail);
    }
    job_spec(spec, "spec", errors);
}

fn change(spec: &Value, old: &Value, errors: &mut Errors) {
    let number = |spec: &Value, key: &str| spec.get(key).and_then(Value::as_i64);
    let completions = number(spec, "completions");
    if text(spec, "completionMode") != "Indexed" {
        let (new, old) = (spec.get("completions"), old.get("completions"));
        unchanged(errors, "spec.completions", new, old);
    } else if completions != number(old, "completions")
        && completions.is_some_and(|completions| Some(completions) != number(spec, "parallelism"))
    {
        let detail = "can only be modified in tandem with spec.parallelism";
        invalid(errors, "spec.completions", &completions, detail);
    }
    unchanged(errors, "spec.selector", spec.get("selector"), old.get("selector"));
    let mut template = old.get("template").cloned().unwrap_or_default();
    let is_suspended = old.get("suspend") == Some(&Value::Bool(true));
    if is_suspended {
        for path in SCHEDULING {
            let (parent, key) = path.rsplit_once('/').unwrap_or_default();
            let new = spec
                .get("template")
                .and_then(|template| template.pointer(path))
                .cloned();
            if let Some(part) = template.pointer_mut(parent) {
                crate::kind::put(part, key, new);
            }
        }
    }
    let new = spec.get("template").cloned().unwrap_or_default();
    if new != template {
        let new = GoValue::of("PodTemplateSpec", &new);
        invalid(errors, "spec.template", &new, "field is immutable");
    }
    for key in [
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy",
    ] {
        unchanged(errors, &format!("spec.{key}"), spec.get(key), old.get(key));
    }
}

fn job_spec(spec: &Value, field: &str, errors: &mut Errors) {
    let at = |key: &str| format!("{field}.{key}");
    let numbers = [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ];
    not_negative(errors, spec, field, &numbers);
    let mode = text(spec, "completionMode");
    match mode {
        "" | "NonIndexed" => {
            for key in ["backoffLimitPerIndex", "maxFailedIndexes"] {
                if let Some(number) = spec.get(key).filter(|number| number.is_number()) {
                    invalid(errors, at(key), number, "requires indexed completion mode");
                }
            }
        }
        "Indexed" => {
            if !has(spec, "completions") {
                required(errors, at("completions"), "when completion mode is Indexed");
            }
        }
        other => one_of(errors, at("completionMode"), other, &["NonIndexed", "Indexed"]),
    }
    if has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex") {
        required(
            errors,
            at("backoffLimitPerIndex"),
            "when maxFailedIndexes is specified",
        );
    }
    let template = spec.pointer("/template/spec");
    pods::spec(template, &at("template.spec"), errors);
    let policy = template.map_or("", |template| text(template, "restartPolicy"));
    let field = at("template.spec.restartPolicy");
    match policy {
        "OnFailure" if has(spec, "podFailurePolicy") => {
            let detail = "only \"Never\" is supported when podFailurePolicy is specified";
            invalid(errors, field, policy, detail);
        }
        "OnFailure" | "Never" => {}
        "Always" | "" => required(errors, field, "valid values: \"OnFailure\", \"Never\""),
        other => errors.push(FieldError::not_supported(field, other, &["OnFailure", "Never"])),
    }
}

pub(super) fn cron_job(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let schedule = text(spec, "schedule");
    if schedule.is_empty() {
        required(errors, "spec.schedule", "");
    } else {
        if let Err(mistake) = schedule::check(schedule) {
            invalid(errors, "spec.schedule", schedule, mistake);
        }
        let had_zone = old
            .and_then(|old| old.pointer("/spec/schedule"))
            .and_then(Value::as_str)
            .is_some_and(|schedule| schedule.contains("TZ"));
        if schedule.contains("TZ") && !had_zone {
            let detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
            invalid(errors, "spec.schedule", schedule, detail);
        }
    }
    let numbers = [
        "startingDeadlineSeconds",
        "successfulJobsHistoryLimit",
        "failedJobsHistoryLimit",
    ];
    not_negative(errors, spec, "spec", &numbers);
    if let Some(zone) = spec.get("timeZone").and_then(Value::as_str) {
        time_zone(errors, zone);
    }
    one_of(
        errors,
        "spec.concurrencyPolicy",
        text(spec, "concurrencyPolicy"),
        &["Allow", "Forbid", "Replace"],
    );
    let job = spec.pointer("/jobTemplate/spec").unwrap_or(&nothing);
    job_spec(job, "spec.jobTemplate.spec", errors);
    if let Some(selector) = job.get("selector").filter(|selector| selector.is_object()) {
        let detail = "`selector` will be auto-generated";
        invalid(errors, "spec.jobTemplate.spec.selector", selector, detail);
    }
    let name = crate::meta::name(object);
    if old.is_none() && name.len() > LONGEST_NAME {
        invalid(
            errors,
            "metadata.name",
            name,
            "must be no more than 52 characters",
        );
    }
}

/// Checks a time zone, as far as that is possible without the database of time zones.
fn time_zone(errors: &mut Errors, zone: &str) {
    let field = "spec.timeZone";
    if zone.is_empty() {
        invalid(errors, field, zone, "timeZone must be nil or non-empty string");
        return;
    }
    let is_plain = |part: &str| {
        let is_letter =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+' | '.');
        !matches!(part, "" | "." | "..") && !part.starts_with('-') && part.chars().all(is_letter)
    };
    if !zone.split('/').all(is_plain) {
        invalid(errors, field, zone, format!("unknown time zone {zone}"));
    } else if zone.eq_ignore_ascii_case("local") {
        let detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        invalid(errors, field, zone, detail);
    } else if !kgen_cel::go_time::is_time_zone(zone) {
        invalid(errors, field, zone, format!("unknown time zone {zone}"));
    }
}
