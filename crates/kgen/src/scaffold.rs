//! `kgen init`, `kgen create`, `kgen delete` and `kgen update`: drafts files, generates in memory, writes everything, and reports the changes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use kgen_build::{Change, ChangeAction, Findings, Plan, Report, Verdict};
use kgen_diagnostics::{Code, Problem, Severity};
use kgen_scaffold::{
    ApiOptions, DeleteOptions, FromOptions, InitOptions, Next, Refusal, Scaffold, WebhookOptions,
};

use crate::diff;
use crate::terminal::{Exit, Terminal};

/// A call that creates a project, or adds or removes a part of one.
#[derive(Debug)]
pub(crate) struct ScaffoldCall {
    pub(crate) what: What,
    pub(crate) dry_run: bool,
    /// Notes about arguments that are ignored.
    pub(crate) notes: Vec<Problem>,
}

/// The source of the choice of `kgen-runtime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceChoice {
    /// The user, by a flag.
    Users,
    /// kgen, which therefore reports it.
    Ours,
}

/// The item to create or remove.
#[derive(Debug)]
pub(crate) enum What {
    Project(InitOptions, SourceChoice),
    From(FromOptions, SourceChoice),
    Api(ApiOptions),
    Webhook(WebhookOptions),
    WithoutApi(DeleteOptions),
    WithoutWebhook(DeleteOptions),
    Update,
}

impl What {
    /// Returns the next steps.
    fn next_steps(&self, next: &Next) -> String {
        if let Some(steps) = stated_steps(next) {
            return steps;
        }
        match self {
            Self::Project(options, _) => {
                let enter = enter(&options.folder);
                format!("next, add a kind:\n  {enter}kgen create api --group webapp --version v1 --kind Guestbook\n")
            }
            Self::From(options, _) => {
                let enter = enter(&options.folder);
                format!(
                    "next, move the logic of the controllers and webhooks to their stubs in Rust, then run:\n  {enter}cargo test\n"
                )
            }
            Self::Api(_) => {
                "next, edit the types and `reconcile`, then run:\n  cargo build && kgen generate && cargo test\n"
                    .to_owned()
            }
            Self::WithoutApi(_) | Self::WithoutWebhook(_) | Self::Update => String::new(),
            Self::Webhook(_) => "next, replace the example rules with your own, then run:\n  cargo test\n".to_owned(),
        }
    }
}

/// Returns the command that enters the folder of a project, if it is another one.
fn enter(folder: &Path) -> String {
    match folder.display().to_string().as_str() {
        "." => String::new(),
        folder => format!("cd {folder}\n  "),
    }
}

/// Returns the advice about the code that a call leaves to the user, if it is not the usual code.
fn stated_steps(next: &Next) -> Option<String> {
    Some(match next {
        Next::Usual => return None,
        Next::Types => "next, edit the types, then run:\n  kgen generate && cargo test\n".to_owned(),
        Next::Reconcile => "next, edit `reconcile`, then run:\n  cargo test\n".to_owned(),
        Next::Version { arguments, version } => format!(
            "next, edit the types of `{version}`, then convert objects between the versions:\n  \
             kgen create webhook {arguments} --conversion\n"
        ),
        Next::Translations { interface, file } => format!(
            "next, implement the methods of `{interface}` in {file}, which the compiler names, then run:\n  cargo test\n"
        ),
        Next::Conversion | Next::Nothing => "next, run:\n  cargo test\n".to_owned(),
    })
}

impl What {
    /// Reports where `kgen-runtime` comes from, if kgen chose it.
    fn report_source(&self, terminal: Terminal) {
        match self {
            Self::Project(InitOptions { source, .. }, SourceChoice::Ours)
            | Self::From(FromOptions { source, .. }, SourceChoice::Ours) => {
                terminal.remark(&source.report());
            }
            _ => {}
        }
    }
}

