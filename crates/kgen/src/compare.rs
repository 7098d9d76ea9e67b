//! `kgen diff`: runs the comparison, and shows its findings to people, programs and GitHub.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use kgen_build::{
    Compared, Comparison, Configuration, DiffRequest, Findings, Level, Shown, StateName, Witness, as_problem,
    find_project_file, place_of, read_project_file,
};
use kgen_diagnostics::{Code, Files, Format, Problem, Renderer};
use serde_json::{Value, json};

use crate::compare_command::DiffCall;
use crate::terminal::{Exit, Terminal};

/// Carries out the call.
pub(crate) fn run(call: &DiffCall, terminal: Terminal) -> Exit {
    match compared(call) {
        Ok((comparison, fail_on, working_folder)) => {
            show(call, &comparison, fail_on, &working_folder, terminal)
        }
        Err(findings) => {
            terminal.findings(&[*findings]);
            Exit::Failure
        }
    }
}

fn usage(message: impl Into<String>) -> Box<Findings> {
    Box::new(Findings::of(Problem::general(Code::Usage, message)))
}

/// Returns the configuration of a call that reads the source of a project, or of the current folder.
pub(crate) fn configuration(config: Option<&Path>) -> Result<Configuration, Box<Findings>> {
    let working_folder = std::env::current_dir().map_err(|error| {
        let message = format!("cannot determine the current folder: {error}");
        Box::new(Findings::of(Problem::general(Code::Io, message)))
    })?;
    let found = config
        .map(Path::to_owned)
        .or_else(|| find_project_file(&working_folder));
    match found {
        Some(file) => Ok(read_project_file(&file, &working_folder)?),
        None => Ok(Configuration {
            working_folder,
            ..Configuration::default()
        }),
    }
}

/// Splits `paths=a;b` from the other words.
pub(crate) fn split_paths(words: &[String]) -> (Vec<&String>, Vec<&str>) {
    let (mut others, mut paths) = (Vec::new(), Vec::new());
    for word in words {
        match word.strip_prefix("paths=") {
            Some(list) => paths.extend(list.split(';').filter(|path| !path.is_empty())),
            None => others.push(word),
        }
    }
    (others, paths)
}

fn compared(call: &DiffCall) -> Result<(Comparison, Level, PathBuf), Box<Findings>> {
    let configuration = configuration(call.config.as_deref())?;
    let (mut states, paths) = split_paths(&call.words);
    let access = states.first().is_some_and(|word| *word == "rbac");
    if access {
        states.remove(0);
    }
    let word = |word: &String| -> Result<StateName, Box<Findings>> {
        if word != "-" {
            return Ok(StateName::Word(word.clone()));
        }
        let text = kgen_build::read_standard_input()
            .map_err(|error| usage(format!("cannot read standard input: {error}")))?;
        Ok(StateName::Text(text))
    };
    let (old, new) = match states.as_slice() {
        [] => {
            let DiffRequest { old, new, .. } = DiffRequest::of(&configuration);
            (old, new)
        }
        [old] => (word(old)?, StateName::WorkingTree),
        [old, new] if *old == "-" && *new == "-" => {
            return Err(usage("standard input can be only one of the two states"));
        }
        [old, new] => (word(old)?, word(new)?),
        [_, _, extra, ..] => {
            let findings = Findings::of(
                Problem::general(Code::Usage, format!("`{extra}` is a third state"))
                    .help("name the old and the new state: `kgen diff OLD NEW`"),
            );
            return Err(Box::new(findings));
        }
    };
    let fail_on = call
        .fail_on
        .or(configuration.diff.fail_on)
        .unwrap_or(Level::Breaking);
    let request = DiffRequest {
        old,
        new,
        paths: paths
            .into_iter()
            .map(|path| configuration.working_folder.join(path))
            .collect(),
        kind: call.kind.clone(),
        access,
    };
    let comparison = kgen_build::diff(&configuration, &request)?;
    Ok((comparison, fail_on, configuration.working_folder))
}

fn show(
    call: &DiffCall,
    comparison: &Comparison,
    fail_on: Level,
    working_folder: &Path,
    terminal: Terminal,
) -> Exit {
    terminal.findings(&comparison.problems);
    if comparison.failed {
        return Exit::Problems;
    }
    let shown = match terminal.format {
        Format::Human => human(call.level, comparison, terminal),
        Format::Github => github(call.level, comparison),
        Format::Json => json_lines(comparison),
    };
    let printed = terminal.product(&shown);
    if let Some(folder) = &call.witness
        && let Err(findings) = comparison
            .witness_files(&working_folder.join(folder), working_folder)
            .carry_out()
    {
        terminal.findings(&[findings]);
        return Exit::Failure;
    }
    let fails = comparison.verdict().0.is_some_and(|level| level >= fail_on);
    printed.max(if fails { Exit::Problems } else { Exit::Fine })
}

