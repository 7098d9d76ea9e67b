//! Commands of the client: previews of CRDs, runs that write or compare, and the changes since the default branch.

use kgen_build::{
    Action, ChangeAction, Comparison, Configuration, DiffRequest, Findings, Level, Overlay, run,
};
use kgen_diagnostics::words::counted;
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::documents::Documents;
use crate::preview::{self, Preview};
use crate::problems::{self, ByFile};
use crate::project::Project;
use crate::text::Encoding;
use crate::uri;

pub(crate) const PREVIEW: &str = "kgen.preview";
const GENERATE: &str = "kgen.generate";
const VERIFY: &str = "kgen.verify";
const DIFF: &str = "kgen.diff";

/// All commands.
pub(crate) const NAMES: &[&str] = &[PREVIEW, GENERATE, VERIFY, DIFF];

/// The result of a command.
#[derive(Default)]
pub(crate) struct Executed {
    pub(crate) value: Value,
    /// A message for the user.
    pub(crate) message: Option<String>,
    pub(crate) has_written: bool,
    /// The preview that the client shows from now on.
    pub(crate) preview: Option<(String, Preview)>,
}

pub(crate) fn execute(
    projects: &[Project],
    documents: &Documents,
    snapshot: &Snapshot,
    encoding: Encoding,
    params: &Value,
) -> Executed {
    let name = params.get("command").and_then(Value::as_str).unwrap_or_default();
    match name {
        PREVIEW => {
            let arguments = params.get("arguments").unwrap_or(&Value::Null);
            match preview::wanted(documents, snapshot, encoding, arguments) {
                Some((uri, preview)) => Executed {
                    value: preview.to_json(&uri),
                    preview: Some((uri, preview)),
                    ..Executed::default()
                },
                None => Executed {
                    message: Some("the CRD cannot be shown while its source has errors".to_owned()),
                    ..Executed::default()
                },
            }
        }
        GENERATE => each(projects, Action::Write),
        VERIFY => each(projects, Action::Verify),
        DIFF => diff(projects, documents, encoding),
        _ => Executed {
            message: Some(format!("kgen does not have the command `{name}`")),
            ..Executed::default()
        },
    }
}

/// Runs every project with the files on disk.
fn each(projects: &[Project], action: Action) -> Executed {
    let (mut changed, mut failed) = (0, 0);
    let mut reason = None;
    for project in projects {
        let configuration = match project.configuration(Overlay::default()) {
            Ok(configuration) => configuration,
            Err(findings) => {
                failed += 1;
                reason = reason.or_else(|| first_error(&[*findings]));
                continue;
            }
        };
        let report = run(&Configuration {
            action,
            ..configuration
        });
        if report.has_errors() {
            failed += 1;
            reason = reason.or_else(|| first_error(&report.findings));
        }
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
        (0, Action::Verify) if changed == 1 => "1 generated file does not match its source".to_owned(),
        (0, Action::Verify) => format!("{changed} generated files do not match their source"),
        (0, _) => format!("{} written", counted(changed, "file")),
        (_, _) => {
            let what = if action == Action::Verify {
                "compared"
            } else {
                "generated"
            };
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("the source has errors, so nothing was {what}{reason}")
        }
    };
    Executed {
        value: json!({"changed": changed, "failed": failed}),
        message: Some(message),
        has_written: action == Action::Write,
        ..Executed::default()
    }
}

/// Returns the first error, with its place.
fn first_error(findings: &[Findings]) -> Option<String> {
    let found = findings.iter().find_map(|findings| {
        let error = findings.problems.iter().find(|problem| problem.is_error())?;
        let place = kgen_build::place_of(error.span, &findings.files);
        Some((place, error.message.clone()))
    });
    found.map(|(place, message)| match place {
        Some(place) => format!("{}:{}: {message}", place.file, place.line),
        None => message,
    })
}

/// Compares the present texts of every project with the default branch, or with the revision of the configuration.
fn diff(projects: &[Project], documents: &Documents, encoding: Encoding) -> Executed {
    let mut messages = Vec::new();
    let mut levels = [0; 3];
    let mut list: Vec<Value> = Vec::new();
    for project in projects {
        let compared = project
            .configuration(documents.overlay())
            .map_err(|findings| *findings)
            .and_then(|configuration| kgen_build::diff(&configuration, &DiffRequest::of(&configuration)));
        match compared {
            Ok(comparison) if comparison.failed => {
                let reason = first_error(&comparison.problems);
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                messages.push(format!("the states cannot be compared{reason}"));
            }
            Ok(comparison) => {
                messages.push(comparison.summary());
                let all = [Level::Breaking, Level::Risky, Level::Compatible];
                for (number, level) in levels.iter_mut().zip(all) {
                    *number += comparison.count(level);
                }
                list.extend(changes(&comparison, project, encoding));
            }
            Err(findings) => messages.extend(first_error(&[findings])),
        }
    }
    let [breaking, risky, compatible] = levels;
    Executed {
        value: json!({"breaking": breaking, "risky": risky, "compatible": compatible, "changes": list}),
        message: Some(if messages.is_empty() {
            "there is no project of kgen".to_owned()
        } else {
            messages.join("\n")
        }),
        ..Executed::default()
    }
}

/// Returns the changes with their places, as programs read them.
fn changes(comparison: &Comparison, project: &Project, encoding: Encoding) -> Vec<Value> {
    let mut found = ByFile::new();
    problems::add_changes(
        comparison,
        &project.folder,
        &project.main_file(),
        encoding,
        &mut found,
    );
    let mut list = Vec::new();
    for (path, diagnostics) in found {
        for one in diagnostics {
            list.push(json!({
                "code": one.code.name(),
                "message": one.json.get("message"),
                "location": {"uri": uri::of_path(&path), "range": one.json.get("range")},
            }));
        }
    }
    list
}
