//! The tables `[diff]`, `[lint]` and `[import]`, in one list of keys for the reader and the schema.

use std::path::Path;

use kgen_diagnostics::{Code, Span, nearest};
use kgen_diff::Level;
use kgen_diff::lint::LintSet;
use kgen_import::{Enums, KubernetesTypes, Options, Style, Versions};

use super::read::{Reader, Value};
use crate::diff::{AllowedChange, DiffSettings, LintSettings};
use crate::import::{Import, ImportSource, Ownership};
use crate::words::quoted;

/// The name of the table about `kgen diff`.
pub(super) const DIFF: &str = "diff";

/// The purpose of that table.
pub(super) const DIFF_HELP: &str = "Settings of `kgen diff`";

/// The name of the table about `kgen lint`.
pub(super) const LINT: &str = "lint";

/// The purpose of that table.
pub(super) const LINT_HELP: &str = "Settings of `kgen lint`";

/// The name of the table about `kgen import`.
pub(super) const IMPORT: &str = "import";

/// The purpose of that table.
pub(super) const IMPORT_HELP: &str =
    "An import: `kgen generate` writes Rust types for CRDs, and `kgen verify` compares them";

/// One key of a table.
pub(super) struct TableKey {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) form: Form,
}

/// The form of a value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    Texts,
    Boolean,
    Word(&'static [&'static str]),
    /// Codes of lints.
    Lints,
    /// The entries of `[[diff.allow]]`.
    Entries,
}

/// The levels from which `kgen diff` can fail.
pub(super) const LEVELS: &[&str] = &["breaking", "risky"];

/// The keys of `[diff]`.
pub(super) static DIFF_KEYS: &[TableKey] = &[
    TableKey {
        name: "against",
        help: "Revision to compare with, if the command line names none",
        form: Form::Text,
    },
    TableKey {
        name: "paths",
        help: "Files and folders to compare; the default is the paths of all sets",
        form: Form::Texts,
    },
    TableKey {
        name: "fail-on",
        help: "Level of changes from which the command fails",
        form: Form::Word(LEVELS),
    },
    TableKey {
        name: "allow",
        help: "Changes that are intentional",
        form: Form::Entries,
    },
];

/// The keys of an entry of `[[diff.allow]]`.
pub(super) static ENTRY_KEYS: &[TableKey] = &[
    TableKey {
        name: "code",
        help: "Code of the change, such as `field-removed`",
        form: Form::Text,
    },
    TableKey {
        name: "kind",
        help: "Kind; the default is all kinds",
        form: Form::Text,
    },
    TableKey {
        name: "path",
        help: "Path of the field, such as `.spec.color`; the default is all paths",
        form: Form::Text,
    },
    TableKey {
        name: "since",
        help: "Last revision without the change; the entry has no effect against a later one",
        form: Form::Text,
    },
    TableKey {
        name: "reason",
        help: "Why the change is intentional",
        form: Form::Text,
    },
];

/// The keys of `[lint]`.
pub(super) static LINT_KEYS: &[TableKey] = &[
    TableKey {
        name: "set",
        help: "Lints that run",
        form: Form::Word(LintSet::WORDS),
    },
    TableKey {
        name: "deny",
        help: "Lints that are errors",
        form: Form::Lints,
    },
    TableKey {
        name: "warn",
        help: "Lints that are warnings, also if the set does not have them",
        form: Form::Lints,
    },
    TableKey {
        name: "allow",
        help: "Lints that do not run",
        form: Form::Lints,
    },
];

