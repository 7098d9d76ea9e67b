//! controller-gen's argument form: `crd:maxDescLen=0 paths=./api output:crd:dir=config/crd/bases`.
//!
//! Every argument follows the grammar of marker values, including quotes and lists. The arguments of a run are shown to
//! the user as one line of a file, so that every mistake is underlined at its place.

mod rule;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;
use std::path::PathBuf;

use kgen_diagnostics::{Code, FileId, Problem, SourceFile, Span, nearest};
use kgen_markers::value::{Cause, Error, Parser};

use crate::configuration::{Job, Output};
use crate::generator::{GENERATORS, Generator};
use crate::report::Findings;
use crate::words::quoted;

pub(crate) use value::parse_value;

/// The content of arguments in controller-gen's form.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Where the source is.
    pub paths: Vec<PathBuf>,
    /// The generators, in the order of the arguments, each with its output rule.
    pub jobs: Vec<Job>,
}

/// Parses `words`, the arguments after `command`. Other words that the user may have meant, such as subcommands, are
/// suggested for unknown generators.
///
/// # Errors
/// Returns everything that is wrong with the arguments, each at its place in the command line.
pub fn parse_arguments(command: &str, words: &[String], other_words: &[&str]) -> Result<Arguments, Findings> {
    let mut findings = Findings::default();
    let file = findings.files.next_id();
    let mut reader = Reader {
        other_words,
        ..Reader::default()
    };
    let mut line = command.to_owned();
    for word in words {
        line.push(' ');
        let start = line.len();
        line.push_str(word);
        let result = reader.word(word, start..line.len());
        findings
            .problems
            .extend(result.err().map(|error| problem(error, file, start)));
    }
    findings.files.add(SourceFile::new("<command line>", line));
    let arguments = reader.finish(file, &mut findings);
    if findings.problems.has_errors() {
        Err(findings)
    } else {
        Ok(arguments)
    }
}

/// Returns a mistake in the word at `start`, as a problem of the command line.
fn problem(error: Error, file: FileId, start: usize) -> Problem {
    let cause = error.cause;
    let mut problem = error.at(|range| Span::of(file, range.start + start..range.end + start));
    // Some help of the marker grammar is about comments. These arguments are from a shell.
    match problem.code {
        Code::UnclosedValue => {
            problem.help = vec!["put the whole argument in single quotes for the shell".to_owned()];
        }
        Code::SingleQuotes => {
            problem.message = "single quotes have no meaning here".to_owned();
            problem.help.clear();
        }
        _ if cause == Cause::TrailingText => problem.help.clear(),
        _ => {}
    }
    problem.code = Code::Usage;
    problem
}

fn usage(range: Range<usize>, message: impl Into<String>) -> Error {
    Error::new(Code::Usage, range, message)
}

#[derive(Default)]
struct Reader<'a> {
    other_words: &'a [&'a str],
    arguments: Arguments,
    default_output: Option<Output>,
    /// Output rules of single generators, with the place of each in the line.
    outputs: Vec<(&'static Generator, Output, Range<usize>)>,
}

