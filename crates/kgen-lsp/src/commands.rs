//! Commands of the client: previews of CRDs, and runs that write or compare.

use kgen_build::{Action, ChangeAction, Configuration, Overlay, run};
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::project::Project;

pub(crate) const PREVIEW: &str = "kgen.preview";
const GENERATE: &str = "kgen.generate";
const VERIFY: &str = "kgen.verify";

/// All commands.
pub(crate) const NAMES: &[&str] = &[PREVIEW, GENERATE, VERIFY];

/// The result of a command.
pub(crate) struct Executed {
    pub(crate) value: Value,
    /// A message for the user.
    pub(crate) message: Option<String>,
    pub(crate) has_written: bool,
}

/// Returns the URI of the preview of a CRD.
pub(crate) fn preview_uri(definition: &str) -> String {
    format!("kgen-crd:/{definition}")
}

/// Returns the CRD of a preview, if the last run has it.
pub(crate) fn preview_text<'a>(snapshot: &'a Snapshot, uri: &str) -> Option<&'a str> {
    let name = uri.strip_prefix("kgen-crd:")?.trim_start_matches('/');
    let definitions = snapshot
        .inspected
        .iter()
        .flat_map(|inspected| &inspected.inspection.definitions);
    let mut definitions = definitions.filter(|definition| definition.name == name);
    definitions.next().map(|definition| definition.text.as_str())
}

pub(crate) fn execute(projects: &[Project], snapshot: &Snapshot, params: &Value) -> Executed {
    let name = params.get("command").and_then(Value::as_str).unwrap_or_default();
    match name {
        PREVIEW => preview(snapshot, params),
        GENERATE => each(projects, Action::Write),
        VERIFY => each(projects, Action::Verify),
        _ => Executed {
            value: Value::Null,
            message: Some(format!("kgen does not have the command `{name}`")),
            has_written: false,
        },
    }
}

fn preview(snapshot: &Snapshot, params: &Value) -> Executed {
    let uri = params
        .pointer("/arguments/0")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = preview_text(snapshot, uri);
    Executed {
        value: text.map_or(Value::Null, |text| json!({"uri": uri, "text": text})),
        message: text
            .is_none()
            .then(|| "the CRD cannot be shown while its source has errors".to_owned()),
        has_written: false,
    }
}

/// Runs every project with the files on disk.
fn each(projects: &[Project], action: Action) -> Executed {
    let (mut changed, mut failed) = (0, 0);
    for project in projects {
        let Ok(configuration) = project.configuration(Overlay::default()) else {
            failed += 1;
            continue;
        };
        let report = run(&Configuration {
            action,
            ..configuration
        });
        failed += usize::from(report.has_errors());
        let is_change = |action: &ChangeAction| !matches!(action, ChangeAction::Same);
        changed += report
            .plan
            .changes
            .iter()
            .filter(|change| is_change(&change.action))
            .count();
    }
    let message = match (failed, action) {
        (0, Action::Verify) if changed == 0 => "generated files match their source".to_owned(),
        (0, Action::Verify) => format!("{changed} generated files do not match their source"),
        (0, _) => format!("{changed} files changed"),
        (_, _) => "the source has errors, so nothing was generated".to_owned(),
    };
    Executed {
        value: json!({"changed": changed, "failed": failed}),
        message: Some(message),
        has_written: action == Action::Write,
    }
}
