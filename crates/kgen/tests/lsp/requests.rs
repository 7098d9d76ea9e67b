//! Requests whose tests need more than a script of `testdata/lsp`, on a small project with a `kgen.toml`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, uri};
use crate::support::kgen;

/// A kind with a list, a rule and a column.
pub const SOURCE: &str = r#"//! +groupName=example.com
//! +versionName=v1

use serde::{Deserialize, Serialize};

// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
/// A kiln.
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: KilnSpec,
}

/// What the user wants.
// +kubebuilder:validation:XValidation:rule="self.size > 0"
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// How many tiles fit.
    // +kubebuilder:validation:Minimum=1
    pub size: i32,
    // +optional
    #[serde(default)]
    // +listType=map
    // +listMapKey=name
    pub max_tiles: Vec<Tile>,
}

/// A tile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tile {
    // +kubebuilder:validation:MaxLength=63
    pub name: String,
}
"#;

/// A project with one file.
pub struct Project {
    pub root: PathBuf,
    pub file: PathBuf,
    _folder: TempDir,
}

impl Project {
    pub fn new(source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join("api")).unwrap();
        fs::write(
            root.join("kgen.toml"),
            "paths = [\"api\"]\n\n[crd]\noutput = \"crds\"\n",
        )
        .unwrap();
        let file = root.join("api/v1.rs");
        fs::write(&file, source).unwrap();
        Self {
            root,
            file,
            _folder: folder,
        }
    }

    pub fn command(&self) -> Command {
        let mut command = kgen(&self.root);
        command.arg("lsp");
        command
    }

    pub fn serve(&self, text: &str) -> Client {
        let capabilities =
            json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
        let mut client = Client::start(self.command(), &self.root, capabilities);
        client.open(&self.file, text);
        client
    }
}

/// Returns the parameters of a request at the `|` in a line, and the text without it.
fn at(file: &Path, marked: &str) -> (Value, String) {
    let offset = marked.find('|').unwrap();
    let before = &marked[..offset];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let params = json!({
        "textDocument": {"uri": uri(file)},
        "position": {"line": line, "character": column},
    });
    (params, marked.replacen('|', "", 1))
}

