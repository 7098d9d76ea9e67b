//! A new project: how long each command takes that creates, extends, updates or reduces one, with everything that it generates.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use super::measure::measure;
use super::report::{Report, Task};
use super::rounds::{Tools, remove};

/// The arguments that name the kind of the project.
const KIND: &str = "--group webapp --version v1 --kind Guestbook -q";

/// Begins a project in `folder`, adds a kind and its webhooks, and removes them again.
pub fn measure_round(tools: &Tools, folder: &Path, round: u32, report: &mut Report) -> Result<()> {
    if round > tools.runs {
        return Ok(());
    }
    let (project, copy) = (folder.join("project"), folder.join("from-go"));
    remove(&project)?;
    remove(&copy)?;
    for task in Task::OF_PROJECTS {
        let (place, text) = match task {
            Task::Init => (folder, "init project --domain example.com -q".to_owned()),
            Task::CreateWebhook => (
                &*project,
                format!("create webhook --defaulting --validation {KIND}"),
            ),
            Task::Update => (&*project, "update -q".to_owned()),
            Task::InitFrom => (folder, "init from-go -q --from".to_owned()),
            other => (
                &*project,
                format!("{} {KIND}", other.name().trim_start_matches("kgen ")),
            ),
        };
        let mut arguments: Vec<OsString> = text.split(' ').map(Into::into).collect();
        if task == Task::InitFrom {
            arguments.push(tools.go_project.clone().into());
        }
        let run = measure(&tools.kgen, &arguments, place)?;
        if round > 0 {
            report.add(1, task, run);
        }
    }
    Ok(())
}