/// Shows one block for all findings with the same code at the same place.
fn human(level: Level, comparison: &Comparison, terminal: Terminal) -> String {
    let renderer = Renderer {
        format: Format::Human,
        color: terminal.product_has_color(),
    };
    let mut blocks: BTreeMap<_, Vec<&Compared>> = BTreeMap::new();
    let mut order = Vec::new();
    for compared in comparison
        .findings
        .iter()
        .filter(|compared| compared.finding.level >= level)
    {
        let finding = &compared.finding;
        let key = (
            finding.code,
            compared.pair,
            finding.new,
            finding.old,
            finding.kind.clone(),
        );
        if !blocks.contains_key(&key) {
            order.push(key.clone());
        }
        blocks.entry(key).or_default().push(compared);
    }
    let mut text = String::new();
    for key in order {
        let Some([first, others @ ..]) = blocks.get(&key).map(Vec::as_slice) else {
            continue;
        };
        let mut shown = as_problem(first, comparison, false);
        if !others.is_empty() {
            let places = others.iter().map(|other| format!("`{}`", other.finding.path));
            let places: Vec<String> = places.take(8).collect();
            let more = others.len().saturating_sub(places.len());
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            shown
                .remarks
                .insert(0, ("also", format!("{}{more}", places.join(", "))));
        }
        text.push_str(&rendered(&shown, renderer));
    }
    text.push_str(&comparison.summary());
    text.push('\n');
    text
}

fn rendered(shown: &Shown<'_>, renderer: Renderer) -> String {
    let none = Files::default();
    renderer.render_with(&shown.problem, &shown.remarks, shown.files.unwrap_or(&none))
}

fn github(level: Level, comparison: &Comparison) -> String {
    let renderer = Renderer {
        format: Format::Github,
        color: false,
    };
    let mut text = String::new();
    for compared in comparison
        .findings
        .iter()
        .filter(|compared| compared.finding.level >= level)
    {
        let shown = as_problem(compared, comparison, true);
        text.push_str(&rendered(&shown, renderer));
    }
    let _ = writeln!(text, "::notice title=kgen diff::{}", comparison.summary());
    text
}

fn json_lines(comparison: &Comparison) -> String {
    let mut text = String::new();
    for compared in &comparison.findings {
        let _ = writeln!(text, "{}", json_line(compared, comparison));
    }
    let summary = json!({"summary": {
        "breaking": comparison.count(Level::Breaking),
        "risky": comparison.count(Level::Risky),
        "compatible": comparison.count(Level::Compatible),
        "verdict": comparison.verdict().word(),
    }});
    let _ = writeln!(text, "{summary}");
    text
}

fn json_line(compared: &Compared, comparison: &Comparison) -> String {
    let finding = &compared.finding;
    let problem = as_problem(compared, comparison, false).problem;
    let mut members: Vec<String> = Vec::new();
    let mut put = |name: &str, value: Value| members.push(format!("\"{name}\":{value}"));
    put("code", finding.code.name().into());
    put("severity", problem.severity.word().into());
    put("level", finding.level.word().into());
    put("kind", finding.kind.as_str().into());
    put("group", finding.group.as_str().into());
    if let Some(version) = &finding.version {
        put("version", version.as_str().into());
    }
    put("path", finding.path.as_str().into());
    put("message", finding.message.as_str().into());
    let files = comparison.files.get(compared.pair);
    let new = files.and_then(|(_, new)| place_of(finding.new, new));
    let old = files.and_then(|(old, _)| place_of(finding.old, old));
    if let Some(place) = new.as_ref().or(old.as_ref()) {
        put("file", place.file.as_str().into());
        put("line", place.line.into());
        put("column", place.column.into());
    }
    match (&new, &old) {
        (Some(_), Some(old)) => put("old", json!({"file": old.file, "line": old.line})),
        (None, Some(_)) if comparison.is_revision => put("rev", comparison.old_name.as_str().into()),
        _ => {}
    }
    match &finding.witness {
        Some(Witness::Object(object)) => put("witness", object.clone()),
        Some(Witness::Update(before, after)) => put("witness", json!([before, after])),
        None => {}
    }
    if let Some(says) = &finding.says {
        put("says", says.as_str().into());
    }
    if let Some(reads) = &finding.reads {
        put("reads", json!({"old": reads.old, "new": reads.new}));
    }
    if let Some(node) = &finding.ratchets_at {
        put("ratchets_at", node.as_str().into());
    }
    if finding.unproved {
        put("proved", false.into());
    }
    if let Some(reason) = &compared.allowed {
        put("allowed", true.into());
        if let Some(reason) = reason {
            put("reason", reason.as_str().into());
        }
    }
    put("help", problem.help.into());
    format!("{{{}}}", members.join(","))
}