fn codes(client: &mut Client, file: &Path) -> Vec<String> {
    let all = client.diagnostics();
    let of_file = all.into_iter().filter(|(found, _)| *found == uri(file));
    let list = of_file.flat_map(|(_, list)| list);
    list.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

fn labels(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn unsaved_text_is_what_counts() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1");
    client.change(&project.file, 2, &wrong);
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    client.change(&project.file, 3, SOURCE);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    // The client does not pull, so the mistake was pushed, and its end as well.
    let pushed: Vec<_> = client
        .unread
        .iter()
        .filter(|message| message["method"] == "textDocument/publishDiagnostics")
        .filter(|message| message["params"]["uri"] == uri(&project.file))
        .map(|message| {
            (
                message["params"]["version"].as_i64(),
                message["params"]["diagnostics"].as_array().unwrap().len(),
            )
        })
        .collect();
    assert_eq!(pushed.last(), Some(&(Some(3), 0)));
    assert!(pushed.contains(&(Some(2), 1)), "{pushed:?}");
    assert!(client.stop());
}

#[test]
fn incremental_changes_count_in_utf16() {
    let source = SOURCE.replace("How many tiles fit.", "How many 😀 tiles fit.");
    let project = Project::new(&source);
    let mut client = project.serve(&source);
    let line = source.lines().position(|line| line.contains('😀')).unwrap();
    let column = source
        .lines()
        .nth(line)
        .unwrap()
        .split("tiles")
        .next()
        .unwrap()
        .encode_utf16()
        .count();
    let edit = json!({
        "textDocument": {"uri": uri(&project.file), "version": 2},
        "contentChanges": [{
            "range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 5}},
            "text": "tiles fit.\n    // +kubebuilder:validation:Minimun=1 😀",
        }],
    });
    client.notify("textDocument/didChange", edit);
    assert!(codes(&mut client, &project.file).contains(&"unknown-marker".to_owned()));
    assert!(client.stop());
}

#[test]
fn half_a_line_keeps_the_problems_of_other_files() {
    let project = Project::new(&SOURCE.replace("Minimum=1", "Minimun=1"));
    let other = project.root.join("api/other.rs");
    let valid = "pub struct Other { pub name: String }\n";
    fs::write(&other, valid).unwrap();
    let mut client = project.serve(&SOURCE.replace("Minimum=1", "Minimun=1"));
    client.open(&other, valid);
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    client.change(
        &other,
        2,
        "// +kubebuilder:validation:Maximun=1\npub struct Other { pub name: Str",
    );
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    let mut own = codes(&mut client, &other);
    own.sort();
    assert_eq!(own, ["syntax", "unknown-marker"]);
    assert!(client.stop());
}

#[test]
fn a_fix_is_a_code_action() {
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1");
    let project = Project::new(&wrong);
    let mut client = project.serve(&wrong);
    let line = wrong.lines().position(|line| line.contains("Minimun")).unwrap();
    let range = json!({"start": {"line": line, "character": 10}, "end": {"line": line, "character": 10}});
    let actions = client.request(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": uri(&project.file)}, "range": range, "context": {"diagnostics": []}}),
    );
    let action = &actions[0];
    assert_eq!(action["isPreferred"], true, "{actions}");
    let edit = &action["edit"]["changes"][uri(&project.file)][0];
    assert_eq!(edit["newText"], "kubebuilder:validation:Minimum");
    let all: Vec<_> = actions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert!(all.contains(&&json!("source.fixAll.kgen")), "{actions}");
    assert!(client.stop());
}

#[test]
fn symbols_lenses_and_tokens_describe_the_file() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    let document = json!({"textDocument": {"uri": uri(&project.file)}});
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "Kiln");
    assert_eq!(symbols[0]["detail"], "example.com/v1");
    assert_eq!(symbols[1]["children"][1]["detail"], ".spec.maxTiles");
    let found = client.request("workspace/symbol", json!({"query": "maxtiles"}));
    assert_eq!(found[0]["name"], ".spec.maxTiles", "{found}");
    let lenses = client.request("textDocument/codeLens", document.clone());
    assert_eq!(lenses[0]["command"]["title"], "CRD · 2 KB · 1 rule", "{lenses}");
    let tokens = client.request("textDocument/semanticTokens/full", document);
    // The name of the first marker: line 0, behind `//! +`.
    let data = tokens["data"].as_array().unwrap();
    assert_eq!(data[..5], [json!(0), json!(5), json!(9), json!(0), json!(0)]);
    assert!(client.stop());
}

#[test]
fn unknown_requests_are_refused() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    let unknown = client.ask("textDocument/rename", json!({}));
    assert_eq!(client.answer(unknown)["error"]["code"], -32601);
    client.change(&project.file, 3, SOURCE);
    assert!(client.stop());
}

#[test]
fn problems_of_closed_files_end_for_clients_that_pull() {
    let project = Project::new(SOURCE);
    let closed = project.root.join("api/closed.rs");
    fs::write(
        &closed,
        SOURCE.replace("Kiln", "Oven").replace("Minimum=1", "Minimun=1"),
    )
    .unwrap();
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start(project.command(), &project.root, capabilities);
    client.open(&project.file, SOURCE);
    let pull = |known: &Value, client: &mut Client| {
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
        let report = client.request("workspace/diagnostic", json!({"previousResultIds": known}));
        let items = report["items"].as_array().unwrap().clone();
        let known: Vec<_> = items
            .iter()
            .map(|item| json!({"uri": item["uri"], "value": item["resultId"]}))
            .collect();
        (items, Value::from(known))
    };
    let (found, known) = pull(&json!([]), &mut client);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["items"][0]["code"], "unknown-marker", "{found:?}");
    let (same, known) = pull(&known, &mut client);
    assert_eq!(same[0]["kind"], "unchanged", "{same:?}");
    fs::write(&closed, SOURCE.replace("Kiln", "Oven")).unwrap();
    let (fixed, known) = pull(&known, &mut client);
    assert_eq!(fixed[0]["uri"], uri(&closed), "{fixed:?}");
    assert_eq!(
        (&fixed[0]["kind"], &fixed[0]["items"]),
        (&json!("full"), &json!([]))
    );
    let (same, _) = pull(&known, &mut client);
    assert_eq!(same[0]["kind"], "unchanged", "{same:?}");
    assert!(client.stop());
}

