//! The Helm chart of an operator, from its rendered manifests.
//!
//! `operator` finds the parts of the operator, `values` is the table of values, and `template` turns objects into trees of
//! YAML and expressions. `files` writes everything, and `merge` keeps the changes of users. Nothing here touches the disk.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod crds;
mod files;
mod merge;
mod names;
mod operator;
mod options;
mod print;
mod template;
mod tree;
mod values;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;
use kgen_manifests::Manifests;
use kgen_model::{GeneratedLine, Language};

pub use crds::folder_of_crds;
pub use options::{Crds, HelmOptions};
pub use values::{ALL, Row};

/// The name of this generator on the command line and in the first line of its files.
const GENERATOR: &str = "helm";

/// Generates the chart.
#[must_use]
pub fn generate(manifests: &Manifests, options: &HelmOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let artifacts = chart(manifests, options, &mut problems).unwrap_or_default();
    if problems.has_errors() {
        return (Vec::new(), problems);
    }
    (artifacts, problems)
}

/// Returns the values of the chart; empty if the manifests have no operator.
#[must_use]
pub fn values(manifests: &Manifests, options: &HelmOptions) -> Vec<Row> {
    operator::Operator::find(manifests, &mut Problems::new())
        .map(|operator| values::rows(&operator, options))
        .unwrap_or_default()
}

fn chart(manifests: &Manifests, options: &HelmOptions, problems: &mut Problems) -> Option<Vec<Artifact>> {
    if !is_chart_name(&options.name) {
        let message = format!("`{}` is not the name of a chart", options.name);
        problems.push(
            Problem::general(Code::HelmName, message).help(
                "use lowercase letters, digits and dashes, at most 53 characters, in `name` of `[helm]`",
            ),
        );
        return None;
    }
    let operator = operator::Operator::find(manifests, problems)?;
    if options.crds != Crds::None && manifests.definitions().next().is_none() {
        problems.push(
            Problem::general_warning(
                Code::HelmObject,
                "the manifests have no CRDs, so the chart installs none",
            )
            .help("add the folder with the CRDs to the manifests, or set `crds = \"none\"` in `[helm]`"),
        );
    }
    let names = names::Names::collect(manifests, operator.namespace(), &options.name, problems);
    let context = template::Context {
        operator: &operator,
        names: &names,
        options,
    };
    let rows = values::rows(&operator, options);
    let mut artifacts = Vec::new();
    let mut templates = template::files(&context, problems);
    if options.crds == Crds::Chart {
        let is_definition = |file: &String| file.starts_with(template::CRDS);
        let (definitions, others) = templates.into_iter().partition(|(file, _)| is_definition(file));
        templates = others;
        artifacts.extend(crds::chart(&context, definitions, problems));
    }
    for (file, documents) in templates {
        let text = print::documents(&options.name, &documents);
        let name = format!("templates/{file}");
        artifacts.extend(template_artifact(name, &text, options, problems));
    }
    for (file, text) in files::templates(&context) {
        let name = format!("templates/{file}");
        artifacts.extend(template_artifact(name, &text, options, problems));
    }
    artifacts.extend(files::others(&context, &rows, problems));
    artifacts.sort_by(|left, right| left.name.cmp(&right.name));
    Some(artifacts)
}

/// Returns whether Helm accepts the name of a chart, and objects can start with it.
fn is_chart_name(name: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty()
        && name.len() <= 53
        && name.bytes().all(is_sign)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

/// Returns a template with its header and hash; `None` if it belongs to the user. A template of kgen that was edited is a
/// problem.
fn template_artifact(
    name: String,
    text: &str,
    options: &HelmOptions,
    problems: &mut Problems,
) -> Option<Artifact> {
    if files::is_kept(&name, options, problems) {
        return None;
    }
    if let Some(old) = options.existing.get(&name)
        && merge::is_edited(old)
        && !options.force
    {
        let message = format!("`{name}` of the chart was edited after kgen wrote it");
        problems.push(
            Problem::general(Code::HelmMerge, message)
                .help("move the change to a template of your own, or discard it with `--force`")
                .help("or remove the first line: the file is then yours, and kgen no longer updates it"),
        );
    }
    let line = GeneratedLine {
        language: Language::Template,
        generator: GENERATOR,
        source: "",
    };
    Some(Artifact {
        name,
        generator: GENERATOR,
        text: format!("{line}\n{}\n{text}", merge::template_hash(text)),
    })
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