/// Carries out the call.
pub(crate) fn run(call: &ScaffoldCall, terminal: Terminal) -> Exit {
    let working_folder = match std::env::current_dir() {
        Ok(folder) => folder,
        Err(error) => {
            let message = format!("cannot determine the current folder: {error}");
            return terminal.problem(Problem::general(Code::Io, message));
        }
    };
    let mut notes = Findings::default();
    notes.problems.extend(call.notes.iter().cloned());
    terminal.findings(&[notes]);
    let drafted = match &call.what {
        What::Project(options, _) => kgen_scaffold::init(options, &working_folder).map_err(Refusal::from),
        What::From(options, _) => kgen_scaffold::init_from(options, &working_folder),
        What::Api(options) => kgen_scaffold::create_api(options, &working_folder),
        What::Webhook(options) => kgen_scaffold::create_webhook(options, &working_folder),
        What::WithoutApi(options) => kgen_scaffold::delete_api(options, &working_folder),
        What::WithoutWebhook(options) => kgen_scaffold::delete_webhook(options, &working_folder),
        What::Update => kgen_scaffold::update(&working_folder),
    };
    let planned = drafted.and_then(|scaffold| {
        // Source with conflict markers is not Rust.
        let generated = match scaffold.conflicts.is_empty() {
            true => scaffold.generate(&working_folder)?,
            false => Report::default(),
        };
        Ok((scaffold, generated))
    });
    let (scaffold, mut generated) = match planned {
        Ok(planned) => planned,
        Err(refusal) => return refuse_draft(refusal, terminal),
    };
    let needs_lock_file = matches!(call.what, What::From(..)) && has_only_foreign_types(&generated);
    if needs_lock_file {
        generated = Report::default();
    }
    if generated.has_errors() {
        return refuse(generated, terminal);
    }
    // Notes are about generators that have nothing to do yet.
    for findings in &mut generated.findings {
        findings
            .problems
            .retain(|problem| problem.severity != Severity::Note);
    }
    terminal.findings(std::slice::from_ref(&scaffold.findings));
    terminal.findings(&generated.findings);
    if needs_lock_file {
        terminal.findings(&[Findings::of(no_lock_file())]);
    } else {
        compare(&scaffold, &generated.plan, terminal);
    }
    if call.dry_run {
        let exit = terminal.product(&preview(&scaffold, terminal));
        call.what.report_source(terminal);
        advise(&scaffold, terminal);
        if !scaffold.conflicts.is_empty() {
            let problem = Problem {
                severity: Severity::Warning,
                ..contradiction(&scaffold)
            };
            terminal.findings(&[Findings::of(problem)]);
        }
        return exit;
    }
    if let Err(findings) = scaffold.plan.followed_by(&generated.plan).carry_out() {
        terminal.findings(&[findings]);
        return Exit::Failure;
    }
    tell(&scaffold, &generated.plan, &call.what, terminal);
    call.what.report_source(terminal);
    advise(&scaffold, terminal);
    if !scaffold.conflicts.is_empty() {
        terminal.findings(&[Findings::of(contradiction(&scaffold))]);
        return Exit::Problems;
    }
    let mut changes = scaffold.plan.differences().chain(generated.plan.differences());
    if !matches!(call.what, What::Update) || changes.next().is_some() {
        terminal.remark(&call.what.next_steps(&scaffold.next));
    }
    Exit::Fine
}

/// Returns whether all errors of a run are types of other crates, which a new project cannot read without a lock file.
fn has_only_foreign_types(report: &Report) -> bool {
    let problems = report
        .findings
        .iter()
        .flat_map(|findings| findings.problems.iter());
    let mut errors = problems.filter(|problem| problem.is_error()).peekable();
    errors.peek().is_some() && errors.all(|problem| problem.code == Code::ForeignType)
}

/// Returns the warning that nothing was generated yet.
fn no_lock_file() -> Problem {
    let message =
        "nothing is generated yet: the types use types of other crates, and there is no `Cargo.lock`";
    Problem::general_warning(Code::ForeignType, message)
        .help("run `cargo fetch` in the new project")
        .help("then run this command again, which generates the files and compares the manifests")
}

/// Compares the generated manifests with those that the project was started from.
fn compare(scaffold: &Scaffold, generated: &Plan, terminal: Terminal) {
    let root = scaffold.project_file.parent().unwrap_or(Path::new("."));
    let (equal, differences) = scaffold.originals.compare(generated, root);
    terminal.findings(&[differences]);
    if equal > 0 {
        let manifests = if equal == 1 {
            "manifest is"
        } else {
            "manifests are"
        };
        terminal.remark(&format!(
            "{equal} generated {manifests} equal to those of the project in Go\n"
        ));
    }
}