#[test]
fn edits_name_the_version_that_they_are_for() {
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1");
    let project = Project::new(&wrong);
    let capabilities = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = Client::start(project.command(), &project.root, capabilities);
    client.open(&project.file, SOURCE);
    client.change(&project.file, 7, &wrong);
    let line = wrong.lines().position(|line| line.contains("Minimun")).unwrap();
    let range = json!({"start": {"line": line, "character": 10}, "end": {"line": line, "character": 10}});
    let actions = client.request(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": uri(&project.file)}, "range": range, "context": {"diagnostics": []}}),
    );
    let change = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(
        change["textDocument"],
        json!({"uri": uri(&project.file), "version": 7}),
        "{actions}"
    );
    assert_eq!(change["edits"][0]["newText"], "kubebuilder:validation:Minimum");
    assert!(client.stop());
}

/// Applies the edits of an action to a text of ASCII characters.
fn applied(action: &Value, file: &Path, text: &str) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let byte = |position: &Value| {
        let number = |name: &str| usize::try_from(position[name].as_u64().unwrap()).unwrap();
        starts[number("line")] + number("character")
    };
    let mut edits: Vec<_> = action["edit"]["changes"][uri(file)]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
            (range, edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, new) in edits {
        text.replace_range(range, new);
    }
    text
}

#[test]
fn an_optional_field_can_be_written_in_two_ways() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    let rewritten = |text: &str, client: &mut Client| {
        client.change(&project.file, 2, text);
        let line = text
            .lines()
            .position(|line| line.contains("pub max_tiles"))
            .unwrap();
        let range = json!({"start": {"line": line, "character": 10}, "end": {"line": line, "character": 10}});
        let actions = client.request(
            "textDocument/codeAction",
            json!({
                "textDocument": {"uri": uri(&project.file)},
                "range": range,
                "context": {"diagnostics": [], "only": ["refactor"]},
            }),
        );
        assert_eq!(actions.as_array().unwrap().len(), 1, "{actions}");
        let title = actions[0]["title"].as_str().unwrap().to_owned();
        (title, applied(&actions[0], &project.file, text))
    };
    let (title, option) = rewritten(SOURCE, &mut client);
    assert_eq!(title, "Write `Option` instead of `+optional`");
    let expected = SOURCE
        .replace("    // +optional\n", "")
        .replace("Vec<Tile>", "Option<Vec<Tile>>");
    assert_eq!(option, expected);
    let (title, marker) = rewritten(&option.replace("    #[serde(default)]\n", ""), &mut client);
    assert_eq!(title, "Write `+optional` instead of `Option`");
    let fields = "    pub max_tiles: Vec<Tile>,";
    let expected = SOURCE
        .replace("    // +optional\n    #[serde(default)]\n", "")
        .replace(
            fields,
            &format!("    // +optional\n    #[serde(default)]\n{fields}"),
        );
    assert_eq!(marker, expected);
    client.change(&project.file, 3, &marker);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    // A field that is not optional has only one way.
    let line = SOURCE.lines().position(|line| line.contains("pub size")).unwrap();
    let range = json!({"start": {"line": line, "character": 10}, "end": {"line": line, "character": 10}});
    let actions = client.request(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": uri(&project.file)}, "range": range, "context": {"diagnostics": []}}),
    );
    assert_eq!(actions, json!([]));
    assert!(client.stop());
}

