//! Reads marker lines into the model, for tests only: the real reader lives in kgen-markers, which this crate does not
//! know. It understands what the cases need and fails loudly on everything else.

use kgen_diagnostics::{FileId, Files, SourceFile, Span, Spanned};
use kgen_model::{AccessRule, Api, Webhook, WebhookConfiguration};

/// The API of one source text, and the files that its places refer to.
pub(crate) fn read(name: &str, text: &str) -> (Api, Files) {
    let (mut api, mut files) = (Api::default(), Files::default());
    add(name, text, &mut api, &mut files);
    (api, files)
}

/// Adds what one more file says.
pub(crate) fn add(name: &str, text: &str, api: &mut Api, files: &mut Files) {
    let file = files.add(SourceFile::new(name, text));
    let mut allowed = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(offset) = line
            .find("// +")
            .map(|at| at + 3)
            .or_else(|| line.find("//! +").map(|at| at + 4))
        {
            let marker = line[offset..].trim_end();
            if marker == "+kgen:allow=rbac-wildcard" {
                allowed = true;
            } else {
                read_marker(marker, file, start + offset, std::mem::take(&mut allowed), api);
            }
        }
        start += line.len();
    }
}

fn read_marker(marker: &str, file: FileId, start: usize, wildcard_allowed: bool, api: &mut Api) {
    let span = Span::of(file, start..start + marker.len());
    let arguments = |name: &str| {
        let at = name.len();
        Arguments(
            split(&marker[at..], ',')
                .map(|(offset, text)| argument(text, file, start + at + offset))
                .collect(),
        )
    };
    let (rbac, webhook, configuration) = (
        "+kubebuilder:rbac:",
        "+kubebuilder:webhook:",
        "+kubebuilder:webhookconfiguration:",
    );
    if marker.starts_with(rbac) {
        api.access_rules
            .push(arguments(rbac).access_rule(wildcard_allowed, span));
    } else if marker.starts_with(webhook) {
        api.webhooks.push(arguments(webhook).webhook(span));
    } else if marker.starts_with(configuration) {
        let arguments = arguments(configuration);
        let name = arguments.text("name").unwrap_or_default();
        api.webhook_configurations.push(WebhookConfiguration {
            mutating: arguments.flag("mutating"),
            name,
            span,
        });
    } else {
        panic!("the tests know no marker `{marker}`");
    }
}

/// Pieces between separators that stand outside of quotes and braces, each with its offset.
fn split(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let (mut quote, mut depth, mut start, mut pieces) = (None, 0, 0, Vec::new());
    for (at, next) in text.char_indices() {
        match (quote, next) {
            (Some(open), next) if next == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(next),
            (None, '{') => depth += 1,
            (None, '}') => depth -= 1,
            (None, next) if next == separator && depth == 0 => {
                pieces.push((start, &text[start..at]));
                start = at + next.len_utf8();
            }
            (None, _) => {}
        }
    }
    pieces.push((start, &text[start..]));
    pieces.into_iter()
}

fn argument(text: &str, file: FileId, start: usize) -> Argument {
    let (name, value) = text
        .split_once('=')
        .unwrap_or_else(|| panic!("`{text}` has no `=`"));
    let at = start + name.len() + 1;
    Argument {
        name: name.to_owned(),
        whole: Spanned::new(value.to_owned(), Span::of(file, at..at + value.len())),
        elements: split(value, ';')
            .map(|(offset, element)| {
                let span = Span::of(file, at + offset..at + offset + element.len());
                Spanned::new(unquoted(element), span)
            })
            .collect(),
    }
}

fn unquoted(text: &str) -> String {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('`')).unwrap_or(text).to_owned()
}

struct Argument {
    name: String,
    whole: Spanned<String>,
    elements: Vec<Spanned<String>>,
}

struct Arguments(Vec<Argument>);

impl Arguments {
    fn find(&self, name: &str) -> Option<&Argument> {
        self.0.iter().find(|argument| argument.name == name)
    }

    fn spanned(&self, name: &str) -> Option<Spanned<String>> {
        self.find(name)
            .map(|found| Spanned::new(unquoted(&found.whole.value), found.whole.span))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.spanned(name).map(|found| found.value)
    }

    fn flag(&self, name: &str) -> bool {
        self.text(name).as_deref() == Some("true")
    }

    fn number(&self, name: &str) -> Option<Spanned<i64>> {
        self.spanned(name)
            .map(|found| Spanned::new(found.value.parse().expect("a number"), found.span))
    }

    fn spanned_list(&self, name: &str) -> Vec<Spanned<String>> {
        self.find(name)
            .map(|found| found.elements.clone())
            .filter(|_| self.text(name).as_deref() != Some("{}"))
            .unwrap_or_default()
    }

    fn spans(&self) -> Vec<(String, Span)> {
        let span = |argument: &Argument| (argument.name.clone(), argument.whole.span);
        self.0.iter().map(span).collect()
    }

    fn list(&self, name: &str) -> Vec<String> {
        self.spanned_list(name)
            .into_iter()
            .map(|element| element.value)
            .collect()
    }

    fn access_rule(&self, wildcard_allowed: bool, span: Span) -> AccessRule {
        AccessRule {
            groups: self.list("groups"),
            resources: self.spanned_list("resources"),
            resource_names: self.spanned_list("resourceNames"),
            urls: self.spanned_list("urls"),
            verbs: self.spanned_list("verbs"),
            namespace: self.spanned("namespace"),
            role_name: self.spanned("roleName"),
            wildcard_allowed,
            span,
        }
    }

    fn webhook(&self, span: Span) -> Webhook {
        let conditions = self.text("matchConditions").unwrap_or_default();
        let conditions = conditions.trim_start_matches('{').trim_end_matches('}');
        let condition = |text: &str| {
            let (name, rule) = text.split_once(':').expect("a condition is `name: rule`");
            (name.trim().to_owned(), unquoted(rule.trim()))
        };
        let patch = self.spanned("patch").map(|text| {
            Spanned::new(
                serde_json::from_str(&text.value).expect("the patch is JSON"),
                text.span,
            )
        });
        Webhook {
            mutating: self.flag("mutating"),
            name: self.spanned("name").expect("a webhook has a name"),
            path: self.spanned("path"),
            url: self.spanned("url"),
            service_name: self.text("serviceName"),
            service_namespace: self.text("serviceNamespace"),
            service_port: self.number("servicePort").map(|port| port.value),
            groups: self.list("groups"),
            versions: self.list("versions"),
            resources: self.list("resources"),
            verbs: self.spanned_list("verbs"),
            failure_policy: self
                .spanned("failurePolicy")
                .expect("a webhook has a failurePolicy"),
            match_policy: self.spanned("matchPolicy"),
            side_effects: self.spanned("sideEffects"),
            timeout_seconds: self.number("timeoutSeconds"),
            admission_review_versions: self.list("admissionReviewVersions"),
            reinvocation_policy: self.spanned("reinvocationPolicy"),
            webhook_versions: self.spanned_list("webhookVersions"),
            namespace_selector: self.spanned("namespaceSelector"),
            object_selector: self.spanned("objectSelector"),
            match_conditions: split(conditions, ',')
                .map(|(_, text)| text)
                .filter(|text| !text.trim().is_empty())
                .map(condition)
                .collect(),
            patch,
            arguments: self.spans(),
            span,
        }
    }
}
