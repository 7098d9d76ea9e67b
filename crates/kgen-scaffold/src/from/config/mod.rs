//! The manifests that are reused: `config` with the image and the flags of the Rust program.
//!
//! They are read line by line and not as YAML, so that comments and order stay. `flags` has the flags.

mod flags;

use std::collections::BTreeMap;

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem};

use self::flags::Flag;

/// The program in the image of a project in Go.
const GO_PROGRAM: &str = "/manager";

/// The container of that program.
const CONTAINER: &str = "manager";

/// The image that `make deploy IMG=…` replaces.
const IMAGE: &str = "controller";

/// A change that does nothing, for a list of changes that would otherwise be empty, which kustomize refuses.
const NO_CHANGE: &str = "- op: test\n  path: /kind\n  value: Deployment\n";

/// Returns the text of a manifest for the Rust program, which is called `name`. Reports everything that it removes.
pub(super) fn adapted(path: &str, text: &str, name: &str, findings: &mut Findings) -> String {
    let runs_program = path.starts_with("config/manager/") || path.starts_with("config/default/");
    if !runs_program {
        return text.to_owned();
    }
    let mut manifest = Manifest {
        path,
        lines: block_lists(text),
        findings,
    };
    if path.ends_with("/kustomization.yaml") {
        manifest.remove_image();
    }
    let images: Vec<String> = manifest.lines.iter().filter_map(|line| image_of(line)).collect();
    let is_program = |line: &String| {
        line.trim().trim_start_matches("- ").trim_matches(['"', '\'']) == GO_PROGRAM
            || value_of(line, "name").as_deref() == Some(CONTAINER)
    };
    // A manifest with an image of another program has arguments of that program.
    let has_other_programs = match images.as_slice() {
        [] => false,
        [image] => image.contains("kube-rbac-proxy") || !manifest.lines.iter().any(is_program),
        _ => true,
    };
    if let ([image], false) = (images.as_slice(), has_other_programs) {
        manifest.replace_image(image);
    }
    // Patches in a kustomization are texts in a text, so nothing is removed there.
    let can_remove = !has_other_programs && !path.ends_with("/kustomization.yaml");
    manifest.replace_arguments(name, can_remove);
    manifest.lines.concat()
}

/// The manifest with the arguments of the program.
const MANAGER: &str = "config/manager/manager.yaml";

/// The folder from which programs in Go read the certificate of webhooks without a flag.
const CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";

/// Passes the folder with the certificate of the webhooks to the program, which otherwise serves none. Before version 4.4,
/// kubebuilder relied on a default.
pub(super) fn serve_webhooks(config: &mut BTreeMap<String, String>, findings: &mut Findings) {
    let has_line = |text: &str, part: &str| {
        let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| line.contains(part))
    };
    if config.values().any(|text| has_line(text, "--webhook-certs=")) {
        return;
    }
    let mut mounts = config.iter().filter(|(_, text)| has_line(text, CERTIFICATES));
    let Some((mount, _)) = mounts.next() else {
        return;
    };
    let (mount, file) = (
        mount.clone(),
        mount.rsplit('/').next().unwrap_or_default().to_owned(),
    );
    let mut lists = config
        .iter()
        .filter(|(path, _)| path.ends_with("/kustomization.yaml"));
    let is_used = lists.any(|(_, text)| has_line(text, &file));
    let flag = format!("--webhook-certs={CERTIFICATES}");
    let changed = config.get(MANAGER).and_then(|text| with_argument(text, &flag));
    match changed.filter(|_| is_used) {
        Some(text) => {
            config.insert(MANAGER.to_owned(), text);
            let message = format!(
                "`{flag}` is added to `{MANAGER}`: the Rust program has no default for the certificate in `{mount}`"
            );
            findings.problems.push(Problem::note(Code::Usage, message));
        }
        None => {
            let message = format!("no argument names the folder of the webhook certificate in `{mount}`");
            findings
                .problems
                .push(Problem::general_warning(Code::Usage, message).help(format!(
                    "add `{flag}` to the arguments in `{MANAGER}`, or the program serves no webhooks"
                )));
        }
    }
}

