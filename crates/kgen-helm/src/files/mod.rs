//! The files of a chart besides the templates of objects: helpers, notes, the test, values, schema and `Chart.yaml`.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};
use serde_json::{Map, Value, json};

use crate::GENERATOR;
use crate::merge::{self, Merged, Setting};
use crate::options::{Crds, HelmOptions};
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

/// Returns the helpers of the chart that has only the CRDs. Their names are those of the release of the operator.
pub(crate) fn helpers_of_crds(context: &Context<'_>) -> String {
    let chart = &context.options.name;
    let mut helpers = include_str!("helpers.tpl")
        .replace(".Release.Name", ".Values.release")
        .replace("default .Chart.Name", &format!("default {}", literal(chart)));
    if let Some(webhooks) = &context.operator.webhooks
        && let Some((_, secret)) = webhooks.volume
    {
        let suffix = match context.names.expression(secret) {
            Expression::Name(suffix) => literal(&suffix),
            _ => literal(secret),
        };
        helpers.push_str(&include_str!("crds.tpl").replace("SECRET", &suffix));
    }
    helpers.replace("CHART", chart)
}

/// Returns the files of that chart outside of `templates/`.
pub(crate) fn others_of_crds(
    context: &Context<'_>,
    folder: &str,
    rows: &[Row],
    problems: &mut Problems,
) -> Vec<Artifact> {
    let name = format!("{}-crds", context.options.name);
    let description = format!("The CRDs of {}", context.options.name);
    let parts = Parts {
        folder,
        readme: readme_of_crds(context, &name, rows),
        chart: chart_yaml(context, folder, &name, &description, problems),
        values: values_yaml(context, folder, rows, None, problems),
    };
    parts.files(context, rows, problems)
}

/// Returns the files outside of `templates/`.
pub(crate) fn others(context: &Context<'_>, rows: &[Row], problems: &mut Problems) -> Vec<Artifact> {
    let options = context.options;
    let description = match options.description.as_str() {
        "" => format!("The operator {}", options.name),
        given => given.to_owned(),
    };
    let extra = options.extra_values.as_ref().and_then(Value::as_object);
    let parts = Parts {
        folder: "",
        readme: readme(context, rows),
        values: values_yaml(context, "", rows, extra, problems),
        chart: chart_yaml(context, "", &options.name, &description, problems),
    };
    parts.files(context, rows, problems)
}

/// The files of a chart outside of `templates/`.
struct Parts<'a> {
    /// The folder, with a slash.
    folder: &'a str,
    readme: String,
    chart: String,
    values: Merged,
}

impl Parts<'_> {
    fn files(self, context: &Context<'_>, rows: &[Row], problems: &mut Problems) -> Vec<Artifact> {
        let generated = [
            ("values.schema.json", schema(rows, &self.values.own)),
            ("README.md", self.readme),
            (
                ".helmignore",
                format!("{}\n.git/\n*.tgz\n*.swp\n.DS_Store\n", line(Language::Yaml)),
            ),
        ];
        let inside = |name: &str| format!("{}{name}", self.folder);
        let mut files = vec![
            artifact(inside("Chart.yaml"), self.chart),
            artifact(inside("values.yaml"), self.values.text),
        ];
        for (name, text) in generated {
            let name = inside(name);
            if !is_kept(&name, context.options, problems) {
                files.push(artifact(name, text));
            }
        }
        files
    }
}

/// Returns whether a file that kgen would write belongs to the user, who removed its first line.
pub(crate) fn is_kept(name: &str, options: &HelmOptions, problems: &mut Problems) -> bool {
    let Some(old) = options.existing.get(name) else {
        return false;
    };
    if old.trim().is_empty() || GeneratedLine::of_text(old).is_some() {
        return false;
    }
    let message = format!("`{name}` of the chart is yours, so kgen does not update it");
    problems
        .push(Problem::note(Code::HelmMerge, message).help("delete the file to get the one of kgen again"));
    true
}