/// The keys of `[import]`: the sources, and the flags of the command.
pub(super) static IMPORT_KEYS: &[TableKey] = &[
    TableKey {
        name: "sources",
        help: "Files and folders with CRDs",
        form: Form::Texts,
    },
    TableKey {
        name: "out",
        help: "Root of the module tree; the default is `src/api`",
        form: Form::Text,
    },
    TableKey {
        name: "style",
        help: "Kinds as whole structs, or with `#[derive(CustomResource)]`; the default is the style of the project",
        form: Form::Word(Style::WORDS),
    },
    TableKey {
        name: "versions",
        help: "Versions to import; the default is all, and `stored` is the stored one",
        form: Form::Texts,
    },
    TableKey {
        name: "group",
        help: "Groups to import; the default is all",
        form: Form::Texts,
    },
    TableKey {
        name: "kind",
        help: "Kinds to import; the default is all",
        form: Form::Texts,
    },
    TableKey {
        name: "kubernetes-types",
        help: "Where to use types of k8s-openapi",
        form: Form::Word(KubernetesTypes::WORDS),
    },
    TableKey {
        name: "enums",
        help: "The representation of enumerations",
        form: Form::Word(Enums::WORDS),
    },
    TableKey {
        name: "name",
        help: "Names of types, such as `Kind.spec.template[]=Template`",
        form: Form::Texts,
    },
    TableKey {
        name: "type",
        help: "Rust types to use in place of imported ones, such as `Kind.spec.size=crate::Size`",
        form: Form::Texts,
    },
    TableKey {
        name: "derive",
        help: "Additional derives of all structs and enums; the default is `PartialEq`",
        form: Form::Texts,
    },
    TableKey {
        name: "no-docs",
        help: "Whether comments are left out; descriptions are then in markers",
        form: Form::Boolean,
    },
    TableKey {
        name: "lenient",
        help: "Whether any value is accepted where a schema is not structural",
        form: Form::Boolean,
    },
];