#[test]
fn markers_follow_a_renamed_field() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    let renamed = SOURCE.replace("pub size:", "pub tile_count:");
    client.change(&project.file, 2, &renamed);
    assert_eq!(codes(&mut client, &project.file), ["json-path", "cel-syntax"]);
    let mut actions_at = |text: &str| {
        let line = renamed.lines().position(|line| line.contains(text)).unwrap();
        let column = renamed.lines().nth(line).unwrap().find(text).unwrap() + text.len();
        let position = json!({"line": line, "character": column});
        let actions = client.request(
            "textDocument/codeAction",
            json!({
                "textDocument": {"uri": uri(&project.file)},
                "range": {"start": position, "end": position},
                "context": {"diagnostics": []},
            }),
        );
        let all = actions.as_array().unwrap().clone();
        all.into_iter()
            .find(|action| action["title"] == "Update 2 places that read `size`")
    };
    let expected = renamed
        .replace(".spec.size", ".spec.tileCount")
        .replace("self.size", "self.tileCount");
    // At the rule, at the path, and at the field itself.
    for place in ["self.size", ".spec.size", "tile_count"] {
        let action = actions_at(place).unwrap_or_else(|| panic!("no action at {place}"));
        assert_eq!(applied(&action, &project.file, &renamed), expected);
    }
    assert!(actions_at("pub name").is_none());
    client.change(&project.file, 3, &expected);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    assert!(client.stop());
}

#[test]
fn half_a_marker_keeps_the_results_of_other_kinds() {
    let project = Project::new(SOURCE);
    let oven = project.root.join("api/oven.rs");
    fs::write(&oven, SOURCE.replace("Kiln", "Oven")).unwrap();
    let mut client = project.serve(SOURCE);
    client.open(&oven, &SOURCE.replace("Kiln", "Oven"));
    let half = SOURCE.replace("validation:Minimum=1", "validation:Min");
    client.change(&project.file, 2, &half);
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    let lenses = |file: &Path, client: &mut Client| {
        let document = json!({"textDocument": {"uri": uri(file)}});
        client.request("textDocument/codeLens", document)
    };
    let lens = lenses(&oven, &mut client);
    assert_eq!(lens[0]["command"]["title"], "CRD · 2 KB · 1 rule", "{lens}");
    let preview = json!({"uri": "kgen-crd:/example.com_ovens.yaml"});
    let answer = client.request("kgen/preview", preview);
    assert!(
        answer["text"].as_str().unwrap().contains("minimum: 1"),
        "{answer}"
    );
    // The problems of later stages in other files stay, too, and the kinds beside those still have a preview.
    let stove = project.root.join("api/stove.rs");
    let wrong = SOURCE
        .replace("Kiln", "Stove")
        .replace(".spec.size", ".spec.sice");
    fs::write(&stove, wrong).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
    assert_eq!(codes(&mut client, &stove), ["json-path"]);
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    assert_eq!(lenses(&oven, &mut client), lens);
    assert!(client.stop());
}

