//! Templates with their words filled in.

use kgen_diagnostics::{Code, Problem};
use kgen_templates::Template;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, UndefinedBehavior, Value};

/// What templates can name, with the words that stand in paths beside the others.
pub(crate) struct Words {
    pub(crate) context: Value,
    /// What stands between double underscores in a path, and what it becomes.
    pub(crate) path: Vec<(&'static str, String)>,
}

/// The files of a set: path and text.
///
/// # Errors
/// When a template names something that it is not given: a mistake in the template.
pub(crate) fn set(name: &str, words: &Words) -> Result<Vec<(String, String)>, Problem> {
    let syntax = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| wrong(name, &error))?;
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax);
    environment.add_filter("length", |text: &str| text.chars().count());
    kgen_templates::set(name)
        .map(|template| one(&environment, template, words))
        .collect()
}

fn one(
    environment: &Environment<'_>,
    template: &Template,
    words: &Words,
) -> Result<(String, String), Problem> {
    let text = environment
        .render_str(template.text, &words.context)
        .map_err(|error| wrong(&format!("{}/{}", template.set, template.path), &error))?;
    let path = words
        .path
        .iter()
        .fold(template.path.to_owned(), |path, (word, value)| {
            path.replace(&format!("__{word}__"), value)
        });
    Ok((path, text))
}

fn wrong(template: &str, error: &Error) -> Problem {
    Problem::general(
        Code::Configuration,
        format!("the template `{template}` is wrong: {error}"),
    )
}
