//! What kgen knows about itself: markers, diagnostics, completions for the shell.

use std::fmt::Write;

use clap_complete::Shell;
use kgen_diagnostics::{Code, Problem, nearest};
use kgen_markers::{render_json, render_markdown, render_text, select};

use crate::command;
use crate::terminal::{Exit, Terminal};

/// The form in which markers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerFormat {
    Text,
    Json,
    Markdown,
}

/// `kgen markers [NAME]`.
pub(crate) fn markers(name: Option<&str>, format: MarkerFormat, terminal: Terminal) -> Exit {
    match select(name) {
        Ok(selection) => terminal.product(&match format {
            MarkerFormat::Text => render_text(&selection),
            MarkerFormat::Json => render_json(&selection),
            MarkerFormat::Markdown => render_markdown(&selection),
        }),
        Err(problem) => terminal.problem(problem),
    }
}

/// `kgen explain [CODE]`.
pub(crate) fn explain(name: Option<&str>, terminal: Terminal) -> Exit {
    let Some(name) = name else {
        return terminal.product(&list_of_codes());
    };
    let name = name.trim_start_matches("error[").trim_end_matches(']');
    if let Some(code) = Code::find(name) {
        let mut page = format!(
            "{}: {}\n\n{}",
            code.name(),
            code.summary(),
            code.explanation().trim_end()
        );
        page.push('\n');
        return terminal.product(&page);
    }
    let problem = Problem::general(Code::Usage, format!("no diagnostic is called `{name}`"));
    let problem = match nearest(name, Code::ALL.iter().map(|code| code.name())) {
        Some(near) => problem.meant(near),
        None => problem,
    };
    terminal.problem(problem.help("`kgen explain` lists all of them"))
}

fn list_of_codes() -> String {
    let width = Code::ALL
        .iter()
        .map(|code| code.name().len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for code in Code::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {}", code.name(), code.summary());
    }
    text
}

/// `kgen completions SHELL`.
pub(crate) fn completions(shell: Shell, terminal: Terminal) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command::command(), command::NAME, &mut script);
    terminal.product(&String::from_utf8_lossy(&script))
}
