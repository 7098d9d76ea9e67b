//! Reads `kgen.toml` and reports all mistakes at their places.

use std::ops::Range;
use std::path::{Path, PathBuf};

use kgen_diagnostics::words::not_one_of;
use kgen_diagnostics::{Code, FileId, Problem, Problems, SourceFile, Span, nearest};
use kgen_frontend::{FeatureChoice, Overlay};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, KeyValue, OUTPUT, PROJECT, PROJECT_KEYS, SETS};
use super::tables::{DIFF, IMPORT, LINT};
use crate::configuration::{Action, Configuration, Job, Output, Project, Set};
use crate::diff::{DiffSettings, LintSettings};
use crate::generator::{GENERATORS, Generator};
use crate::import::Import;
use crate::options::{OptionDescription, OptionType, OptionValue};
use crate::report::Findings;
use crate::view::View;
use crate::words::quoted;
use crate::{disk, place};

/// The name of the file.
pub const FILE_NAME: &str = "kgen.toml";

/// Returns the file of the project around `folder`: the nearest one in it or above.
#[must_use]
pub fn find_project_file(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| disk::is_file(path))
}

/// Reads the file at `path`, which is relative to `working_folder`, like the names of files in messages.
///
/// # Errors
/// Returns everything that is wrong with it.
pub fn read_project_file(path: &Path, working_folder: &Path) -> Result<Configuration, Findings> {
    read_unsaved_project_file(path, working_folder, Overlay::default())
}

/// Reads the file as [`read_project_file`] does, with unsaved texts over the disk. The run sees them too.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn read_unsaved_project_file(
    path: &Path,
    working_folder: &Path,
    unsaved: Overlay,
) -> Result<Configuration, Findings> {
    let path = place::absolute(working_folder, path);
    let name = place::shown(working_folder, &path);
    let text = View(&unsaved).read_text(&path).map_err(|reason| {
        Findings::of(Problem::general(
            Code::Configuration,
            format!("cannot read `{name}`: {reason}"),
        ))
    })?;
    let mut findings = Findings::default();
    let source = SourceFile::new(name, text).editable_at(&path);
    let mut reader = Reader {
        file: findings.files.next_id(),
        problems: Problems::new(),
        diff: DiffSettings::default(),
        lint: LintSettings::default(),
        import: None,
    };
    let folder = path.parent().unwrap_or(working_folder);
    let (sets, project) = reader.file(source.text(), folder);
    findings.files.add(source);
    findings.problems = std::mem::take(&mut reader.problems);
    if findings.problems.has_errors() {
        return Err(findings);
    }
    if let Some(import) = &mut reader.import {
        let of_sets = sets
            .iter()
            .flat_map(|set| set.paths.iter().map(|path| place::absolute(&set.folder, path)));
        import.searched.extend(of_sets);
    }
    Ok(Configuration {
        working_folder: working_folder.to_owned(),
        sets,
        // The file describes the whole project, so every other generated file is stale.
        prune: true,
        action: Action::Write,
        project,
        diff: reader.diff,
        lint: reader.lint,
        import: reader.import,
        read_from: vec![path],
        unsaved,
        ..Configuration::default()
    })
}

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

pub(super) struct Reader {
    pub(super) file: FileId,
    pub(super) problems: Problems,
    diff: DiffSettings,
    lint: LintSettings,
    import: Option<Import>,
}

