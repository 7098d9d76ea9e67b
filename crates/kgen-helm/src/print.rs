//! Writes trees of templates as text.
//!
//! Data is written by `kgen-yaml` and indented, and every `{{` in it is escaped. Actions start with `{{-`, so they leave
//! no empty lines in the rendered manifests.

use serde_json::Value;

use crate::tree::{Condition, Document, Entry, Expression, Item, ItemContent, Node, Part};

/// Writes the documents of one file for the chart called `chart`.
pub(crate) fn documents(chart: &str, documents: &[Document]) -> String {
    let mut printer = Printer {
        chart,
        out: String::new(),
        ends_with_block: false,
    };
    for document in documents {
        printer.document(document);
    }
    printer.out
}

struct Printer<'a> {
    chart: &'a str,
    out: String,
    /// Whether the last value is a text in block style that ends with a line break.
    ends_with_block: bool,
}

impl Printer<'_> {
    fn document(&mut self, document: &Document) {
        let condition = document.condition.as_ref().map(condition);
        if let Some(condition) = &condition {
            self.line(0, &format!("{{{{- if {condition} }}}}"));
        }
        if let Some((path, variable)) = document.each {
            self.line(0, &format!("{{{{- range ${variable} := $.Values.{path} }}}}"));
        }
        match &document.fails {
            Some(sentence) => self.line(0, &format!("{{{{- fail {} }}}}", literal(sentence))),
            None => {
                self.line(0, "---");
                self.root(&document.node);
                if self.ends_with_block {
                    // Helm takes the line breaks off the end of a document.
                    self.line(0, "#");
                }
            }
        }
        if document.each.is_some() {
            self.line(0, "{{- end }}");
        }
        if condition.is_some() {
            self.line(0, "{{- end }}");
        }
    }

    fn root(&mut self, node: &Node) {
        match node {
            Node::Map(entries) => self.map(entries, 0),
            Node::Data(value) => self.data(value, 0),
            // Objects are maps.
            _ => {}
        }
    }

    fn map(&mut self, entries: &[Entry], indent: usize) {
        for entry in entries {
            let condition = match (entry.condition.clone(), entry.node.has_content()) {
                (Some(own), content) => Some(own.and(content)),
                (None, content) => content,
            };
            self.guarded(condition.as_ref(), indent, |printer| printer.entry(entry, indent));
        }
    }

    fn guarded(&mut self, guard: Option<&Condition>, indent: usize, write: impl FnOnce(&mut Self)) {
        if let Some(guard) = guard {
            self.line(indent, &format!("{{{{- if {} }}}}", condition(guard)));
        }
        write(self);
        if guard.is_some() {
            self.line(indent, "{{- end }}");
        }
    }

    fn entry(&mut self, entry: &Entry, indent: usize) {
        if let Node::Data(value) = &entry.node {
            let whole = Value::Object([(entry.key.clone(), value.clone())].into_iter().collect());
            return self.data(&whole, indent);
        }
        // A key as a map without a value, to quote it as everywhere else.
        let key = kgen_yaml::to_string(&Value::Object(
            [(entry.key.clone(), Value::Null)].into_iter().collect(),
        ));
        let key = escaped(key.trim_end().trim_end_matches("null").trim_end());
        match &entry.node {
            Node::Map(entries) if entries.is_empty() => self.line(indent, &format!("{key} {{}}")),
            Node::Map(entries) => {
                self.line(indent, &key);
                self.map(entries, indent + 2);
            }
            Node::List(items) if items.is_empty() => self.line(indent, &format!("{key} []")),
            Node::List(items) => {
                self.line(indent, &key);
                self.list(items, indent);
            }
            Node::Block(expression) => {
                self.line(indent, &key);
                self.block(expression, indent + 2);
            }
            scalar => {
                let text = self.scalar(scalar);
                self.line(indent, &format!("{key} {text}"));
            }
        }
    }

    fn list(&mut self, items: &[Item], indent: usize) {
        for item in items {
            self.guarded(item.condition.as_ref(), indent, |printer| match &item.content {
                ItemContent::All(expression) => printer.block(expression, indent),
                ItemContent::One(node) => printer.item(node, indent),
            });
        }
    }

    fn item(&mut self, node: &Node, indent: usize) {
        match node {
            Node::Data(value) => self.data(&Value::Array(vec![value.clone()]), indent),
            Node::Map(entries) if !entries.is_empty() => {
                // An entry that is always there comes first, so that it can follow the dash.
                let mut entries = entries.clone();
                entries.sort_by_key(|entry| entry.condition.is_some() || entry.node.has_content().is_some());
                let start = self.out.len();
                let follows = entries
                    .first()
                    .is_some_and(|entry| entry.condition.is_none() && entry.node.has_content().is_none());
                if !follows {
                    self.line(indent, "-");
                    return self.map(&entries, indent + 2);
                }
                self.map(&entries, indent + 2);
                let dash = start + indent;
                if self.out.get(dash..dash + 2) == Some("  ") {
                    self.out.replace_range(dash..dash + 2, "- ");
                }
            }
            Node::Map(_) => self.line(indent, "- {}"),
            Node::List(items) if items.is_empty() => self.line(indent, "- []"),
            Node::List(items) => {
                self.line(indent, "-");
                self.list(items, indent + 2);
            }
            Node::Block(expression) => {
                self.line(indent, "-");
                self.block(expression, indent + 2);
            }
            scalar => {
                let text = self.scalar(scalar);
                self.line(indent, &format!("- {text}"));
            }
        }
    }

    fn block(&mut self, expression: &Expression, indent: usize) {
        let text = self.expression(expression);
        let convert = match expression {
            // Helpers return YAML.
            Expression::Labels(..) | Expression::Include(_) => "",
            _ => "toYaml ",
        };
        self.line(indent, &format!("{{{{- {convert}{text} | nindent {indent} }}}}"));
    }

    fn scalar(&self, node: &Node) -> String {
        match node {
            Node::Quoted(expression) => format!("{{{{ {} | quote }}}}", self.expression(expression)),
            Node::Plain(expression) => format!("{{{{ {} }}}}", self.expression(expression)),
            Node::Text(parts) => {
                let mut text = String::from("\"");
                for part in parts {
                    match part {
                        Part::Text(plain) => {
                            let json = literal(plain);
                            let inner = json.get(1..json.len() - 1).unwrap_or_default();
                            text.push_str(&escaped(inner));
                            // A brace before an action would belong to it.
                            if text.ends_with('{') {
                                text.pop();
                                text.push_str("{{ \"{\" }}");
                            }
                        }
                        Part::Expression(expression) => {
                            text.push_str(&format!("{{{{ {} }}}}", self.expression(expression)));
                        }
                    }
                }
                text + "\""
            }
            Node::Data(_) | Node::Map(_) | Node::List(_) | Node::Block(_) => String::new(),
        }
    }

    fn expression(&self, expression: &Expression) -> String {
        let chart = self.chart;
        match expression {
            Expression::Value(path) => format!("$.Values.{path}"),
            Expression::Name(suffix) => format!(
                "include \"{chart}.object\" (dict \"root\" $ \"suffix\" {})",
                literal(suffix)
            ),
            Expression::Include(helper) => format!("include \"{chart}.{helper}\" $"),
            Expression::Labels(helper, own) => {
                let own: Vec<String> = own
                    .iter()
                    .map(|(key, value)| format!(" {} {}", literal(key), literal(value)))
                    .collect();
                format!(
                    "include \"{chart}.{helper}\" (dict \"root\" $ \"labels\" (dict{}))",
                    own.concat()
                )
            }
            Expression::Namespace => "$.Release.Namespace".to_owned(),
            Expression::Variable(name) => format!("${name}"),
            Expression::Joined(path) => format!("join \",\" $.Values.{path}"),
        }
    }

    fn data(&mut self, value: &Value, indent: usize) {
        let text = kgen_yaml::to_string(value);
        for line in text.split_inclusive('\n') {
            if line != "\n" {
                self.blanks(indent);
            }
            self.out.push_str(&escaped(line));
        }
        self.ends_with_block = ends_with_block(value);
    }

    fn line(&mut self, indent: usize, text: &str) {
        let is_action = text.starts_with("{{-");
        if is_action && self.out.ends_with("\n\n") {
            // The action would take away the empty lines at the end of a text. A comment is not part of it.
            self.blanks(indent);
            self.out.push_str("#\n");
        }
        self.ends_with_block &= is_action;
        self.blanks(indent);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn blanks(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }
}

