//! Reads the file `PROJECT` of kubebuilder and operator-sdk: the names of a project and its kinds.

use kgen_diagnostics::{Code, FileId, Problem, Problems, Span};
use kgen_manifests::yaml::{self, Content, Node};
use serde_json::Value;

/// The version of the file. Older ones do not have the kinds' domains.
const VERSION: &str = "3";

/// The layouts of projects in Go start with this. Others are written in Ansible or as Helm charts.
const GO_LAYOUT: &str = "go.";

/// The packages with the kinds of Kubernetes start with this.
const KUBERNETES_TYPES: &str = "k8s.io/api/";

/// The content of `PROJECT`.
#[derive(Debug, Default)]
pub(super) struct ProjectFile {
    pub(super) name: String,
    pub(super) domain: String,
    pub(super) resources: Vec<GoKind>,
}

/// A version of a kind that the project works with.
#[derive(Debug)]
pub(super) struct GoKind {
    /// The group as on the command line of kubebuilder, such as `crew` or `core`.
    pub(super) short_group: String,
    /// The whole name of the group.
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    /// Whether the project has the types and the CRD.
    pub(super) has_types: bool,
    pub(super) has_controller: bool,
    /// Whether it is a kind of Kubernetes.
    pub(super) is_built_in: bool,
    pub(super) defaulting: bool,
    pub(super) validation: bool,
    pub(super) conversion: bool,
    pub(super) span: Span,
}

/// Reads the file. Returns `None` if it has errors.
pub(super) fn read(text: &str, file: FileId, problems: &mut Problems) -> Option<ProjectFile> {
    let documents = yaml::read_or_report(text, file, problems);
    let Some(root) = documents.first() else {
        if !problems.has_errors() {
            let message = "`PROJECT` is empty";
            problems.push(Problem::general(Code::Usage, message).help(OTHER_FOLDER));
        }
        return None;
    };
    check_version(root, problems);
    check_layout(root, problems);
    if problems.has_errors() {
        return None;
    }
    let name = text_of(root, "projectName").unwrap_or_default();
    let domain = text_of(root, "domain").unwrap_or_default();
    if domain.is_empty() {
        let message = "`PROJECT` has no `domain`";
        problems.push(
            Problem::error(Code::Usage, first_line(root), message)
                .help("add the domain of the API groups, such as `domain: example.com`"),
        );
        return None;
    }
    let resources = root.get("resources").map(Node::items).unwrap_or_default();
    let resources = resources
        .iter()
        .filter_map(|resource| kind(resource, problems))
        .collect();
    Some(ProjectFile {
        name,
        domain,
        resources,
    })
}

/// The advice for a folder that is not a project.
pub(super) const OTHER_FOLDER: &str = "name the folder of a kubebuilder or operator-sdk project";

fn check_version(root: &Node, problems: &mut Problems) {
    let version = root.get("version");
    let stated = version.map(|version| match version.to_json() {
        Value::String(text) => text,
        other => other.to_string(),
    });
    if stated.as_deref() == Some(VERSION) {
        return;
    }
    let message = match stated {
        Some(stated) => format!("the version of `PROJECT` is `{stated}`, but only `{VERSION}` is supported"),
        None => format!("`PROJECT` has no version, but only version `{VERSION}` is supported"),
    };
    let span = version.map_or_else(|| first_line(root), |version| version.span);
    problems.push(
        Problem::error(Code::Usage, span, message)
            .help("migrate the project to kubebuilder's `go/v4` layout first")
            .help("or start with `kgen init`, and use `kgen import` for its CRDs"),
    );
}

fn check_layout(root: &Node, problems: &mut Problems) {
    let Some(layout) = root.get("layout") else {
        return;
    };
    let names: Vec<&str> = match &layout.content {
        Content::List(items) => items.iter().filter_map(Node::text).collect(),
        _ => layout.text().into_iter().collect(),
    };
    if names.is_empty() || names.iter().any(|name| name.starts_with(GO_LAYOUT)) {
        return;
    }
    let message = format!("`{}` is not a layout for Go projects", names.join(", "));
    problems.push(
        Problem::error(Code::Usage, first_line(layout), message)
            .help("start with `kgen init`, and use `kgen import` for its CRDs"),
    );
}

fn kind(resource: &Node, problems: &mut Problems) -> Option<GoKind> {
    let text = |key: &str| text_of(resource, key).unwrap_or_default();
    let (kind, version) = (text("kind"), text("version"));
    if kind.is_empty() || version.is_empty() {
        let message = "this resource has no `kind` or no `version`";
        problems.push(Problem::error(Code::Usage, first_line(resource), message));
        return None;
    }
    let is_true = |node: &Node, key: &str| {
        node.get(key)
            .is_some_and(|value| !matches!(&value.content, Content::Scalar(Value::Bool(false))))
    };
    let webhook = |key: &str| {
        resource
            .get("webhooks")
            .is_some_and(|webhooks| is_true(webhooks, key))
    };
    let (group, domain) = (text("group"), text("domain"));
    let whole = match (group.as_str(), domain.as_str()) {
        ("", domain) => domain.to_owned(),
        (group, "") => group.to_owned(),
        (group, domain) => format!("{group}.{domain}"),
    };
    let name = resource.entries().iter().find(|entry| entry.key == "kind");
    Some(GoKind {
        short_group: group,
        group: whole,
        version,
        kind,
        has_types: resource.get("api").is_some_and(|api| !api.entries().is_empty()),
        has_controller: is_true(resource, "controller"),
        // Before version 4.2, kubebuilder did not write `core`.
        is_built_in: is_true(resource, "core") || text("path").starts_with(KUBERNETES_TYPES),
        defaulting: webhook("defaulting"),
        validation: webhook("validation"),
        conversion: webhook("conversion"),
        span: name.map_or(resource.span, |entry| entry.value.span),
    })
}

/// Returns the place of the first part of a list or map, because a list or map has many lines.
fn first_line(node: &Node) -> Span {
    let part = node.items().first().map(|item| item.span);
    let part = part.or_else(|| node.entries().first().map(|entry| entry.key_span));
    part.unwrap_or(node.span)
}

fn text_of(node: &Node, key: &str) -> Option<String> {
    node.get(key).and_then(Node::text).map(str::to_owned)
}