/// Adds an argument before the others. Returns `None` if the program has none.
fn with_argument(text: &str, flag: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_arguments = |line: &&str| line.trim().trim_start_matches("- ") == "args:";
    let key = lines.iter().position(is_arguments)?;
    let first = lines.get(key + 1)?;
    let (indent, _) = first
        .split_once("- ")
        .filter(|(indent, _)| indent.trim().is_empty())?;
    let line = format!("{indent}- {flag}\n");
    lines.insert(key + 1, &line);
    Some(lines.concat())
}

/// A manifest that is being changed.
struct Manifest<'a> {
    path: &'a str,
    /// Its lines with their ends.
    lines: Vec<String>,
    findings: &'a mut Findings,
}

impl Manifest<'_> {
    fn note(&mut self, message: String) {
        self.findings.problems.push(Problem::note(Code::Usage, message));
    }

    /// Removes the image of the program in Go from `images`. Otherwise `make deploy` would deploy that image.
    fn remove_image(&mut self) {
        let Some(key) = self.lines.iter().position(|line| line.starts_with("images:")) else {
            return;
        };
        let rest = self.lines.get(key + 1..).unwrap_or_default();
        let is_inside = |line: &&String| line.starts_with([' ', '-', '#']) || line.trim().is_empty();
        let end = key + 1 + rest.iter().take_while(is_inside).count();
        let starts: Vec<usize> = (key + 1..end)
            .filter(|index| self.content(*index).starts_with("- "))
            .collect();
        for (position, start) in starts.iter().enumerate() {
            let next = starts.get(position + 1).copied().unwrap_or(end);
            let entry = self.lines.get(*start..next).unwrap_or_default();
            let value = |key: &str| entry.iter().find_map(|line| value_of(line, key));
            let new = value("newName");
            let is_programs = value("name").as_deref() == Some(IMAGE);
            let is_replaced = new.as_ref().is_some_and(|new| new != IMAGE) || value("digest").is_some();
            if !is_programs || !is_replaced {
                continue;
            }
            let image = new.unwrap_or_else(|| IMAGE.to_owned());
            self.note(format!(
                "the image `{image}` of the program in Go is removed from `{}`; `make deploy IMG=…` sets the image",
                self.path
            ));
            let first = if starts.len() == 1 { key } else { *start };
            self.lines.drain(first..next);
            return;
        }
    }

    /// Makes the Deployment use the image that `make deploy` replaces.
    fn replace_image(&mut self, image: &str) {
        let (name, _) = image.split_once([':', '@']).unwrap_or((image, ""));
        if name == IMAGE {
            return;
        }
        for line in &mut self.lines {
            if image_of(line).is_some() {
                *line = line.replace(image, &format!("{IMAGE}:latest"));
            }
        }
        self.note(format!(
            "the image `{image}` of the program in Go is `{IMAGE}:latest` in `{}`; `make deploy IMG=…` sets the image",
            self.path
        ));
    }

    /// Translates the arguments of the program, which is called `name`.
    fn replace_arguments(&mut self, name: &str, can_remove: bool) {
        let mut index = 0;
        while index < self.lines.len() {
            index = self.replace_argument(index, name, can_remove);
        }
        if can_remove {
            self.fill_empty_lists();
        }
    }

    /// Translates the argument on a line. Returns the index of the next line.
    fn replace_argument(&mut self, index: usize, name: &str, can_remove: bool) -> usize {
        let content = self.content(index);
        let places = ["- value: ", "value: ", "- "];
        let found = places
            .into_iter()
            .find_map(|place| Some((place, content.strip_prefix(place)?)));
        let Some((place, quoted)) = found else {
            return index + 1;
        };
        let given = quoted.trim_matches(['"', '\'']).to_owned();
        if given == GO_PROGRAM && place == "- " {
            self.replace(index, GO_PROGRAM, &format!("/{name}"));
            return index + 1;
        }
        if !given.starts_with("--") {
            return index + 1;
        }
        let mut length = 1;
        let (flag, value) = match given.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
            None => (given.clone(), None),
        };
        let value = value.or_else(|| {
            let next = self
                .value_behind(index)
                .filter(|_| place == "- " && !flags::is_switch(&flag))?;
            length = 2;
            Some(next)
        });
        match flags::translate(&flag, value.as_deref()) {
            Flag::Same => return index + length,
            Flag::Other(new) => {
                self.replace(index, &given, &new);
                self.lines.drain(index + 1..index + length);
                return index + 1;
            }
            Flag::Needless(reason) if can_remove => {
                self.note(format!("`{given}` is removed from `{}`: {reason}", self.path));
            }
            Flag::Missing(instead) if can_remove => {
                let message = format!(
                    "`{given}` is removed from `{}`: `src/main.rs` does not have this flag",
                    self.path
                );
                let problem = Problem::general_warning(Code::Usage, message);
                let help = instead.unwrap_or(
                    "if the program needs it, add it to `Options` in `src/main.rs` and to the manifest",
                );
                self.findings.problems.push(problem.help(help));
            }
            Flag::Needless(_) | Flag::Missing(_) => {
                let message = format!(
                    "`{}` passes `{given}`, a flag that `src/main.rs` does not have",
                    self.path
                );
                self.findings.problems.push(
                    Problem::general_warning(Code::Usage, message)
                        .help("remove it, or add the flag to `Options` in `src/main.rs`"),
                );
                return index + length;
            }
        }
        if place == "- " {
            self.lines.drain(index..index + length);
            index
        } else {
            self.remove_change(index)
        }
    }

    /// Removes the change of a JSON patch that has a line. Returns the index of the next line.
    fn remove_change(&mut self, index: usize) -> usize {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_start = |line: &str| line.trim_start().starts_with("- ");
        let inner = self.lines.get(index).map_or(0, |line| indent(line));
        let lines = self.lines.get(..=index).unwrap_or_default();
        let start = lines.iter().rposition(|line| {
            is_start(line) && (indent(line) < inner || is_start(lines.last().map_or("", String::as_str)))
        });
        let Some(start) = start else {
            return index + 1;
        };
        let outer = self.lines.get(start).map_or(0, |line| indent(line));
        let rest = self.lines.get(start + 1..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|line| indent(line) > outer && !line.trim().is_empty())
            .count();
        self.lines.drain(start..=start + length);
        let has_changes = self.lines.iter().any(|line| line.trim_start().starts_with("- "));
        if !has_changes {
            self.lines.push(NO_CHANGE.to_owned());
        }
        start
    }

    /// Writes `[]` for lists of arguments that have lost all their entries.
    fn fill_empty_lists(&mut self) {
        for index in 0..self.lines.len() {
            let line = self.lines.get(index).map_or("", String::as_str);
            let key = line.trim_end().trim_start_matches([' ', '-']);
            let column = line.len() - line.trim_start_matches([' ', '-']).len();
            let rest = self.lines.get(index + 1..).unwrap_or_default();
            let next = rest.iter().find(|line| {
                let content = line.trim();
                !content.is_empty() && !content.starts_with('#')
            });
            let has_entries = next.is_some_and(|next| {
                next.trim_start().starts_with("- ") && next.len() - next.trim_start().len() >= column
            });
            if key == "args:" && !has_entries {
                self.replace(index, "args:", "args: []");
            }
        }
    }

    /// Returns a line without its indentation and its end.
    fn content(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", |line| line.trim())
    }

    /// Returns the entry behind another one of the same list, unless it is a flag.
    fn value_behind(&self, index: usize) -> Option<String> {
        let (line, next) = (self.lines.get(index)?, self.lines.get(index + 1)?);
        let (indent, _) = line.split_once("- ")?;
        let value = next.strip_prefix(indent)?.strip_prefix("- ")?;
        let value = value.trim().trim_matches(['"', '\'']);
        (!value.starts_with('-')).then(|| value.to_owned())
    }

    fn replace(&mut self, index: usize, old: &str, new: &str) {
        if let Some(line) = self.lines.get_mut(index) {
            *line = line.replace(old, new);
        }
    }
}

