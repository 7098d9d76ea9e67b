//! Renders templates.

use kgen_diagnostics::{Code, Problem};
use kgen_templates::Template;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, UndefinedBehavior, Value};

/// The variables of templates and of their paths.
pub(crate) struct Words {
    pub(crate) context: Value,
    /// The words between double underscores in a path, and their replacements.
    pub(crate) path: Vec<(&'static str, String)>,
    /// The text at the beginning of source files, such as a license.
    pub(crate) header: String,
}

/// Renders the files of a set, and returns their paths and texts.
///
/// # Errors
/// Returns an error if a template uses an unknown variable, or if there is no such set. Both are bugs in kgen.
pub(crate) fn set(name: &str, words: &Words) -> Result<Vec<(String, String)>, Problem> {
    let syntax = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| wrong(name, &error))?;
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax);
    environment.add_filter("length", |text: &str| text.chars().count());
    let files: Vec<(String, String)> = kgen_templates::set(name)
        .map(|template| one(&environment, template, words))
        .collect::<Result<_, _>>()?;
    if files.is_empty() {
        let message = format!("there are no templates in `{name}`");
        return Err(Problem::general(Code::Configuration, message));
    }
    Ok(files)
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
    match path.ends_with(".rs") {
        true => Ok((path, format!("{}{text}", words.header))),
        false => Ok((path, text)),
    }
}

fn wrong(template: &str, error: &Error) -> Problem {
    Problem::general(
        Code::Configuration,
        format!("cannot render the template `{template}`: {error}"),
    )
}