fn artifact(name: String, text: String) -> Artifact {
    Artifact {
        name,
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

fn chart_yaml(
    context: &Context<'_>,
    folder: &str,
    name: &str,
    description: &str,
    problems: &mut Problems,
) -> String {
    let options = context.options;
    let app_version = values::app_version(context.operator, options);
    let mut ours = vec![
        ("apiVersion", json!("v2")),
        ("name", json!(name)),
        ("description", json!(description)),
        ("type", json!("application")),
        ("version", json!(options.version)),
        ("appVersion", json!(app_version)),
    ];
    if !options.keywords.is_empty() {
        ours.push(("keywords", json!(options.keywords)));
    }
    if !options.repository.is_empty() {
        ours.push(("home", json!(options.repository)));
        ours.push(("sources", json!([options.repository])));
    }
    let maintainers: Vec<Value> = options.authors.iter().map(|author| maintainer(author)).collect();
    if !maintainers.is_empty() {
        ours.push(("maintainers", json!(maintainers)));
    }
    let settings: Vec<Setting<'_>> = ours
        .iter()
        .map(|(key, value)| Setting {
            keys: vec![key],
            comment: None,
            value,
        })
        .collect();
    let file = format!("{folder}Chart.yaml");
    merge::merge(&file, options.existing.get(&file), &settings, problems).text
}

fn maintainer(author: &str) -> Value {
    match author.split_once('<') {
        Some((name, email)) => json!({ "name": name.trim(), "email": email.trim_end_matches('>').trim() }),
        None => json!({ "name": author.trim() }),
    }
}

/// Returns `values.yaml`: the values of the chart, those of the extra file, and those of the user.
fn values_yaml(
    context: &Context<'_>,
    folder: &str,
    rows: &[Row],
    extra: Option<&Map<String, Value>>,
    problems: &mut Problems,
) -> Merged {
    let mut settings: Vec<Setting<'_>> = rows
        .iter()
        .map(|row| Setting {
            keys: row.path.split('.').collect(),
            comment: Some(row.comment),
            value: &row.default,
        })
        .collect();
    for (key, value) in extra.into_iter().flatten() {
        if rows.iter().any(|row| row.path.split('.').next() == Some(key)) {
            let message =
                format!("the file of `[helm.values] extra` sets `{key}`, which is a value of the chart");
            problems.push(
                Problem::general(Code::HelmMerge, message)
                    .help("use another key, or change the value in `values.yaml` of the chart"),
            );
            continue;
        }
        settings.push(Setting {
            keys: vec![key],
            comment: None,
            value,
        });
    }
    let file = format!("{folder}values.yaml");
    let mut merged = merge::merge(&file, context.options.existing.get(&file), &settings, problems);
    let extra = settings.iter().filter(|setting| setting.comment.is_none());
    merged.own.extend(
        extra
            .flat_map(|setting| &setting.keys)
            .map(|key| (*key).to_owned()),
    );
    merged
}

fn schema(rows: &[Row], own: &[String]) -> String {
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
    for key in own {
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
    match context.options.crds {
        Crds::Templates => {}
        Crds::Chart => text.push_str(&format!(
            "The CRDs are in the chart `{name}-crds`: install it first.\n\n"
        )),
        Crds::None => text.push_str("The chart does not contain the CRDs.\n\n"),
    }
    table(rows, &mut text);
    text
}

fn readme_of_crds(context: &Context<'_>, name: &str, rows: &[Row]) -> String {
    let operator = &context.options.name;
    let mut text = format!(
        "{}\n\n# {name}\n\nThe CRDs of {operator}.\n\n",
        line(Language::Html)
    );
    text.push_str(&format!(
        "    helm install {name} . --namespace {operator}-system --create-namespace\n\n"
    ));
    if rows.iter().any(|row| row.path == "webhook.certificate") {
        text.push_str(
            "If cert-manager does not issue the certificate of the webhooks, upgrade this chart after you have installed the \
             operator: the CRDs then have its CA.\n\n",
        );
    }
    table(rows, &mut text);
    text
}

fn table(rows: &[Row], text: &mut String) {
    text.push_str("| value | meaning | default |\n|---|---|---|\n");
    for row in rows {
        let default = row.default.to_string().replace('|', "\\|");
        text.push_str(&format!("| `{}` | {} | `{default}` |\n", row.path, row.comment));
    }
}