/// Returns whether the last text of a value ends with a line break.
fn ends_with_block(value: &Value) -> bool {
    match value {
        Value::String(text) => text.ends_with('\n'),
        Value::Array(items) => items.last().is_some_and(ends_with_block),
        Value::Object(map) => map.values().next_back().is_some_and(ends_with_block),
        _ => false,
    }
}

fn condition(given: &Condition) -> String {
    let inner = |condition_: &Condition| match condition_ {
        Condition::Set(_) => condition(condition_),
        _ => format!("({})", condition(condition_)),
    };
    let several = |word: &str, all: &[Condition]| {
        let all: Vec<_> = all.iter().map(inner).collect();
        format!("{word} {}", all.join(" "))
    };
    match given {
        Condition::Set(path) => format!("$.Values.{path}"),
        Condition::Is(path, text) => format!("eq $.Values.{path} {}", literal(text)),
        Condition::Not(other) => format!("not {}", inner(other)),
        Condition::All(all) => several("and", all),
        Condition::Any(any) => several("or", any),
    }
}

/// Returns text that a template prints as it is.
pub(crate) fn escaped(text: &str) -> String {
    text.replace("{{", "{{ \"{{\" }}")
}

/// Returns a string literal of Go, which is also one of YAML and JSON.
pub(crate) fn literal(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn print(node: Node) -> String {
        let document = Document {
            node,
            condition: None,
            each: None,
            fails: None,
        };
        documents("c", &[document])
    }

    #[test]
    fn braces_are_escaped_in_every_string() {
        let mut node =
            Node::Data(json!({ "description": "use {{ name }} or {{{", "{{key}}": "v", "list": ["{{"] }));
        node.set(
            "text",
            Node::Text(vec![
                Part::Text("a {{ {".to_owned()),
                Part::Expression(Expression::Namespace),
            ]),
        );
        let text = print(node);
        let mut rest = text.as_str();
        while let Some((_, after)) = rest.split_once("{{") {
            let (action, after) = after.split_once("}}").unwrap();
            assert!(
                [" \"{{\" ", " \"{\" ", " $.Release.Namespace "].contains(&action),
                "{action} in {text}"
            );
            rest = after;
        }
    }

    #[test]
    fn texts_keep_their_last_lines() {
        let mut node = Node::Data(json!({ "args": ["a\n\n"] }));
        node.push("args", Item::all_of("extraArgs"));
        node.set("text", Node::Data(json!("b\n")));
        assert_eq!(
            print(node),
            "---\nargs:\n- |+\n  a\n\n#\n{{- if $.Values.extraArgs }}\n{{- toYaml $.Values.extraArgs | nindent 0 }}\n\
             {{- end }}\ntext: |\n  b\n#\n"
        );
    }

    #[test]
    fn lists_without_a_certain_item_are_guarded() {
        let mut node = Node::Data(json!({}));
        node.push("args", Item::all_of("extraArgs"));
        let mut pod = Node::Data(json!({ "name": "manager" }));
        pod.set_block("resources", "resources");
        node.push("containers", Item::one(pod));
        assert_eq!(
            print(node),
            "---\n\
             {{- if $.Values.extraArgs }}\n\
             args:\n\
             {{- if $.Values.extraArgs }}\n\
             {{- toYaml $.Values.extraArgs | nindent 0 }}\n\
             {{- end }}\n\
             {{- end }}\n\
             containers:\n\
             - name: manager\n  \
               {{- if $.Values.resources }}\n  \
               resources:\n    \
                 {{- toYaml $.Values.resources | nindent 4 }}\n  \
               {{- end }}\n"
        );
    }
}
