//! Problems as diagnostics of the protocol, with the edits that repair them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use kgen_build::{Comparison, Findings, as_problem};
use kgen_diagnostics::{Code, FileId, Files, Fix, Problem, Severity, SourceFile, Span};
use serde_json::{Value, json};

use crate::text::{Encoding, Text};
use crate::uri;

/// Where the pages of codes are.
const PAGES: &str = "https://kgen-rs.github.io/kgen/problems.html";

/// The severity of hints.
const HINT: u8 = 4;

/// A problem at a place of a file.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) code: Code,
    /// The bytes of its place.
    pub(crate) bytes: Range<usize>,
    /// As the protocol has it.
    pub(crate) json: Value,
    pub(crate) repairs: Vec<Repair>,
    /// Whether `+kgen:allow` can allow it.
    pub(crate) is_allowable: bool,
}

/// Edits that repair a problem.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    pub(crate) title: String,
    pub(crate) is_certain: bool,
    pub(crate) edits: Vec<FileEdit>,
}

/// One edit of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileEdit {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Range<usize>,
    /// The replaced range, as the protocol has it.
    pub(crate) range: Value,
    pub(crate) text: String,
}

/// Diagnostics by file.
pub(crate) type ByFile = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// The files of some findings as editors know them.
pub(crate) struct Places<'a> {
    pub(crate) files: &'a Files,
    /// Names of files are relative to it.
    pub(crate) folder: &'a Path,
    pub(crate) encoding: Encoding,
    texts: BTreeMap<FileId, Text>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(files: &'a Files, folder: &'a Path, encoding: Encoding) -> Self {
        Self {
            files,
            folder,
            encoding,
            texts: BTreeMap::new(),
        }
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: FileId) -> PathBuf {
        let file = self.files.get(file);
        match file.and_then(SourceFile::editable) {
            Some(path) => path.to_owned(),
            None => kgen_diagnostics::absolute(self.folder, Path::new(file.map_or("", SourceFile::name))),
        }
    }

    pub(crate) fn range(&mut self, span: Span) -> Value {
        let files = self.files;
        let text = self
            .texts
            .entry(span.file)
            .or_insert_with(|| Text::new(files.get(span.file).map_or("", SourceFile::text)));
        text.to_range(span.range(), self.encoding)
    }
}

/// Adds the problems of a run to those of their files. Problems without a place go to `main_file`.
pub(crate) fn add(
    findings: &Findings,
    folder: &Path,
    main_file: &Path,
    encoding: Encoding,
    found: &mut ByFile,
) {
    let mut places = Places::new(&findings.files, folder, encoding);
    for problem in findings.problems.sorted(&findings.files) {
        let path = problem
            .span
            .map_or_else(|| main_file.to_owned(), |span| places.path(span.file));
        let diagnostic = diagnostic(problem, &mut places);
        let list = found.entry(path).or_default();
        // Two sets that read one file find the same problems in it.
        if !list.iter().any(|known| known.json == diagnostic.json) {
            list.push(diagnostic);
        }
    }
}

/// Adds the changes since another state that nobody has allowed, as hints. Those without a place go to `main_file`.
pub(crate) fn add_changes(
    comparison: &Comparison,
    folder: &Path,
    main_file: &Path,
    encoding: Encoding,
    found: &mut ByFile,
) {
    let none = Files::default();
    let open = comparison
        .findings
        .iter()
        .filter(|compared| compared.allowed.is_none());
    for compared in open {
        let shown = as_problem(compared, comparison, true);
        let mut places = Places::new(shown.files.unwrap_or(&none), folder, encoding);
        let path = shown
            .problem
            .span
            .map_or_else(|| main_file.to_owned(), |span| places.path(span.file));
        let mut diagnostic = diagnostic(&shown.problem, &mut places);
        diagnostic.is_allowable = shown.problem.span.is_some();
        if let Some(members) = diagnostic.json.as_object_mut() {
            members.insert("severity".to_owned(), HINT.into());
        }
        found.entry(path).or_default().push(diagnostic);
    }
}

fn diagnostic(problem: &Problem, places: &mut Places<'_>) -> Diagnostic {
    let start = json!({"line": 0, "character": 0});
    let range = match problem.span {
        Some(span) => places.range(span),
        None => json!({"start": start, "end": start}),
    };
    let beside = problem.beside();
    let mut message = problem.message.clone();
    for line in std::iter::once(beside.as_ref()).filter(|line| !line.is_empty()) {
        message.push('\n');
        message.push_str(line);
    }
    for line in &problem.help {
        message.push_str("\nhelp: ");
        message.push_str(line);
    }
    let related: Vec<Value> = problem
        .related
        .iter()
        .map(|related| {
            json!({
                "location": {"uri": uri::of_path(&places.path(related.span.file)), "range": places.range(related.span)},
                "message": related.label,
            })
        })
        .collect();
    let code = problem.code.name();
    let mut json = json!({
        "range": range,
        "severity": severity(problem.severity),
        "code": code,
        "codeDescription": {"href": format!("{PAGES}#{code}")},
        "source": "kgen",
        "message": message,
        "data": {"message": problem.message, "label": beside, "help": problem.help},
    });
    if let Some(members) = json.as_object_mut() {
        if !related.is_empty() {
            members.insert("relatedInformation".to_owned(), related.into());
        }
        if problem.code == Code::DeprecatedMarker {
            members.insert("tags".to_owned(), json!([2]));
        }
    }
    Diagnostic {
        code: problem.code,
        bytes: problem.span.map_or(0..0, Span::range),
        json,
        repairs: problem
            .fixes
            .iter()
            .filter_map(|fix| repair(fix, places))
            .collect(),
        is_allowable: problem.span.is_some() && (!problem.is_error() || problem.is_tolerated),
    }
}

fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    }
}

/// Returns the edits of a fix; `None` if one is not in a file of the user.
fn repair(fix: &Fix, places: &mut Places<'_>) -> Option<Repair> {
    let mut edits = Vec::with_capacity(fix.edits.len());
    let mut title = String::new();
    for edit in &fix.edits {
        let edit = edit.resolve(places.files)?;
        let file = places.files.get(edit.span.file)?;
        let path = file.editable()?.to_owned();
        if title.is_empty() {
            title = title_of(file.slice(edit.span), &edit.replacement);
        }
        edits.push(FileEdit {
            path,
            bytes: edit.span.range(),
            range: places.range(edit.span),
            text: edit.replacement,
        });
    }
    Some(Repair {
        title,
        is_certain: fix.is_certain(),
        edits,
    })
}

fn title_of(old: &str, new: &str) -> String {
    let shown = |text: &str| {
        let line = text.trim().lines().next().unwrap_or_default();
        let mut short: String = line.chars().take(60).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        format!("`{short}`")
    };
    match (old.trim().is_empty(), new.trim().is_empty()) {
        (true, false) => format!("Insert {}", shown(new)),
        (false, true) => format!("Remove {}", shown(old)),
        (true, true) => "Change white space".to_owned(),
        (false, false) => format!("Replace {} with {}", shown(old), shown(new)),
    }
}