/// Returns the value of a key on a line, which can be the first of an entry.
fn value_of(line: &str, key: &str) -> Option<String> {
    let content = line.trim();
    let content = content.strip_prefix("- ").unwrap_or(content);
    let value = content.strip_prefix(key)?.strip_prefix(": ")?;
    let value = value.split(" #").next()?.trim();
    Some(value.trim_matches(['"', '\'']).to_owned())
}

fn image_of(line: &str) -> Option<String> {
    value_of(line, "image")
}

/// Returns the lines of a manifest, with one line for each entry of `args: [a, b]` and `command: [a]`.
fn block_lists(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        match entries(line) {
            Some((key, items)) => {
                let column = key.len() - key.trim_start_matches([' ', '-']).len();
                lines.push(format!("{key}\n"));
                lines.extend(
                    items
                        .iter()
                        .map(|item| format!("{}- {item}\n", " ".repeat(column))),
                );
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Returns the key of a list that is on the line of the key, and its entries. Returns `None` if there are none.
fn entries(line: &str) -> Option<(&str, Vec<&str>)> {
    let (key, list) = line.trim_end().split_once(" [")?;
    let is_known = ["args:", "command:"].contains(&key.trim_start_matches([' ', '-']));
    let list = list.strip_suffix(']').filter(|_| is_known)?;
    let items: Vec<&str> = list
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect();
    // A comma in quotes belongs to an entry.
    let is_whole = |item: &&str| {
        ['"', '\'']
            .iter()
            .all(|quote| item.matches(*quote).count() % 2 == 0)
    };
    (!items.is_empty() && items.iter().all(is_whole)).then_some((key, items))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the adapted text and the messages.
    fn run(path: &str, text: &str) -> (String, Vec<String>) {
        let mut findings = Findings::default();
        let adapted = adapted(path, text, "crew", &mut findings);
        let messages = findings.problems.iter().map(|problem| problem.message.clone());
        (adapted, messages.collect())
    }

    #[test]
    fn flags_are_those_of_the_rust_program() {
        let (adapted, messages) = run(
            "config/manager/manager.yaml",
            "containers:
      - command: [\"/manager\"]
        args:
          - --leader-elect
          - \"--health-probe-bind-address=:8081\"
          # - --metrics-secure=false
          - --metrics-bind-address=0
          - --zap-log-level
          - debug
          - --zap-devel
          - --pier
          - east
        image: controller:latest
",
        );
        assert_eq!(
            adapted,
            "containers:
      - command:
        - \"/crew\"
        args:
          - --leader-elect
          - \"--probe-addr=0.0.0.0:8081\"
          # - --metrics-secure=false
          - --log-level=debug
        image: controller:latest
"
        );
        let removed = |flag: &str| format!("`{flag}` is removed from `config/manager/manager.yaml`: ");
        let expected = ["--metrics-bind-address=0", "--zap-devel", "--pier"].map(removed);
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(message.starts_with(&expected), "{message}");
        }
    }

    #[test]
    fn lists_without_entries_stay_lists() {
        let text =
            "      - args:\n        - --zap-devel\n        image: controller:latest\n        name: manager\n";
        let (adapted, _) = run("config/manager/manager.yaml", text);
        assert_eq!(
            adapted,
            text.replace("args:\n        - --zap-devel\n", "args: []\n")
        );
        let change = "- op: add\n  path: /spec/template/spec/containers/0/args/0\n  value: --zap-devel\n";
        let (adapted, _) = run("config/default/patch.yaml", &format!("# A patch.\n{change}"));
        assert_eq!(adapted, format!("# A patch.\n{NO_CHANGE}"));
        let other = change.replace("--zap-devel", "--metrics-bind-address=:8443");
        let (adapted, _) = run("config/default/patch.yaml", &format!("{change}{other}"));
        assert_eq!(adapted, other.replace("bind-address=:", "addr=0.0.0.0:"));
    }

    #[test]
    fn webhooks_of_older_projects_are_served() {
        let mount = format!("        - mountPath: {CERTIFICATES}\n");
        let manager = "      - args:\n        - --leader-elect\n        name: manager\n";
        let run = |patches: &str, mount: &str| {
            let mut config = BTreeMap::from(
                [
                    (MANAGER, manager),
                    ("config/default/kustomization.yaml", patches),
                    ("config/default/manager_webhook_patch.yaml", mount),
                ]
                .map(|(path, text)| (path.to_owned(), text.to_owned())),
            );
            let mut findings = Findings::default();
            serve_webhooks(&mut config, &mut findings);
            let problems = findings.problems.iter();
            let messages: Vec<String> = problems.map(|problem| problem.message.clone()).collect();
            (config.remove(MANAGER).unwrap_or_default(), messages.concat())
        };
        let used = "patches:\n- path: manager_webhook_patch.yaml\n";
        let (text, message) = run(used, &mount);
        let flag = format!("        - --webhook-certs={CERTIFICATES}\n");
        assert_eq!(text, manager.replace("- args:\n", &format!("- args:\n{flag}")));
        assert!(message.contains("is added"), "{message}");
        let (text, message) = run("patches:\n# - path: manager_webhook_patch.yaml\n", &mount);
        assert_eq!(text, manager);
        assert!(message.starts_with("no argument names"), "{message}");
        for mount in [flag.as_str(), "# nothing\n"] {
            assert_eq!(run(used, mount), (manager.to_owned(), String::new()));
        }
    }

    #[test]
    fn flags_of_other_programs_stay() {
        let text = "\
      - name: kube-rbac-proxy
        image: gcr.io/kubebuilder/kube-rbac-proxy:v0.16.0
        args:
        - --secure-listen-address=0.0.0.0:8443
";
        let (adapted, messages) = run("config/default/manager_auth_proxy_patch.yaml", text);
        assert_eq!((adapted.as_str(), messages.len()), (text, 1));
    }

    #[test]
    fn the_image_is_the_one_that_make_replaces() {
        let head = "resources:\n- manager.yaml\n";
        let images = "images:\n- name: controller\n  newName: example.com/harbor\n  newTag: v1\n";
        let path = "config/manager/kustomization.yaml";
        let (adapted, messages) = run(path, &format!("{head}{images}"));
        assert_eq!((adapted.as_str(), messages.len()), (head, 1));
        let other = "- name: proxy\n  newTag: v2\n";
        let (adapted, _) = run(path, &format!("{images}{other}{head}"));
        assert_eq!(adapted, format!("images:\n{other}{head}"));
        let usual = "images:\n- name: controller\n  newName: controller\n  newTag: latest\n";
        let (adapted, messages) = run(path, usual);
        assert_eq!((adapted.as_str(), messages.len()), (usual, 0));
        let container = "      - name: manager\n        image: example.com/harbor:v1\n";
        let (adapted, messages) = run("config/manager/manager.yaml", container);
        let expected = container.replace("example.com/harbor:v1", "controller:latest");
        assert_eq!((adapted, messages.len()), (expected, 1));
        let job = "      - name: job\n        image: example.com/job:v1\n        args:\n        - --wide\n";
        let (adapted, messages) = run("config/manager/job.yaml", job);
        assert_eq!((adapted.as_str(), messages.len()), (job, 1));
    }
}
