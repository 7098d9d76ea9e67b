//! Renders problems for programs: one JSON object per line.

use serde_json::Value;

use crate::{Edit, Files, Fix, Problem, Span};

/// A JSON object whose members keep the order in which they are added.
struct Object {
    text: String,
}

impl Object {
    fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    fn member(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.written(name, &value.into().to_string())
    }

    /// Adds a value that is JSON text already.
    fn written(&mut self, name: &str, value: &str) -> &mut Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
        self.text.push_str(value);
        self
    }

    /// Adds an array, unless it is empty.
    fn objects(&mut self, name: &str, objects: &[String]) -> &mut Self {
        if objects.is_empty() {
            return self;
        }
        self.written(name, &array(objects))
    }

    /// Adds the members of a place in a file.
    fn place(&mut self, span: Span, files: &Files) -> Option<&mut Self> {
        let file = files.get(span.file)?;
        let (start, end) = (file.position(span.start), file.position(span.end));
        let object = self
            .member("file", file.name())
            .member("line", start.line)
            .member("column", start.column)
            .member("end_line", end.line)
            .member("end_column", end.column)
            .member("byte_start", start.byte)
            .member("byte_end", end.byte);
        Some(object)
    }

    fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

fn array(objects: &[String]) -> String {
    format!("[{}]", objects.join(","))
}

pub(super) fn render(problem: &Problem, files: &Files) -> String {
    let beside = problem.beside();
    let suggestion = beside.starts_with("did you mean").then_some(beside.as_ref());
    let mut message = Object::new();
    message
        .member("code", problem.code.name())
        .member("severity", problem.severity.word())
        .member("message", problem.message.as_str());
    if let Some(span) = problem.span {
        message.place(span, files);
    }
    if !beside.is_empty() {
        message.member("label", beside.as_ref());
    }
    // People see a suggestion beside the place; for programs it is help like any other.
    let help: Vec<&str> = suggestion
        .into_iter()
        .chain(problem.help.iter().map(String::as_str))
        .collect();
    if !help.is_empty() {
        message.member("help", help);
    }
    let related: Vec<String> = problem
        .related
        .iter()
        .map(|related| {
            let mut object = Object::new();
            object.place(related.span, files);
            object.member("label", related.label.as_str());
            object.end()
        })
        .collect();
    let fixes: Vec<String> = problem
        .fixes
        .iter()
        .filter_map(|fix| fix_message(fix, files))
        .collect();
    message.objects("related", &related).objects("fixes", &fixes);
    let mut line = message.end();
    line.push('\n');
    line
}

/// Returns the edits of a fix as byte ranges of the files, or `None` if an edit cannot be represented.
fn fix_message(fix: &Fix, files: &Files) -> Option<String> {
    let edit_message = |edit: &Edit| {
        let edit = edit.resolve(files)?;
        let mut object = Object::new();
        object
            .place(edit.span, files)?
            .member("replacement", edit.replacement);
        Some(object.end())
    };
    let edits: Vec<String> = fix.edits.iter().map(edit_message).collect::<Option<_>>()?;
    let mut object = Object::new();
    object
        .member("applicability", fix.applicability.word())
        .written("edits", &array(&edits));
    Some(object.end())
}