impl Reader {
    fn file(&mut self, text: &str, folder: &Path) -> (Vec<Set>, Option<Project>) {
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            for error in errors {
                let range = error.span().unwrap_or(0..0);
                self.refuse(
                    range,
                    format!(
                        "the file is not valid TOML: {}",
                        error.message().replace('\n', "; ")
                    ),
                );
            }
            return (Vec::new(), None);
        }
        let mut table = table.into_inner();
        let project = table.remove(PROJECT).map(|value| self.project(&value));
        if let Some(value) = table.remove(DIFF) {
            self.diff = self.diff(&value);
        }
        if let Some(value) = table.remove(LINT) {
            self.lint = self.lint(&value);
        }
        if let Some(value) = table.remove(IMPORT) {
            let style = project.as_ref().map(|project| project.style.as_str());
            self.import = self.import(&value, folder, style);
            // A file may have an import alone.
            if table.is_empty() {
                return (Vec::new(), project);
            }
        }
        (self.sets(&table, folder), project)
    }

    /// Reads the table about the project.
    fn project(&mut self, value: &Value<'_>) -> Project {
        let mut project = Project::default();
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", "[project]");
            return project;
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match PROJECT_KEYS.iter().find(|known| known.name == name) {
                Some(known) => {
                    if let Some(text) = self.text(value) {
                        (known.set)(&mut project, text);
                    }
                }
                None => {
                    let known: Vec<_> = PROJECT_KEYS.iter().map(|key| key.name).collect();
                    let problem = self.problem(key.span(), format!("`[project]` has no key `{name}`"));
                    self.problems.push(match nearest(name, known.iter().copied()) {
                        Some(near) => problem.meant(near),
                        None => problem.help(format!("its keys are {}", quoted(known))),
                    });
                }
            }
        }
        for missing in PROJECT_KEYS.iter().filter(|key| !table.contains_key(key.name)) {
            let problem = self.problem(value.span(), format!("`[project]` has no `{}`", missing.name));
            self.problems
                .push(problem.help(format!("{}; add `{} = \"…\"`", missing.help, missing.name)));
        }
        project
    }

    fn sets(&mut self, table: &DeTable<'_>, folder: &Path) -> Vec<Set> {
        let Some((key, sets)) = table.iter().find(|(key, _)| key.get_ref() == SETS) else {
            return vec![self.set(table, 0..0, folder)];
        };
        for (other, _) in table.iter().filter(|(key, _)| key.get_ref() != SETS) {
            let name = other.get_ref();
            self.problems.push(
                self.problem(other.span(), format!("`{name}` is outside of every set"))
                    .related(Span::of(self.file, key.span()), "this file has sets")
                    .help("move it into a `[[set]]`; only a file without sets has keys at the top level"),
            );
        }
        let Some(sets) = sets.get_ref().as_array() else {
            self.wrong_type(sets, "an array of tables", "[[set]]");
            return Vec::new();
        };
        let mut result = Vec::with_capacity(sets.len());
        for set in sets.iter() {
            match set.get_ref().as_table() {
                Some(table) => result.push(self.set(table, set.span(), folder)),
                None => self.wrong_type(set, "a table", "[[set]]"),
            }
        }
        result
    }

    /// Reads one set; `range` is the place of a problem with an empty set.
    fn set(&mut self, table: &DeTable<'_>, range: Range<usize>, folder: &Path) -> Set {
        let mut set = Set {
            folder: folder.to_owned(),
            paths: Vec::new(),
            features: FeatureChoice::default(),
            foreign_markers: Default::default(),
            exclude: Vec::new(),
            allow: Vec::new(),
            jobs: Vec::new(),
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let Some(generator) = Generator::find(name) {
                set.jobs.extend(self.job(generator, value));
            } else if let Some(known) = KEYS.iter().find(|known| known.name == name) {
                self.key(known.value, value, &mut set);
            } else {
                self.unknown_key(name, key.span());
            }
        }
        // The order of tables in TOML does not matter; that of the table of generators does.
        set.jobs.sort_by_key(|job| {
            GENERATORS
                .iter()
                .position(|generator| generator.name == job.generator.name)
        });
        if set.jobs.is_empty() && !self.problems.has_errors() {
            self.problems.push(
                self.problem(range, "no generator is selected")
                    .help("add a table such as `[crd]`, which may be empty"),
            );
        }
        set
    }

    fn key(&mut self, known: KeyValue, value: &Value<'_>, set: &mut Set) {
        match known {
            KeyValue::Text(apply) => {
                if let Some(text) = self.text(value) {
                    apply(set, text);
                }
            }
            KeyValue::Texts(apply) => {
                if let Some(texts) = self.texts(value) {
                    apply(set, texts.into_iter().map(|(text, _)| text).collect());
                }
            }
            KeyValue::Boolean(apply) => {
                if let Some(truth) = self.boolean(value) {
                    apply(set, truth);
                }
            }
            KeyValue::Codes(apply) => {
                let texts = self.texts(value).unwrap_or_default();
                let codes = texts
                    .into_iter()
                    .filter_map(|(text, range)| self.code(&text, range));
                let codes = codes.collect();
                apply(set, codes);
            }
        }
    }

    fn job(&mut self, generator: &'static Generator, value: &Value<'_>) -> Option<Job> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", &format!("[{}]", generator.name));
            return None;
        };
        let mut job = Job::new(generator);
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if name == OUTPUT {
                job.output = self.text(value).map(|folder| Output::Folder(folder.into()));
            } else if let Some(option) = generator.options().find(|option| option.kebab_name() == name) {
                if let Some(value) = self.option(option, value) {
                    option.write(&mut job.options, value);
                }
            } else {
                self.unknown_option(generator, name, key.span());
            }
        }
        Some(job)
    }

    fn option(&mut self, option: &OptionDescription, value: &Value<'_>) -> Option<OptionValue> {
        match option.value {
            OptionType::Boolean => self.boolean(value).map(OptionValue::Boolean),
            OptionType::Integer => self.integer(value).map(OptionValue::Integer),
            OptionType::Text | OptionType::File => self.text(value).map(OptionValue::Text),
            OptionType::Word(known) => {
                // Earlier versions took a list.
                let value = match value.get_ref().as_array() {
                    Some(array) if array.len() == 1 => array.iter().next().unwrap_or(value),
                    _ => value,
                };
                let text = self.text(value)?;
                if !known.contains(&text.as_str()) {
                    self.unknown_word(&text, known, value.span());
                }
                Some(OptionValue::Text(text))
            }
            OptionType::Texts => {
                let texts = self.texts(value)?.into_iter();
                Some(OptionValue::Words(texts.map(|(text, _)| text).collect()))
            }
            OptionType::InTable(key) => self.text_in_table(value, key).map(OptionValue::Text),
            OptionType::Contact(address) => self.contact(value, address).map(OptionValue::Text),
            OptionType::Contacts(address) => {
                let Some(array) = value.get_ref().as_array() else {
                    let example = format!("[{{ name = \"…\", {address} = \"…\" }}]");
                    self.wrong_type(value, "an array of tables", &example);
                    return None;
                };
                let contacts = array.iter().map(|entry| self.contact(entry, address));
                contacts.collect::<Option<_>>().map(OptionValue::Words)
            }
            OptionType::Words(known) => {
                let texts = self.texts(value)?;
                for (text, range) in texts.iter().filter(|(text, _)| !known.contains(&text.as_str())) {
                    self.unknown_word(text, known, range.clone());
                }
                Some(OptionValue::Words(
                    texts.into_iter().map(|(text, _)| text).collect(),
                ))
            }
        }
    }

    /// Reads a name with an address: a table, or a string such as `NAME <ADDRESS>`.
    fn contact(&mut self, value: &Value<'_>, address: &str) -> Option<String> {
        let Some(table) = value.get_ref().as_table() else {
            return self.text(value);
        };
        let (mut name, mut own_address) = (String::new(), String::new());
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "name" => name = self.text(value)?,
                known if known == address => own_address = self.text(value)?,
                other => self.refuse(
                    key.span(),
                    format!("`{other}` is not a key here; the keys are `name` and `{address}`"),
                ),
            }
        }
        Some(format!("{name} <{own_address}>"))
    }

    /// Reads a text, or a table that has it as its only key.
    fn text_in_table(&mut self, value: &Value<'_>, only: &str) -> Option<String> {
        let Some(table) = value.get_ref().as_table() else {
            return self.text(value);
        };
        let mut found = None;
        for (key, value) in table {
            match key.get_ref().as_ref() {
                known if known == only => found = self.text(value),
                other => self.refuse(
                    key.span(),
                    format!("`{other}` is not a key here; the only key is `{only}`"),
                ),
            }
        }
        found
    }

    /// Returns the code called `name`, if it can be allowed.
    fn code(&mut self, name: &str, range: Range<usize>) -> Option<Code> {
        let problem = match Code::find(name) {
            Some(code) if code.can_be_allowed() => return Some(code),
            Some(code) => self
                .problem(
                    range,
                    format!("`{code}` is always an error and cannot be allowed"),
                )
                .help(format!("run `kgen explain {code}` to see how to fix it")),
            None => {
                let problem = self.problem(range, format!("there is no diagnostic `{name}`"));
                match nearest(name, Code::allowed().map(Code::name)) {
                    Some(near) => problem.meant(near),
                    None => problem.help("run `kgen explain` to list all of them"),
                }
            }
        };
        self.problems.push(problem);
        None
    }

    pub(super) fn unknown_word(&mut self, text: &str, known: &[&str], range: Range<usize>) {
        let message = not_one_of(text, known.iter().copied());
        let problem = self.problem(range, message);
        self.problems.push(match nearest(text, known.iter().copied()) {
            Some(near) => problem.meant(near),
            None => problem,
        });
    }

    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(value, "a string", "\"…\"");
        }
        text
    }

    pub(super) fn boolean(&mut self, value: &Value<'_>) -> Option<bool> {
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            self.wrong_type(value, "`true` or `false`", "true");
        }
        truth
    }

    fn integer(&mut self, value: &Value<'_>) -> Option<i64> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
        if number.is_none() {
            self.wrong_type(value, "an integer", "80");
        }
        number
    }

    pub(super) fn texts(&mut self, value: &Value<'_>) -> Option<Vec<(String, Range<usize>)>> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(value, "an array of strings", "[\"…\"]");
            return None;
        };
        array
            .iter()
            .map(|element| Some((self.text(element)?, element.span())))
            .collect()
    }

    pub(super) fn problem(&self, range: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::error(Code::Configuration, Span::of(self.file, range), message)
    }

    fn refuse(&mut self, range: Range<usize>, message: impl Into<String>) {
        let problem = self.problem(range, message);
        self.problems.push(problem);
    }

    pub(super) fn wrong_type(&mut self, value: &Value<'_>, wanted: &str, example: &str) {
        let found = value.get_ref().type_str();
        let problem = self.problem(
            value.span(),
            format!("this value must be {wanted}, not of type {found}"),
        );
        self.problems
            .push(problem.help(format!("write it as `{example}`")));
    }

    fn unknown_key(&mut self, name: &str, range: Range<usize>) {
        let generators = GENERATORS.iter().map(|generator| generator.name);
        let known: Vec<_> = KEYS
            .iter()
            .map(|key| key.name)
            .chain([PROJECT, SETS])
            .chain(generators)
            .collect();
        let problem = self.problem(range, format!("there is no key `{name}`"));
        let owner = GENERATORS.iter().find(|generator| {
            generator
                .options()
                .any(|option| option.kebab_name() == name || option.name == name)
        });
        self.problems
            .push(match (nearest(name, known.iter().copied()), owner) {
                (Some(near), _) => problem.meant(near),
                (None, Some(owner)) => problem.help(format!(
                    "move it below `[{0}]`: it is an option of `{0}`",
                    owner.name
                )),
                (None, None) => problem.help(format!("the keys are {}", quoted(known))),
            });
    }

    fn unknown_option(&mut self, generator: &Generator, name: &str, range: Range<usize>) {
        let mut known = vec![OUTPUT.to_owned()];
        known.extend(generator.options().map(OptionDescription::kebab_name));
        let problem = self.problem(range, format!("`{}` has no option `{name}`", generator.name));
        self.problems
            .push(match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => problem.meant(near),
                None => problem.help(format!(
                    "its keys are {}",
                    quoted(known.iter().map(String::as_str))
                )),
            });
    }
}
