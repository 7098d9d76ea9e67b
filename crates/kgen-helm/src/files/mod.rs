//! The files of a chart besides the templates of objects: helpers, notes, the test, values, schema and `Chart.yaml`.

use kgen_diagnostics::Problems;
use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};
use serde_json::{Map, Value, json};

use crate::GENERATOR;
use crate::merge;
use crate::options::Crds;
use crate::print::literal;
use crate::template::Context;
use crate::tree::Expression;
use crate::values::{self, Row};

/// Returns the templates that are not objects of the manifests.
pub(crate) fn templates(context: &Context<'_>) -> Vec<(&'static str, String)> {
    let chart = &context.options.name;
    let suffix = |name: &str| match context.names.expression(name) {
        Expression::Name(suffix) => literal(&suffix),
        _ => literal(name),
    };
    let operator = context.operator;
    let has_account = operator
        .manifests
        .objects
        .iter()
        .any(|object| operator.is_account(object));
    let creates = if has_account {
        ".Values.serviceAccount.create"
    } else {
        "false"
    };
    let mut helpers = include_str!("helpers.tpl").to_owned();
    helpers.push_str(
        &include_str!("account.tpl")
            .replace("CREATES", creates)
            .replace("ACCOUNT", &suffix(operator.deployment.service_account())),
    );
    if let Some(webhooks) = &operator.webhooks
        && let Some((_, secret)) = webhooks.volume
    {
        helpers.push_str(
            &include_str!("webhook.tpl")
                .replace("SECRET", &suffix(secret))
                .replace("SERVICE", &suffix(webhooks.service.name())),
        );
    }
    let notes = "{{ $.Chart.Name }} {{ $.Chart.AppVersion }} is installed in the namespace {{ $.Release.Namespace }}.\n\n\
                 Wait until it is ready:\n\n  \
                 kubectl --namespace {{ $.Release.Namespace }} rollout status deployment DEPLOYMENT\n";
    let deployment = format!(
        "{{{{ include \"{chart}.object\" (dict \"root\" $ \"suffix\" {}) }}}}",
        suffix(operator.deployment.name())
    );
    let test = include_str!("ready.yaml").replace("DEPLOYMENT", &deployment);
    vec![
        ("_helpers.tpl", helpers.replace("CHART", chart)),
        ("NOTES.txt", notes.replace("DEPLOYMENT", &deployment)),
        ("tests/ready.yaml", test.replace("CHART", chart)),
    ]
}

/// Returns the files outside of `templates/`.
pub(crate) fn others(context: &Context<'_>, rows: &[Row], problems: &mut Problems) -> Vec<Artifact> {
    let ours: Vec<(String, Value)> = rows
        .iter()
        .map(|row| (row.path.to_owned(), row.default.clone()))
        .collect();
    let existing = &context.options.existing;
    let mut merged = merge::merge("values.yaml", existing.get("values.yaml"), &ours, problems);
    let extra = context.options.extra_values.as_ref().and_then(Value::as_object);
    for (key, value) in extra.into_iter().flatten() {
        merged.own.entry(key.clone()).or_insert_with(|| value.clone());
    }
    vec![
        artifact("Chart.yaml", chart_yaml(context, problems)),
        artifact("values.yaml", values_yaml(rows, &merged)),
        artifact("values.schema.json", schema(rows, &merged)),
        artifact("README.md", readme(context, rows)),
        artifact(
            ".helmignore",
            format!("{}\n.git/\n*.tgz\n*.swp\n.DS_Store\n", line(Language::Yaml)),
        ),
    ]
}

fn artifact(name: &str, text: String) -> Artifact {
    Artifact {
        name: name.to_owned(),
        generator: GENERATOR,
        text,
    }
}

fn line(language: Language) -> String {
    GeneratedLine {
        language,
        generator: GENERATOR,
        source: "",
    }
    .to_string()
}

