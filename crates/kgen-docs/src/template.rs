//! The user's template for the Markdown of a page.

use kgen_diagnostics::{Code, Problem};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, UndefinedBehavior, Value};

/// Renders a page with a template.
///
/// # Errors
/// Returns the mistake in the template, with its line and column.
pub(crate) fn render(name: &str, source: &str, page: &serde_json::Value) -> Result<String, Problem> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| wrong(name, source, &error))?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .render_named_str(name, source, value(page))
        .map_err(|error| wrong(name, source, &error))
}

/// Returns JSON as a value of the template engine.
fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(value) => Value::from(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(number) => Value::from(number),
            None => Value::from(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => items.iter().map(value).collect(),
        serde_json::Value::Object(entries) => {
            Value::from_pairs(entries.iter().map(|(name, entry)| (name.as_str(), value(entry))))
        }
    }
}

fn wrong(name: &str, source: &str, error: &Error) -> Problem {
    let line = error.line().unwrap_or(1);
    let column = error.range().map(|range| {
        let before = source.get(..range.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.chars().count() + 1
    });
    let place = match column {
        Some(column) => format!("{name}:{line}:{column}"),
        None => format!("{name}:{line}"),
    };
    let detail = error.detail().unwrap_or_default();
    let message = format!("the template fails at `{place}`: {} {detail}", error.kind());
    Problem::general(Code::DocsTemplate, message.trim().to_owned())
        .help("`kgen docs:format=json` writes the values that a template receives")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_a_place() {
        let page = serde_json::json!({ "title": "Tea", "kinds": [] });
        assert_eq!(render("a.md", "# {{ title }}\n", &page).unwrap(), "# Tea\n");
        let problem = render("a.md", "# {{ title }}\n{{ titel }}\n", &page).unwrap_err();
        assert!(problem.message.contains("`a.md:2"), "{}", problem.message);
        let problem = render("a.md", "{% for %}", &page).unwrap_err();
        assert!(problem.message.contains("`a.md:1"), "{}", problem.message);
    }
}
