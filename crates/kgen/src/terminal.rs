//! The only module that writes to standard output and standard error.
//!
//! The product of a call goes to standard output; all messages go to standard error.

use std::collections::HashSet;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use kgen_build::{Findings, Verdict};
use kgen_diagnostics::{Code, Format, Problem, Renderer, Severity};

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done, or clean.
    Fine,
    /// Problems in the input, or drift.
    Problems,
    /// Usage, configuration, or disk.
    Failure,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Fine => Self::Fine,
            Verdict::Problems => Self::Problems,
            Verdict::Failure => Self::Failure,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Problems => 1,
            Exit::Failure => 2,
        })
    }
}

/// When there are colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` or `CLICOLOR=0` is set, and everywhere with `CLICOLOR_FORCE`.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    fn on(self, stream: &impl IsTerminal) -> bool {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let is_off = |name: &str| variable(name).is_some_and(|value| value == "0");
        let is_forced = || variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let is_wanted = || !is_off("CLICOLOR") && variable("TERM").is_none_or(|terminal| terminal != "dumb");
        match self {
            Self::Auto if variable("NO_COLOR").is_some() => false,
            Self::Auto => is_forced() || stream.is_terminal() && is_wanted(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Who is spoken to, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terminal {
    pub(crate) format: Format,
    pub(crate) color: Color,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl Terminal {
    /// Writes what the call produces.
    pub(crate) fn product(self, text: &str) -> Exit {
        let mut stream = io::stdout().lock();
        match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
            Ok(()) => Exit::Fine,
            // The reader has closed the stream.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Fine,
            Err(error) => {
                let message = format!("cannot write to standard output: {error}");
                self.problem(Problem::general(Code::Io, message))
            }
        }
    }

    /// Returns whether messages have colors.
    pub(crate) fn messages_have_color(self) -> bool {
        self.color.on(&io::stderr())
    }

    /// Says something.
    pub(crate) fn say(self, text: &str) {
        // If standard error is closed, this cannot be reported.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints a message that is not a problem, unless the user wants quiet output.
    pub(crate) fn remark(self, text: &str) {
        if !self.quiet && self.format == Format::Human {
            self.say(text);
        }
    }

    /// Shows one problem without a place, and returns the exit code for it.
    pub(crate) fn problem(self, problem: Problem) -> Exit {
        self.findings(&[Findings::of(problem)]);
        Exit::Failure
    }

    /// Shows problems by place, each once.
    pub(crate) fn findings(self, findings: &[Findings]) {
        let renderer = Renderer {
            format: self.format,
            color: self.messages_have_color(),
        };
        let mut shown = HashSet::new();
        let mut text = String::new();
        for findings in findings {
            for problem in findings.problems.sorted(&findings.files) {
                if problem.severity == Severity::Note && self.quiet {
                    continue;
                }
                // Two sets that read one file find the same problems in it.
                let rendered = renderer.render(problem, &findings.files);
                if shown.insert(rendered.clone()) {
                    text.push_str(&rendered);
                }
            }
        }
        if self.format == Format::Json {
            // A closed standard output cannot be reported there.
            let _ = io::stdout().lock().write_all(text.as_bytes());
        } else {
            self.say(&text);
        }
    }

    /// Returns whether the product has colors.
    pub(crate) fn product_has_color(self) -> bool {
        self.color.on(&io::stdout())
    }

    /// Returns whether standard error can show a progress line.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && self.format == Format::Human && io::stderr().is_terminal()
    }
}