impl Reader<'_> {
    /// Reads one argument. Ranges of errors are relative to its start; `place` is its offset in the line.
    fn word(&mut self, word: &str, place: Range<usize>) -> Result<(), Error> {
        // controller-gen accepts a leading plus, because its arguments are markers.
        let offset = usize::from(word.starts_with('+'));
        let text = word.get(offset..).unwrap_or_default();
        let name_end = offset + text.find('=').unwrap_or(text.len());
        let name = word.get(offset..name_end).unwrap_or_default();
        let (first, rest) = name
            .split_once(':')
            .map_or((name, None), |(first, rest)| (first, Some(rest)));
        match first {
            "" => Err(usage(0..word.len(), "the argument has no name")
                .help("write a generator, `paths=…` or `output:…`")),
            "paths" => self.paths(word, name, offset, name_end),
            "output" => self.output(word, rest.unwrap_or_default(), offset + "output:".len(), place),
            _ => match Generator::find(first) {
                Some(generator) => self.generator(generator, word, offset + first.len()),
                None => Err(self.unknown(first, offset..offset + first.len())),
            },
        }
    }

    fn paths(&mut self, word: &str, name: &str, offset: usize, name_end: usize) -> Result<(), Error> {
        // `paths:=a` means the same, as for every marker with one value.
        if !matches!(name, "paths" | "paths:") || name_end == word.len() {
            return Err(
                usage(offset..word.len(), "`paths` needs one list of files and folders")
                    .help("write `paths=./api`, or `paths=a;b` for several"),
            );
        }
        let paths: Vec<String> = value::whole(word, name_end + 1, "paths=a;b")?;
        self.arguments.paths.extend(paths.into_iter().map(PathBuf::from));
        Ok(())
    }

    fn generator(&mut self, generator: &'static Generator, word: &str, name_end: usize) -> Result<(), Error> {
        let mut job = Job::new(generator);
        match word.get(name_end..).unwrap_or_default().chars().next() {
            None => {}
            Some(':') => {
                let mut parser = Parser::starting_at(word, name_end + 1);
                parser.named(|parser, name| {
                    let option = value::option(generator, name)?;
                    option.write(&mut job.options, value::read(parser, option)?);
                    Ok(())
                })?;
            }
            Some(_) => {
                return Err(usage(
                    name_end..word.len(),
                    format!("the options of `{}` need names", generator.name),
                )
                .help(format!("write `{}:option=value`", generator.name)));
            }
        }
        if self
            .arguments
            .jobs
            .iter()
            .any(|other| other.generator.name == generator.name)
        {
            return Err(
                usage(0..word.len(), format!("`{}` is given twice", generator.name)).help(format!(
                    "write all its options in one argument: `{}:option=value,option=value`",
                    generator.name
                )),
            );
        }
        self.arguments.jobs.push(job);
        Ok(())
    }

    /// Reads `output:RULE` or `output:GENERATOR:RULE`; `rest` starts at byte `at`.
    fn output(&mut self, word: &str, rest: &str, at: usize, place: Range<usize>) -> Result<(), Error> {
        // `output:dir:=x` means the same as `output:dir=x`, as for every marker with one value.
        let is_rule = |first: &str| rest.strip_suffix(':') == Some(first);
        let (first, behind) = rest
            .split_once(':')
            .map_or((rest, None), |(first, behind)| (first, Some(behind)));
        if let Some(generator) = Generator::find(first) {
            let at = at + first.len() + 1;
            let rule = rule::read(word, behind.unwrap_or_default(), at.min(word.len()))?;
            if self
                .outputs
                .iter()
                .any(|(other, _, _)| other.name == generator.name)
            {
                let message = format!("there are two output rules for `{}`", generator.name);
                return Err(usage(0..word.len(), message).help("remove one of them"));
            }
            self.outputs.push((generator, rule, place));
            return Ok(());
        }
        if behind.is_some() && first != "artifacts" && !is_rule(first) {
            return Err(self.unknown(first, at..at + first.len()));
        }
        let rule = rule::read(word, rest, at.min(word.len()))?;
        if self.default_output.is_some() {
            return Err(
                usage(0..word.len(), "there are two output rules for all generators")
                    .help("remove one of them, or write `output:GENERATOR:dir=…` for one generator"),
            );
        }
        self.default_output = Some(rule);
        Ok(())
    }

    /// Returns the error for an unknown generator.
    fn unknown(&self, name: &str, range: Range<usize>) -> Error {
        let names = GENERATORS.iter().map(|generator| generator.name);
        let error = usage(range.clone(), format!("there is no generator `{name}`"));
        let only_go = match name {
            "schemapatch" => Some("use `crd`, which writes whole CRDs"),
            _ => None,
        };
        if let Some(why) = only_go {
            return error.help(why);
        }
        let known = names
            .clone()
            .chain(["paths", "output"])
            .chain(self.other_words.iter().copied());
        match nearest(name, known) {
            Some(near) => error.near(range, Some(near)),
            None => error.help(format!("the generators are {}", quoted(names))),
        }
    }

    /// Gives every job its output rule.
    fn finish(self, file: FileId, findings: &mut Findings) -> Arguments {
        let Self {
            mut arguments,
            default_output,
            outputs,
            ..
        } = self;
        for (generator, output, place) in outputs {
            match arguments
                .jobs
                .iter_mut()
                .find(|job| job.generator.name == generator.name)
            {
                Some(job) => job.output = Some(output),
                // The generator may be in a word that could not be parsed.
                None if findings.problems.has_errors() => {}
                None => {
                    let message = format!(
                        "there is an output rule for `{}`, but the generator is not selected",
                        generator.name
                    );
                    let problem = Problem::error(Code::Usage, Span::of(file, place), message);
                    findings
                        .problems
                        .push(problem.help(format!("add the argument `{}`", generator.name)));
                }
            }
        }
        if arguments.jobs.is_empty() && !findings.problems.has_errors() {
            let names = GENERATORS.iter().map(|generator| generator.name);
            findings.problems.push(
                Problem::general(Code::Usage, "no generator is selected")
                    .help(format!("name at least one of {}", quoted(names))),
            );
        }
        for job in &mut arguments.jobs {
            job.output = job.output.take().or_else(|| default_output.clone());
        }
        arguments
    }
}