/// Returns the problem of the files in which changes contradict each other.
fn contradiction(scaffold: &Scaffold) -> Problem {
    let message = format!(
        "your changes and those of kgen contradict each other in {}",
        scaffold
            .conflicts
            .iter()
            .map(|file| format!("`{file}`"))
            .collect::<Vec<_>>()
            .join(", ")
    );
    Problem::general(Code::Usage, message)
        .help("choose between the lines at `<<<<<<<`, `=======` and `>>>>>>>`")
        .help("then run `kgen generate`")
}

/// Shows why a draft was rejected. Mistakes in the call are clear by themselves; errors in the source are not.
fn refuse_draft(refusal: Refusal, terminal: Terminal) -> Exit {
    let report = Report::stopped_by(refusal.0);
    if report.verdict() == Verdict::Failure {
        terminal.findings(&report.findings);
        return Exit::Failure;
    }
    refuse(report, terminal)
}

/// Shows the errors of the project, and says that the command did nothing.
fn refuse(mut report: Report, terminal: Terminal) -> Exit {
    let exit = report.verdict().into();
    report.findings.push(Findings::of(Problem {
        severity: Severity::Warning,
        ..Problem::note(Code::Usage, "nothing was written because of these errors")
    }));
    terminal.findings(&report.findings);
    exit
}

/// Returns whether a change is only in the record of scaffolded files, which is not interesting to the user.
fn is_record(change: &Change) -> bool {
    change.path.iter().any(|part| part == ".kgen")
}

/// Says what was written.
fn tell(scaffold: &Scaffold, generated: &Plan, what: &What, terminal: Terminal) {
    let mut text = String::new();
    for change in scaffold.plan.differences().chain(generated.differences()) {
        if is_record(change) {
            continue;
        }
        let word = match change.action {
            ChangeAction::Create { .. } => "created",
            ChangeAction::Stale { .. } => "removed",
            _ => "changed",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{word} {}", change.name);
    }
    for name in &scaffold.kept {
        let _ = writeln!(text, "kept {name}; `--force {name}` replaces it");
    }
    for left in &scaffold.left {
        let _ = writeln!(text, "left {}: {}", left.file, left.reason);
    }
    if text.is_empty() && scaffold.advice.is_empty() {
        text.push_str(match what {
            What::Update => "all files are up to date\n",
            _ => "all files already exist\n",
        });
    }
    terminal.remark(&text);
}

/// Prints the lines that found no place.
fn advise(scaffold: &Scaffold, terminal: Terminal) {
    let mut findings = Findings::default();
    for advice in &scaffold.advice {
        let message = format!("`{}` was not changed: {}", advice.file, advice.reason);
        let note = Problem::note(Code::Usage, message).help(format!("add there:\n{}", advice.lines));
        findings.problems.push(Problem {
            severity: Severity::Warning,
            ..note
        });
    }
    terminal.findings(&[findings]);
}

/// Returns the files as a tree, and the changes of those that are there.
fn preview(scaffold: &Scaffold, terminal: Terminal) -> String {
    let mut tree = Tree::default();
    let mut differences = String::new();
    for change in scaffold.plan.differences().filter(|change| !is_record(change)) {
        let note = match &change.action {
            ChangeAction::Update { old, new } => {
                let old = String::from_utf8_lossy(old);
                differences.push_str(&diff::unified(
                    &change.name,
                    &old,
                    new,
                    terminal.product_has_color(),
                ));
                " (changed)"
            }
            ChangeAction::Stale { .. } => " (removed)",
            _ => "",
        };
        tree.add(&change.name, note);
    }
    if tree.is_empty() {
        return "nothing to write\n".to_owned();
    }
    let mut text = String::new();
    tree.draw("", &mut text);
    text.push_str("and the files that `kgen generate` writes\n");
    if !differences.is_empty() {
        text.push('\n');
        text.push_str(&differences);
    }
    text
}

/// Files in their folders.
#[derive(Default)]
struct Tree {
    entries: BTreeMap<String, Tree>,
    note: &'static str,
}

impl Tree {
    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn add(&mut self, path: &str, note: &'static str) {
        let mut place = self;
        for part in path.split('/') {
            place = place.entries.entry(part.to_owned()).or_default();
        }
        place.note = note;
    }

    fn draw(&self, indent: &str, text: &mut String) {
        for (name, entry) in &self.entries {
            let slash = if entry.is_empty() { "" } else { "/" };
            let _ = writeln!(text, "{indent}{name}{slash}{}", entry.note);
            entry.draw(&format!("{indent}  "), text);
        }
    }
}