#[test]
fn a_broken_file_keeps_what_is_known_about_its_other_lines() {
    let project = Project::new(SOURCE);
    let mut client = project.serve(SOURCE);
    client.diagnostics();
    // A line is half typed, and the lines behind it have moved.
    let broken = SOURCE.replace("    pub size: i32,\n", "    pub size: i32,\n    pub\n\n");
    client.change(&project.file, 2, &broken);
    assert_eq!(codes(&mut client, &project.file), ["syntax"]);
    let document = json!({"textDocument": {"uri": uri(&project.file)}});
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    let names: Vec<_> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["Kiln", "KilnSpec", "Tile"]);
    assert_eq!(symbols[1]["children"][1]["detail"], ".spec.maxTiles", "{symbols}");
    let line_of = |text: &str| broken.lines().position(|line| line.contains(text)).unwrap();
    assert_eq!(symbols[2]["range"]["start"]["line"], line_of("pub struct Tile"));
    let tokens = client.request("textDocument/semanticTokens/full", document);
    assert!(tokens["data"].as_array().unwrap().len() > 30, "{tokens}");
    let (params, _) = at(&project.file, &broken.replace("pub max_tiles", "pub max_|tiles"));
    let hover = client.request("textDocument/hover", params);
    let page = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(page.contains("`.spec.maxTiles`"), "{hover}");
    let (params, _) = at(
        &project.file,
        &broken.replace("listMapKey=name", "listMapKey=na|me"),
    );
    let target = client.request("textDocument/definition", params);
    assert!(!target.is_null());
    // Completion knows the nodes of markers: old ones, moved ones, and a new one beside the broken line.
    for (old, new, expected, unexpected) in [
        (
            "JSONPath=`.spec.size`",
            "JSONPath=`.spec|`",
            ".spec.maxTiles",
            "x",
        ),
        ("self.size > 0", "self.|", "maxTiles", "x"),
        ("+listMapKey=name", "+listMapKey=|", "name", "x"),
        (
            "// +optional",
            "// +|",
            "kubebuilder:validation:MaxItems",
            "kubebuilder:validation:Minimum",
        ),
        (
            "    pub size: i32,",
            "    // +kubebuilder:validation:M|\n    pub size: i32,",
            "kubebuilder:validation:Maximum",
            "kubebuilder:validation:MaxLength",
        ),
    ] {
        let (params, text) = at(&project.file, &broken.replace(old, new));
        client.change(&project.file, 3, &text);
        client.diagnostics();
        let answer = client.request("textDocument/completion", params);
        let offered = labels(&answer);
        assert!(offered.contains(&expected.to_owned()), "{new}: {offered:?}");
        assert!(!offered.contains(&unexpected.to_owned()), "{new}: {offered:?}");
    }
    assert!(client.stop());
}

#[test]
fn a_client_that_pulls_gets_no_pushed_diagnostics() {
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1");
    let project = Project::new(&wrong);
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start(project.command(), &project.root, capabilities);
    client.open(&project.file, &wrong);
    let document = json!({"textDocument": {"uri": uri(&project.file)}});
    let first = client.request("textDocument/diagnostic", document);
    assert_eq!(first["items"][0]["code"], "unknown-marker", "{first}");
    let again = json!({"textDocument": {"uri": uri(&project.file)}, "previousResultId": first["resultId"]});
    assert_eq!(
        client.request("textDocument/diagnostic", again)["kind"],
        "unchanged"
    );
    let pushed = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    assert!(!client.unread.iter().any(pushed));
    assert!(client.stop());
}

#[test]
fn a_workspace_without_an_api_stays_silent() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(root.join("src")).unwrap();
    fs::write(root.join("Cargo.toml"), "[package]\nname = \"a\"\n").unwrap();
    let file = root.join("src/lib.rs");
    let text = "// +kubebuilder:validation:Minimun=1\npub struct A;\n";
    fs::write(&file, text).unwrap();
    let mut command = kgen(&root);
    command.arg("lsp");
    let mut client = Client::start(command, &root, json!({}));
    client.open(&file, text);
    assert_eq!(client.diagnostics(), []);
    // With the sign of an API, the package is a project.
    client.change(&file, 2, &format!("//! +groupName=example.com\n\n{text}"));
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri(&file)}}),
    );
    assert!(codes(&mut client, &file).contains(&"unknown-marker".to_owned()));
    assert!(client.stop());
}

/// Codes of a marker that does not fit its node, or that cannot be read.
const UNFIT: &[&str] = &[
    "detached-marker",
    "inapplicable-marker",
    "marker-argument",
    "marker-text",
    "misplaced-marker",
    "unknown-marker",
];

