//! The reference of kgen: markers, problems, completions for the shell.

use std::fmt::Write;

use clap_complete::Shell;
use kgen_build::Generator;
use kgen_diagnostics::{Code, Problem, nearest};
use kgen_markers::{Selection, render_json, render_markdown, render_text, select};

use crate::completion;
use crate::terminal::{Exit, Terminal};

/// The form in which markers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerFormat {
    Text,
    Json,
    Markdown,
}

/// Runs `kgen markers [NAME]`.
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

/// Runs `kgen explain [CODE]`.
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
    let problem = Problem::general(Code::Usage, format!("there is no diagnostic `{name}`"));
    let problem = match nearest(name, Code::ALL.iter().map(|code| code.name())) {
        Some(near) => problem.meant(near),
        None => problem,
    };
    terminal.problem(problem.help("run `kgen explain` to list all of them"))
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

/// Runs `kgen completions SHELL`.
pub(crate) fn completions(shell: Shell, terminal: Terminal) -> Exit {
    match completion::registration(shell) {
        Ok(script) => terminal.product(&script),
        Err(error) => {
            let message = format!("cannot print the completions: {error}");
            terminal.problem(Problem::general(Code::Io, message))
        }
    }
}

/// Runs `kgen GENERATOR -w`, up to `-wwww`.
pub(crate) fn which_markers(generators: &[&Generator], detail: u8, terminal: Terminal) -> Exit {
    let markers: Vec<_> = kgen_markers::definitions()
        .iter()
        .filter(|marker| {
            generators.is_empty()
                || generators
                    .iter()
                    .any(|generator| generator.reads(marker.family.word))
        })
        .collect();
    let selection = |markers, in_full| Selection { markers, in_full };
    terminal.product(&match detail {
        1 => render_text(&selection(markers, false)),
        2 | 3 => {
            let pages = markers
                .into_iter()
                .map(|marker| render_text(&selection(vec![marker], true)));
            pages.collect::<Vec<_>>().join("\n")
        }
        _ => render_json(&selection(markers, true)),
    })
}