fn chart_yaml(context: &Context<'_>, problems: &mut Problems) -> String {
    let options = context.options;
    let app_version = values::app_version(context.operator, options);
    let description = match options.description.as_str() {
        "" => format!("The operator {}", options.name),
        given => given.to_owned(),
    };
    let mut ours = vec![
        ("apiVersion".to_owned(), json!("v2")),
        ("name".to_owned(), json!(options.name)),
        ("description".to_owned(), json!(description)),
        ("type".to_owned(), json!("application")),
        ("version".to_owned(), json!(options.version)),
        ("appVersion".to_owned(), json!(app_version)),
    ];
    if !options.keywords.is_empty() {
        ours.push(("keywords".to_owned(), json!(options.keywords)));
    }
    if !options.repository.is_empty() {
        ours.push(("home".to_owned(), json!(options.repository)));
        ours.push(("sources".to_owned(), json!([options.repository])));
    }
    let maintainers: Vec<Value> = options.authors.iter().map(|author| maintainer(author)).collect();
    if !maintainers.is_empty() {
        ours.push(("maintainers".to_owned(), json!(maintainers)));
    }
    let merged = merge::merge("Chart.yaml", options.existing.get("Chart.yaml"), &ours, problems);
    let mut text = format!("{MERGED}\n{}", merged.header);
    for (path, _) in &ours {
        if let Some(value) = merged.values.get(path) {
            text.push_str(&entry(path, value));
        }
    }
    for (key, value) in &merged.own {
        text.push_str(&entry(key, value));
    }
    text
}

/// The first line of files that are merged by key.
pub(crate) const MERGED: &str = "# @generated by kgen helm. Your changes are kept.";

fn entry(key: &str, value: &Value) -> String {
    kgen_yaml::to_string(&Value::Object(
        [(key.to_owned(), value.clone())].into_iter().collect(),
    ))
}

fn maintainer(author: &str) -> Value {
    match author.split_once('<') {
        Some((name, email)) => json!({ "name": name.trim(), "email": email.trim_end_matches('>').trim() }),
        None => json!({ "name": author.trim() }),
    }
}

fn values_yaml(rows: &[Row], merged: &merge::Merged) -> String {
    let mut text = format!("{MERGED}\n{}", merged.header);
    let mut open: Vec<&str> = Vec::new();
    for row in rows {
        let keys: Vec<&str> = row.path.split('.').collect();
        let Some((last, groups)) = keys.split_last() else {
            continue;
        };
        for (depth, group) in groups.iter().enumerate() {
            if open.get(..=depth) != groups.get(..=depth) {
                text.push_str(&format!("{}{group}:\n", "  ".repeat(depth)));
            }
        }
        open = groups.to_vec();
        let indent = "  ".repeat(groups.len());
        text.push_str(&format!("{indent}# {}\n", row.comment));
        let value = merged.values.get(row.path).unwrap_or(&row.default);
        for line in entry(last, value).lines() {
            text.push_str(&format!("{indent}{line}\n"));
        }
    }
    for (key, value) in &merged.own {
        text.push_str(&entry(key, value));
    }
    text
}

fn schema(rows: &[Row], merged: &merge::Merged) -> String {
    let mut root = group();
    for row in rows {
        let mut node = &mut root;
        let mut keys = row.path.split('.').peekable();
        while let Some(key) = keys.next() {
            node = &mut node["properties"][key];
            if keys.peek().is_some() && node.is_null() {
                *node = group();
            }
        }
        let mut schema = row.schema.clone();
        schema["description"] = row.comment.into();
        *node = schema;
    }
    root["properties"]["global"] = json!({ "type": "object" });
    for key in merged.own.keys() {
        root["properties"][key.as_str()] = json!({});
    }
    root["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    let text = serde_json::to_string_pretty(&root).unwrap_or_default();
    format!(
        "{}{}\n",
        line(Language::Json),
        text.strip_prefix('{').unwrap_or_default()
    )
}

fn group() -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": Map::new() })
}

fn readme(context: &Context<'_>, rows: &[Row]) -> String {
    let name = &context.options.name;
    let mut text = format!("{}\n\n# {name}\n\n", line(Language::Html));
    if !context.options.description.is_empty() {
        text.push_str(&format!("{}\n\n", context.options.description));
    }
    text.push_str(&format!(
        "    helm install {name} . --namespace {name}-system --create-namespace\n\n"
    ));
    if context.options.crds == Crds::None {
        text.push_str("The chart does not contain the CRDs.\n\n");
    }
    text.push_str("| value | meaning | default |\n|---|---|---|\n");
    for row in rows {
        let default = row.default.to_string().replace('|', "\\|");
        text.push_str(&format!("| `{}` | {} | `{default}` |\n", row.path, row.comment));
    }
    text
}