/// Returns whether a marker needs more than itself, so that its completion alone leaves a problem.
fn needs_more(name: &str, code: &str) -> bool {
    let is_one_of = |names: &[&str]| names.iter().any(|end| name.ends_with(end));
    match code {
        // A marker with the same meaning is there.
        "repeated-marker" | "contradicting-markers" => true,
        "unused-allowance" => name == "kgen:allow",
        // The type of the field has to change, too.
        "unreadable-when-absent" => is_one_of(&["optional", "Optional"]),
        "one-of-field" => is_one_of(&["unionMember", "zeroOrOneOfMember"]),
        "structural-schema" => is_one_of(&["Schemaless", "EmbeddedResource"]),
        // Other markers of the field depend on it.
        "inapplicable-marker" => is_one_of(&["Schemaless", "listType"]),
        // The values of the enum do not have the format of the example.
        "invalid-enum-value" => is_one_of(&["Format", "format"]),
        // They leave nothing to generate, or nothing that is served.
        "nothing-found" => is_one_of(&["skip", "skipversion"]),
        "storage-version" => is_one_of(&["unservedversion"]),
        // They name other types, or belong to a kind with another scope or several versions.
        "unresolved-name" | "client-marker" => name.starts_with("genclient:"),
        "conversion-needless" => name == "kgen:conversion:webhook",
        // A list around the field has no limit.
        "cel-cost" => name == "k8s:immutable",
        _ => false,
    }
}

/// Returns the text of a snippet with its placeholders as they are filled in.
fn filled(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some((before, behind)) = rest.split_once("${") {
        text += before;
        let behind = behind.split_once(':').unwrap().1;
        let mut end = 0;
        let mut is_escaped = false;
        for (at, c) in behind.char_indices() {
            if c == '}' && !is_escaped {
                end = at;
                break;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
        text += &behind[..end]
            .replace("\\$", "$")
            .replace("\\}", "}")
            .replace("\\\\", "\\");
        rest = &behind[end + 1..];
    }
    text + rest
}

/// A kind with nodes that `SOURCE` does not have.
const OTHER_NODES: &str = r#"//! +groupName=example.com
//! +versionName=v1

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A kiln.
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: KilnSpec,
}

/// What the user wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    pub mode: Mode,
    pub labels: BTreeMap<String, String>,
    pub hot: bool,
    pub shape: Shape,
    pub title: Title,
}

/// How it burns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Mode {
    Slow,
    Fast,
}

/// How large it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shape {
    pub width: i32,
}

/// What it is called.
pub type Title = String;
"#;

#[test]
fn completion_offers_exactly_the_markers_that_fit() {
    let nodes = [
        "/// A kiln.",
        "    pub size: i32,",
        "    pub name: String,",
        "    pub max_tiles: Vec<Tile>,",
    ];
    completion_fits(SOURCE, &nodes);
}

#[test]
fn completion_offers_exactly_the_markers_that_fit_modules_and_types() {
    let nodes = [
        "//! +versionName=v1",
        "/// How it burns.",
        "/// How large it is.",
        "/// What it is called.",
    ];
    completion_fits(OTHER_NODES, &nodes);
}

#[test]
fn completion_offers_exactly_the_markers_that_fit_other_fields() {
    let nodes = [
        "    Slow,",
        "    pub labels: BTreeMap<String, String>,",
        "    pub hot: bool,",
        "    pub shape: Shape,",
    ];
    completion_fits(OTHER_NODES, &nodes);
}

