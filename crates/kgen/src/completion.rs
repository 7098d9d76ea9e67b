//! Completions for the shell: the script that registers them, and the answers that it asks `kgen` for.
//!
//! The script sets `COMPLETE` and calls `kgen` with the words of the line. The answers know generators, their options,
//! markers and codes, because they come from the tables of this very command.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use clap_complete::engine::complete;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompleteEnv, CompletionCandidate, Shell};
use kgen_build::{GENERATORS, Generator, OptionDescription, OptionType};
use kgen_diagnostics::{Code, Problem};

use crate::command;
use crate::terminal::{Exit, Terminal};

/// The variable that the script sets.
const VARIABLE: &str = "COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&JoinedBash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Returns the script that registers the completions.
pub(crate) fn registration(shell: Shell) -> io::Result<String> {
    let name = shell.to_string();
    let completer = SHELLS
        .completer(&name)
        .ok_or_else(|| io::Error::other(format!("completions for `{name}` are not supported")))?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, command::NAME, command::NAME, command::NAME, &mut script)?;
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// Answers the script, if it is the caller.
pub(crate) fn answer(arguments: &[OsString]) -> Option<Exit> {
    std::env::var_os(VARIABLE)?;
    let folder = std::env::current_dir().ok();
    let completions = CompleteEnv::with_factory(command::completed_command)
        .shells(SHELLS)
        .completer(command::NAME);
    match completions.try_complete(arguments.iter().cloned(), folder.as_deref()) {
        Ok(true) => Some(Exit::Fine),
        Ok(false) => None,
        Err(error) => {
            // An unknown shell is an error of clap, which begins with `error:` when printed.
            let error = error.to_string();
            let reason = error.trim_end();
            let reason = reason.strip_prefix("error: ").unwrap_or(reason);
            let message = format!("cannot print the completions: {reason}");
            Some(Terminal::default().problem(Problem::general(Code::Usage, message)))
        }
    }
}

/// bash, which takes `:` and `=` for words of their own and replaces only the text behind them.
struct JoinedBash;

impl EnvCompleter for JoinedBash {
    fn name(&self) -> &'static str {
        Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        Bash.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        binary: &str,
        completer: &str,
        script: &mut dyn io::Write,
    ) -> io::Result<()> {
        Bash.write_registration(variable, name, binary, completer, script)
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        answer: &mut dyn io::Write,
    ) -> io::Result<()> {
        let variable = |name: &str| std::env::var(name).ok();
        let index = variable("_CLAP_COMPLETE_INDEX").and_then(|index| index.parse().ok());
        let separator = variable("_CLAP_IFS").unwrap_or_else(|| "\n".to_owned());
        let joined = join(&words, index.unwrap_or(0));
        let candidates = complete(command, joined.words, joined.index, folder)?;
        let values: Vec<String> = candidates
            .iter()
            .map(|candidate| candidate.get_value().to_string_lossy().into_owned())
            .filter_map(|value| value.strip_prefix(&joined.typed).map(str::to_owned))
            .collect();
        answer.write_all(values.join(&separator).as_bytes())
    }
}

/// Words as they were typed.
#[derive(Debug, PartialEq, Eq)]
struct Joined {
    words: Vec<OsString>,
    /// The word to complete.
    index: usize,
    /// The part of that word that bash keeps.
    typed: String,
}

/// Joins the words that bash split at `:` and `=`. A blank around such a sign is lost, but no argument of kgen has one.
fn join(words: &[OsString], index: usize) -> Joined {
    let is_sign = |word: &OsStr| word == ":" || word == "=";
    let mut joined = Joined {
        words: Vec::new(),
        index: 0,
        typed: String::new(),
    };
    let mut previous_is_sign = false;
    for (at, word) in words.iter().enumerate() {
        let sign = is_sign(word);
        let continues = at > 1 && (sign || previous_is_sign);
        match joined.words.last_mut().filter(|_| continues) {
            Some(last) => {
                if at == index && !sign {
                    joined.typed = last.to_string_lossy().into_owned();
                }
                last.push(word);
                if at == index && sign {
                    joined.typed = last.to_string_lossy().into_owned();
                }
            }
            None => joined.words.push(word.clone()),
        }
        if at == index {
            joined.index = joined.words.len() - 1;
        }
        previous_is_sign = sign;
    }
    joined
}

/// Returns every code, for `kgen explain`.
pub(crate) fn codes() -> Vec<CompletionCandidate> {
    let candidate = |code: &Code| candidate(code.name(), code.summary());
    Code::ALL.iter().map(candidate).collect()
}

/// Returns every marker and every family, for `kgen markers`.
pub(crate) fn markers() -> Vec<CompletionCandidate> {
    let mut candidates = Vec::new();
    let mut family = "";
    for marker in kgen_markers::definitions() {
        if marker.family.word != family {
            family = marker.family.word;
            candidates.push(candidate(family, marker.family.title));
        }
        candidates.push(candidate(marker.name, &marker.summary()));
    }
    candidates
}