impl Reader {
    /// Reads an import, whose paths are relative to `folder`.
    pub(super) fn import(&mut self, value: &Value<'_>, folder: &Path, style: Option<&str>) -> Option<Import> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", "[import]");
            return None;
        };
        let mut import = Import {
            working_folder: folder.to_owned(),
            sources: Vec::new(),
            out: Some("src/api".into()),
            options: Options {
                style: style.and_then(Style::from_word).unwrap_or_default(),
                ..Options::default()
            },
            ownership: Ownership::Project,
            searched: vec![folder.join("src")],
        };
        for (key, value) in table {
            self.import_key(key.get_ref().as_ref(), key.span(), value, &mut import);
        }
        if import.sources.is_empty() {
            let problem = self.problem(value.span(), "`[import]` has no `sources`");
            self.problems.push(problem.help("add `sources = [\"crds\"]`"));
        }
        Some(import)
    }

    fn import_key(
        &mut self,
        name: &str,
        range: std::ops::Range<usize>,
        value: &Value<'_>,
        import: &mut Import,
    ) {
        let options = &mut import.options;
        match name {
            "sources" => {
                let texts = self.plain_texts(value).into_iter();
                import.sources = texts.map(|text| ImportSource::Path(text.into())).collect();
            }
            "out" => import.out = self.text(value).map(Into::into),
            "style" => {
                options.style = self
                    .word(value, Style::WORDS, Style::from_word)
                    .unwrap_or_default()
            }
            "versions" => options.versions = Versions::from_words(self.plain_texts(value)),
            "group" => options.groups = self.plain_texts(value),
            "kind" => options.kinds = self.plain_texts(value),
            "kubernetes-types" => {
                let word = self.word(value, KubernetesTypes::WORDS, KubernetesTypes::from_word);
                options.kubernetes_types = word.unwrap_or_default();
            }
            "enums" => {
                options.enums = self
                    .word(value, Enums::WORDS, Enums::from_word)
                    .unwrap_or_default()
            }
            "name" => options.names = self.paths(value),
            "type" => options.types = self.paths(value),
            "derive" => options.derives = self.plain_texts(value),
            "no-docs" => options.docs = self.boolean(value) != Some(true),
            "lenient" => options.lenient = self.boolean(value) == Some(true),
            _ => self.unknown_table_key("[import]", name, range, IMPORT_KEYS),
        }
    }

    fn plain_texts(&mut self, value: &Value<'_>) -> Vec<String> {
        let texts = self.texts(value).unwrap_or_default();
        texts.into_iter().map(|(text, _)| text).collect()
    }

    fn word<T>(&mut self, value: &Value<'_>, words: &[&str], read: fn(&str) -> Option<T>) -> Option<T> {
        let text = self.text(value)?;
        let found = read(&text);
        if found.is_none() {
            self.unknown_word(&text, words, value.span());
        }
        found
    }

    /// Reads entries of the form `PATH=VALUE`.
    fn paths(&mut self, value: &Value<'_>) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for (text, range) in self.texts(value).unwrap_or_default() {
            match Options::pair(&text) {
                Some(pair) => pairs.push(pair),
                None => {
                    let problem = self.problem(range, format!("`{text}` does not have the form `PATH=…`"));
                    self.problems.push(problem.help(Options::PAIR_HELP));
                }
            }
        }
        pairs
    }

    pub(super) fn diff(&mut self, value: &Value<'_>) -> DiffSettings {
        let mut settings = DiffSettings::default();
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", "[diff]");
            return settings;
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "against" => settings.against = self.text(value),
                "paths" => {
                    let texts = self.texts(value).unwrap_or_default();
                    settings.paths = texts.into_iter().map(|(text, _)| text.into()).collect();
                }
                "fail-on" => {
                    if let Some(word) = self.text(value) {
                        settings.fail_on =
                            Level::from_word(&word).filter(|_| LEVELS.contains(&word.as_str()));
                        if settings.fail_on.is_none() {
                            self.unknown_word(&word, LEVELS, value.span());
                        }
                    }
                }
                "allow" => {
                    let Some(entries) = value.get_ref().as_array() else {
                        self.wrong_type(value, "an array of tables", "[[diff.allow]]");
                        continue;
                    };
                    for entry in entries.iter() {
                        let entry = self.allowed_change(entry);
                        settings.allow.extend(entry);
                    }
                }
                name => self.unknown_table_key("[diff]", name, key.span(), DIFF_KEYS),
            }
        }
        settings
    }

    fn allowed_change(&mut self, value: &Value<'_>) -> Option<AllowedChange> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", "[[diff.allow]]");
            return None;
        };
        let mut code = None;
        let (mut kind, mut path, mut since, mut reason) = (None, None, None, None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "code" => {
                    let name = self.text(value)?;
                    code = Code::find(&name).filter(|code| code.is_change());
                    if code.is_none() {
                        let changes = Code::ALL.iter().filter(|code| code.is_change());
                        let problem =
                            self.problem(value.span(), format!("`kgen diff` has no finding `{name}`"));
                        self.problems
                            .push(match nearest(&name, changes.map(|code| code.name())) {
                                Some(near) => problem.meant(near),
                                None => problem.help("run `kgen explain` to list all codes"),
                            });
                        return None;
                    }
                }
                "kind" => kind = self.text(value),
                "path" => path = self.text(value),
                "since" => since = self.text(value),
                "reason" => reason = self.text(value),
                name => self.unknown_table_key("[[diff.allow]]", name, key.span(), ENTRY_KEYS),
            }
        }
        let Some(code) = code else {
            let problem = self.problem(value.span(), "`[[diff.allow]]` has no `code`");
            self.problems.push(problem.help("add `code = \"…\"`"));
            return None;
        };
        Some(AllowedChange {
            code,
            kind,
            path,
            since,
            reason,
            span: Span::of(self.file, value.span()),
        })
    }

    pub(super) fn lint(&mut self, value: &Value<'_>) -> LintSettings {
        let mut settings = LintSettings {
            is_stated: true,
            ..LintSettings::default()
        };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table", "[lint]");
            return settings;
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "set" => {
                    if let Some(word) = self.text(value) {
                        match LintSet::from_word(&word) {
                            Some(set) => settings.set = set,
                            None => self.unknown_word(&word, LintSet::WORDS, value.span()),
                        }
                    }
                }
                "deny" => settings.deny = self.lints(value),
                "warn" => settings.warn = self.lints(value),
                "allow" => settings.allow = self.lints(value),
                name => self.unknown_table_key("[lint]", name, key.span(), LINT_KEYS),
            }
        }
        settings
    }

    fn lints(&mut self, value: &Value<'_>) -> Vec<Code> {
        let texts = self.texts(value).unwrap_or_default();
        let mut codes = Vec::new();
        for (name, range) in texts {
            match Code::find(&name).filter(|code| code.is_lint()) {
                Some(code) => codes.push(code),
                None => {
                    let lints = Code::ALL.iter().filter(|code| code.is_lint());
                    let problem = self.problem(range, format!("there is no lint `{name}`"));
                    self.problems
                        .push(match nearest(&name, lints.map(|code| code.name())) {
                            Some(near) => problem.meant(near),
                            None => problem.help("run `kgen explain` to list all codes"),
                        });
                }
            }
        }
        codes
    }

    fn unknown_table_key(
        &mut self,
        table: &str,
        name: &str,
        range: std::ops::Range<usize>,
        keys: &[TableKey],
    ) {
        let known: Vec<_> = keys.iter().map(|key| key.name).collect();
        let problem = self.problem(range, format!("`{table}` has no key `{name}`"));
        self.problems.push(match nearest(name, known.iter().copied()) {
            Some(near) => problem.meant(near),
            None => problem.help(format!("its keys are {}", quoted(known))),
        });
    }
}