/// Adds each marker above each node. Those that are offered must fit, and those that fit must be offered.
fn completion_fits(source: &str, nodes: &[&str]) {
    let project = Project::new(source);
    let mut client = project.serve(source);
    client.diagnostics();
    let output = kgen(&project.root)
        .args(["markers", "--format", "json"])
        .output()
        .unwrap();
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all: Vec<String> = table
        .as_array()
        .unwrap_or_else(|| table["markers"].as_array().unwrap())
        .iter()
        .map(|marker| marker["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(all.len() > 100);
    let mut mistakes = String::new();
    for node in nodes {
        let sign = if node.starts_with("//!") { "//! +" } else { "// +" };
        let (params, text) = at(&project.file, &source.replace(node, &format!("{sign}|\n{node}")));
        client.change(&project.file, 2, &text);
        client.diagnostics();
        let answer = client.request("textDocument/completion", params);
        let offered = answer["items"].as_array().unwrap();
        assert!(!offered.is_empty(), "{node}");
        let labels = labels(&answer);
        for item in offered {
            let name = item["label"].as_str().unwrap();
            let marker = filled(item["textEdit"]["newText"].as_str().unwrap());
            // The other markers of clients only count beside the first.
            let client_marker = if name.starts_with("genclient:") {
                "// +genclient\n"
            } else {
                ""
            };
            let text = source.replace(node, &format!("{client_marker}{sign}{marker}\n{node}"));
            client.change(&project.file, 3, &text);
            let line = text
                .lines()
                .position(|line| line == format!("{sign}{marker}"))
                .unwrap();
            for (_, list) in client.diagnostics() {
                for one in list.iter().filter(|one| one["severity"] != 3) {
                    let code = one["code"].as_str().unwrap();
                    let is_here = one["range"]["start"]["line"] == line;
                    if is_here && UNFIT.contains(&code) && code != "inapplicable-marker"
                        || !needs_more(name, code)
                    {
                        mistakes += &format!(
                            "`{marker}` above `{node}` is offered: [{code}] {}\n",
                            one["message"]
                        );
                    }
                }
            }
        }
        for name in all.iter().filter(|name| !labels.contains(name)) {
            let text = source.replace(node, &format!("{sign}{name}\n{node}"));
            client.change(&project.file, 4, &text);
            let line = text
                .lines()
                .position(|line| line == format!("{sign}{name}"))
                .unwrap();
            let found = client.diagnostics();
            let mut found = found.iter().flat_map(|(_, list)| list);
            let is_refused = found.any(|one| one["range"]["start"]["line"] == line);
            if !is_refused && !has_no_effect(&table, name) {
                mistakes += &format!("`{name}` above `{node}` is not offered, but fits\n");
            }
        }
        client.unread.clear();
    }
    assert!(mistakes.is_empty(), "{mistakes}");
    assert!(client.stop());
}

fn has_no_effect(table: &Value, name: &str) -> bool {
    let markers = table
        .as_array()
        .unwrap_or_else(|| table["markers"].as_array().unwrap());
    let marker = markers.iter().find(|marker| marker["name"] == name).unwrap();
    !marker["status"].is_null() && marker["status"] != "stable"
}

#[test]
fn lines_with_carriage_returns_count_like_others() {
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1").replace('\n', "\r\n");
    let project = Project::new(&wrong);
    let mut client = project.serve(&wrong);
    let line = wrong.lines().position(|line| line.contains("Minimun")).unwrap();
    let all = client.diagnostics();
    let (_, list) = all.iter().find(|(file, _)| *file == uri(&project.file)).unwrap();
    assert_eq!(list[0]["range"]["start"], json!({"line": line, "character": 8}));
    assert_eq!(list[0]["range"]["end"], json!({"line": line, "character": 38}));
    // An edit at the end of such a line keeps its break.
    let end = json!({"line": line, "character": 99});
    let start = json!({"line": line, "character": 8});
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": uri(&project.file), "version": 2},
            "contentChanges": [{"range": {"start": start, "end": end}, "text": "kubebuilder:validation:Minimum=1"}],
        }),
    );
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    assert!(client.stop());
}

#[test]
fn a_renamed_file_takes_its_problems_along() {
    let wrong = SOURCE.replace("Minimum=1", "Minimun=1");
    let project = Project::new(&wrong);
    let mut client = project.serve(&wrong);
    assert_eq!(codes(&mut client, &project.file), ["unknown-marker"]);
    let new = project.root.join("api/v2.rs");
    fs::rename(&project.file, &new).unwrap();
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri(&project.file)}}),
    );
    client.open(&new, &wrong);
    let changes = json!([{"uri": uri(&project.file), "type": 3}, {"uri": uri(&new), "type": 1}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    assert_eq!(codes(&mut client, &new), ["unknown-marker"]);
    assert_eq!(codes(&mut client, &project.file), [""; 0]);
    assert!(client.stop());
}