/// Returns the arguments in controller-gen's form that start with `typed`.
pub(crate) fn words(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else {
        return Vec::new();
    };
    let mut candidates = match typed.split_once(':') {
        None => first_words(),
        Some(("output", _)) => output_rules(),
        Some((name, options)) => Generator::find(name).map_or_else(Vec::new, |generator| {
            let kept = options.rfind([',', '=', ';']).map_or(0, |at| at + 1);
            let prefix = typed.get(..name.len() + 1 + kept).unwrap_or_default();
            options_of(generator, options.get(..kept).unwrap_or_default())
                .into_iter()
                .map(|candidate| candidate.add_prefix(prefix))
                .collect()
        }),
    };
    candidates.retain(|candidate| candidate.get_value().to_string_lossy().starts_with(typed));
    candidates
}

/// Returns the same without plain generators, for places where they are subcommands.
pub(crate) fn words_beside_subcommands(typed: &OsStr) -> Vec<CompletionCandidate> {
    let mut candidates = words(typed);
    candidates.retain(|candidate| {
        let value = candidate.get_value().to_str();
        value.is_none_or(|value| Generator::find(value).is_none())
    });
    candidates
}

fn first_words() -> Vec<CompletionCandidate> {
    let generators = GENERATORS
        .iter()
        .map(|generator| candidate(generator.name, generator.help));
    let others = [
        ("paths=", "Files and folders to read"),
        ("output:", "Where to write the files"),
    ];
    let others = others.iter().map(|(word, help)| candidate(word, help));
    generators.chain(others).collect()
}

fn output_rules() -> Vec<CompletionCandidate> {
    let rules = [
        ("dir=", "Write to this folder"),
        ("stdout", "Print the files"),
        ("none", "Only check the source"),
        ("artifacts:config=", "Write manifests to this folder"),
    ];
    let mut candidates = Vec::new();
    for (rule, help) in rules {
        candidates.push(candidate(format!("output:{rule}"), help));
    }
    for generator in GENERATORS {
        for (rule, help) in rules {
            candidates.push(candidate(format!("output:{}:{rule}", generator.name), help));
        }
    }
    candidates
}

/// Returns the names of options, or the values of the option whose name is at the end of `before`.
fn options_of(generator: &'static Generator, before: &str) -> Vec<CompletionCandidate> {
    let last = before.rsplit(',').next().unwrap_or_default();
    let Some((name, _)) = last.split_once('=') else {
        let is_given = |option: &&OptionDescription| {
            before
                .split(',')
                .any(|part| part.split_once('=').is_some_and(|(name, _)| name == option.name))
        };
        let free = generator.options().filter(|option| !is_given(option));
        return free
            .map(|option| candidate(format!("{}=", option.name), option.help))
            .collect();
    };
    let values: &[&str] = match generator.option(name).map(|option| option.value) {
        Some(OptionType::Boolean) => &["true", "false"],
        Some(OptionType::Words(words) | OptionType::Word(words)) => words,
        _ => &[],
    };
    values.iter().map(|value| candidate(*value, "")).collect()
}

fn candidate(value: impl Into<OsString>, help: &str) -> CompletionCandidate {
    let help = (!help.is_empty()).then(|| help.to_owned().into());
    CompletionCandidate::new(value).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(words: &[&str], index: usize) -> (Vec<String>, usize, String) {
        let words: Vec<_> = words.iter().map(OsString::from).collect();
        let joined = join(&words, index);
        let words = joined
            .words
            .iter()
            .map(|word| word.to_string_lossy().into_owned());
        (words.collect(), joined.index, joined.typed)
    }

    #[test]
    fn words_that_bash_split_are_joined() {
        let whole = vec!["kgen".to_owned(), "crd:maxDescLen=0".to_owned(), "ou".to_owned()];
        let split = ["kgen", "crd", ":", "maxDescLen", "=", "0", "ou"];
        assert_eq!(joined(&split, 6), (whole, 2, String::new()));
        let kept = |words: &[&str], index| joined(words, index).2;
        assert_eq!(kept(&["kgen", "crd", ":", "max"], 3), "crd:");
        assert_eq!(kept(&["kgen", "crd", ":"], 2), "crd:");
        assert_eq!(kept(&["kgen", "crd", ":", "compat", "=", ""], 5), "crd:compat=");
    }

    #[test]
    fn arguments_of_a_run_are_completed_part_by_part() {
        let values = |typed: &str| -> Vec<String> {
            let candidates = words(OsStr::new(typed));
            let value =
                |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().into_owned();
            candidates.iter().map(value).collect()
        };
        assert_eq!(values("rb"), ["rbac"]);
        assert_eq!(values("crd:maxD"), ["crd:maxDescLen="]);
        assert_eq!(
            values("crd:maxDescLen=0,compat="),
            ["crd:maxDescLen=0,compat=kube-derive"]
        );
        assert_eq!(
            values("crd:allowOpaque="),
            ["crd:allowOpaque=true", "crd:allowOpaque=false"]
        );
        assert_eq!(values("output:rbac:d"), ["output:rbac:dir="]);
        assert_eq!(values("rbac:roleName=x,role"), Vec::<String>::new());
    }
}
