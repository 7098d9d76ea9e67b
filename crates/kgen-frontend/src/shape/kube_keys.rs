//! The keys of `#[kube(…)]`, each with the forms that kube-derive's parser (darling) accepts: one table.
//!
//! A key in another form does not compile. kgen reads programs that do not compile yet, so it reports the form and never
//! guesses. The words inside `printcolumn` and `scale` are read where kinds are made.

use kgen_diagnostics::{Code, Problem, Problems, Spanned};

use super::keywords::check_words;
use crate::declare::{Literal, Meta, MetaValue};
use crate::program::Program;

/// The forms of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `key = "text"`.
    Text,
    /// `key`, `key = true`, `key = "true"`, and the same with `false`.
    Flag,
    /// `key` or `key = "text"`.
    TextOrWord,
    /// `key = "path"` or `key = path`.
    Path,
    /// `key = "word"` or `key(word)`.
    Choice,
    /// `key("name", "value")`.
    Pair,
    /// `key(name = value, …)`, or JSON in a text.
    Table,
    /// Any form; another reader reports it.
    Any,
}

impl Form {
    /// Returns an example of a key of this form.
    fn example(self, key: &str) -> String {
        match self {
            Self::Text => format!("write `{key} = \"…\"`"),
            Self::Flag => format!("write `{key}`, `{key} = true` or `{key} = false`"),
            Self::TextOrWord => format!("write `{key}` or `{key} = \"…\"`"),
            Self::Path => format!("write `{key} = \"Name\"` or `{key} = Name`"),
            Self::Choice => {
                format!("write `{key} = \"derived\"`, `{key} = \"manual\"` or `{key} = \"disabled\"`")
            }
            Self::Pair => format!("write `{key}(\"key\", \"value\")`"),
            Self::Table => format!("write `{key}(name = \"value\", …)`"),
            Self::Any => String::new(),
        }
    }

    fn accepts(self, meta: &Meta) -> bool {
        let is_text = meta.text().is_some();
        match self {
            Self::Text => is_text,
            Self::Flag => boolean(meta).is_some(),
            Self::TextOrWord => is_text || matches!(meta.value, MetaValue::Word),
            Self::Path => is_text || matches!(meta.value, MetaValue::Expression(_)),
            Self::Choice => choice(meta).is_some(),
            Self::Pair => {
                matches!(meta.list(), [key, value] if key.text().is_some() && value.text().is_some())
            }
            Self::Table => is_text || matches!(meta.value, MetaValue::List(_)),
            Self::Any => true,
        }
    }
}

/// Every key of `#[kube(…)]`, those of older versions included.
const KEYS: &[(&str, Form)] = &[
    ("annotation", Form::Pair),
    ("apiextensions", Form::Any),
    ("attr", Form::Any),
    ("category", Form::Text),
    ("cel", Form::Flag),
    ("crates", Form::Any),
    ("deprecated", Form::TextOrWord),
    ("derive", Form::Any),
    ("doc", Form::Text),
    ("group", Form::Text),
    ("kind", Form::Text),
    ("label", Form::Pair),
    ("namespaced", Form::Flag),
    ("no_spec", Form::Flag),
    ("plural", Form::Text),
    ("printcolumn", Form::Table),
    ("root", Form::Text),
    ("rule", Form::Any),
    ("scale", Form::Table),
    ("schema", Form::Choice),
    ("selectable", Form::Text),
    ("served", Form::Flag),
    ("shortname", Form::Text),
    ("singular", Form::Text),
    ("status", Form::Path),
    ("storage", Form::Flag),
    ("struct", Form::Text),
    ("validation", Form::Any),
    ("version", Form::Text),
];

/// The keys of one `#[kube(…)]`.
#[derive(Clone, Copy)]
pub(crate) struct KubeKeys<'m>(pub(crate) &'m [Meta]);

impl KubeKeys<'_> {
    /// Reports unknown keys that are typos of known ones, and keys in a form that kube-derive does not accept.
    pub(crate) fn check(self, problems: &mut Problems) {
        check_words(self.0, "kube", KEYS.iter().map(|(key, _)| *key), problems);
        for meta in self.0 {
            let form = KEYS.iter().find(|(key, _)| *key == meta.name);
            if let Some((key, form)) = form.filter(|(_, form)| !form.accepts(meta)) {
                let message = format!("`{key}` of `#[kube(…)]` does not have this form");
                problems
                    .push(Problem::error(Code::InvalidAttribute, meta.span, message).help(form.example(key)));
            }
        }
    }
}

impl<'m> KubeKeys<'m> {
    fn meta(self, key: &str) -> Option<&'m Meta> {
        self.0.iter().find(|meta| meta.name == key)
    }

    /// Returns the text of `key = "text"`.
    pub(crate) fn text(self, key: &str) -> Option<Spanned<String>> {
        let text = self.meta(key)?.text()?;
        Some(Spanned::new(text.value.to_owned(), text.span))
    }

    /// Returns the path of `key = "path"` or `key = path`.
    pub(crate) fn path(self, key: &str, program: &Program) -> Option<Spanned<String>> {
        match self.meta(key)?.value {
            MetaValue::Expression(span) => Some(Spanned::new(program.text(span).to_owned(), span)),
            _ => self.text(key),
        }
    }

    /// Returns the value of a flag, at its key. Returns `None` if it is absent.
    pub(crate) fn flag(self, key: &str) -> Option<Spanned<bool>> {
        let meta = self.meta(key)?;
        Some(Spanned::new(boolean(meta)?, meta.span))
    }

    /// Returns whether a flag is on.
    pub(crate) fn is_on(self, key: &str) -> bool {
        self.flag(key).is_some_and(|flag| flag.value)
    }

    /// Returns the word of `key = "word"` or `key(word)`.
    pub(crate) fn choice(self, key: &str) -> Option<&'m str> {
        choice(self.meta(key)?)
    }
}

/// Returns the value of a flag in any of its forms.
fn boolean(meta: &Meta) -> Option<bool> {
    match &meta.value {
        MetaValue::Word => Some(true),
        MetaValue::Literal(Literal::Boolean(value), _) => Some(*value),
        MetaValue::Literal(Literal::Text(text), _) => text.parse().ok(),
        _ => None,
    }
}

fn choice(meta: &Meta) -> Option<&str> {
    match &meta.value {
        MetaValue::Literal(Literal::Text(text), _) => Some(text),
        MetaValue::List(list) => match list.as_slice() {
            [word] if matches!(word.value, MetaValue::Word) => Some(&word.name),
            _ => None,
        },
        _ => None,
    }
}
