//! Real CRDs and random ones are imported into one crate, which compiles without a warning and is formatted. Objects that
//! the schemas accept go through its types unchanged.
//!
//! The real CRDs belong to their projects and are not part of this repository; without them, only random ones are tried.
//! Their types are only compiled; with `KGEN_CORPUS_OBJECTS=1`, objects go through them, too, which takes minutes.
//! `KGEN_RANDOM_CRDS=500` makes more of these, and `KGEN_RANDOM_SEED=7` starts elsewhere.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "these tests need only some of it")]
mod support;

#[path = "../support/objects.rs"]
mod objects;
#[path = "../support/random.rs"]
mod random;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fastrand::Rng;
use kgen_diagnostics::{Files, SourceFile};
use kgen_import::{Options, Outcome, Source};
use kgen_sample::{Sampler, Step};
use kgen_schema::{Definition, Version};
use serde_json::{Value, json};
use support::{compare, generate, shown, write, yaml_files};

/// How many random CRDs are tried.
const RANDOM: u64 = 40;

/// The most objects of each kind that vary one another.
const OBJECTS: usize = 25;

/// A kind of the crate.
struct Kind {
    definition: Definition,
    version: String,
    /// The path of its type.
    path: String,
    /// Whether the whole object can be read.
    is_whole: bool,
    /// The fields of the type, with their names in JSON.
    fields: Vec<(String, String)>,
}

/// Returns the texts of real CRDs with their names, if there are some.
fn real_sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/crds");
    let folder = std::env::var_os("KGEN_CORPUS").map_or(folder, PathBuf::from);
    if !folder.is_dir() {
        return Vec::new();
    }
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    yaml_files(&folder).into_iter().map(read).collect()
}

/// Returns the texts of random CRDs with their names.
fn random_sources() -> Vec<(String, String)> {
    let number = |variable: &str| std::env::var(variable).ok()?.parse::<u64>().ok();
    let first = number("KGEN_RANDOM_SEED").unwrap_or(0);
    let seeds = first..first + number("KGEN_RANDOM_CRDS").unwrap_or(RANDOM);
    let text = |seed| random::crd(&mut Rng::with_seed(seed), seed).to_string();
    seeds.map(|seed| (format!("random {seed}"), text(seed))).collect()
}

/// Imports all CRDs in one run.
fn import_all(sources: &[(String, String)]) -> (Outcome, Vec<Value>) {
    let mut files = Files::default();
    let mut originals = Vec::new();
    let mut ids = Vec::new();
    for (name, text) in sources {
        let file = files.add(SourceFile::new(name.as_str(), text.as_str()));
        let documents = kgen_manifests::yaml::read(text, file).unwrap();
        originals.extend(documents.iter().map(kgen_manifests::yaml::Node::to_json));
        ids.push(file);
    }
    let sources: Vec<Source<'_>> = ids
        .iter()
        .map(|file| Source {
            text: files.get(*file).unwrap().text(),
            file: *file,
        })
        .collect();
    let outcome = kgen_import::import(&sources, &Options::default());
    assert!(
        !outcome.problems.has_errors(),
        "{}",
        shown(&outcome.problems, &files)
    );
    originals.retain(|original| original["kind"] == "CustomResourceDefinition");
    (outcome, originals)
}

/// Returns the kinds of a CRD, as the files of the import have them.
fn kinds(original: &Value, outcome: &Outcome) -> Vec<Kind> {
    let spec = &original["spec"];
    let (group, kind) = (
        spec["group"].as_str().unwrap(),
        spec["names"]["kind"].as_str().unwrap(),
    );
    let versions = spec["versions"].as_array().unwrap();
    let names = versions.iter().map(|version| version["name"].as_str().unwrap());
    names
        .map(|version| {
            let modules = [group, version].map(kgen_import::module);
            let path = format!(
                "{}/{}/{}.rs",
                modules[0],
                modules[1],
                kgen_import::kind_module(kind)
            );
            let file = outcome.files.iter().find(|file| file.path == path).unwrap();
            // The kind is the first item of its file.
            let (head, rest) = file.text.split_once("pub struct ").unwrap();
            let (name, rest) = rest.split_once(" {").unwrap();
            let (body, _) = rest.split_once("\n}").unwrap_or_default();
            let fields = body.lines().filter_map(|line| {
                let (name, _) = line.trim_start().strip_prefix("pub ")?.split_once(':')?;
                let json_name = kgen_model::rust_names::camel(name);
                (name != "metadata").then(|| (name.to_owned(), json_name))
            });
            Kind {
                definition: Definition::from_json(original).unwrap(),
                version: version.to_owned(),
                path: format!("api::{}::{}::{name}", modules[0], modules[1]),
                is_whole: head.contains("Deserialize)]"),
                fields: fields.collect(),
            }
        })
        .collect()
}

/// Returns the program that reads objects and writes them again.
fn program(kinds: &[Kind]) -> String {
    let mut text = "\
mod api;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

fn whole<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    serde_json::to_value(&read).map_err(|error| error.to_string())
}

fn part<K, T: Serialize + DeserializeOwned>(
    _: fn(&K) -> &T,
    name: &str,
    value: &Value,
    written: &mut Value,
) -> Result<(), String> {
    if let Some(value) = value.get(name) {
        written[name] = whole::<T>(value).map_err(|error| format!(\"{name}: {error}\"))?;
    }
    Ok(())
}

fn main() {
    for line in std::io::stdin().lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match written(line[\"kind\"].as_u64().unwrap(), &line[\"object\"]) {
            Ok(written) => json!({\"written\": written}),
            Err(error) => json!({\"error\": error}),
        };
        println!(\"{answer}\");
    }
}

fn written(kind: u64, value: &Value) -> Result<Value, String> {
    match kind {
"
    .to_owned();
    for index in 0..kinds.len() {
        writeln!(text, "        {index} => kind_{index}(value),").unwrap();
    }
    text += "        _ => Err(String::new()),\n    }\n}\n";
    for (index, kind) in kinds.iter().enumerate() {
        writeln!(
            text,
            "\nfn kind_{index}(value: &Value) -> Result<Value, String> {{"
        )
        .unwrap();
        if kind.is_whole {
            writeln!(text, "    whole::<{}>(value)", kind.path).unwrap();
        } else {
            let names = ["apiVersion", "kind", "metadata"].map(|name| format!("{name:?}: value[{name:?}]"));
            let mutable = if kind.fields.is_empty() { "" } else { "mut " };
            writeln!(
                text,
                "    let {mutable}written = json!({{{}}});",
                names.join(", ")
            )
            .unwrap();
            for (name, json_name) in &kind.fields {
                let field = format!("|kind: &{}| &kind.{name}", kind.path);
                writeln!(text, "    part({field}, {json_name:?}, value, &mut written)?;").unwrap();
            }
            text += "    Ok(written)\n";
        }
        text += "}\n";
    }
    text
}

/// Returns the complaint of rustfmt if it would change a file.
fn unformatted(folder: &Path) -> Option<String> {
    fs::write(folder.join("rustfmt.toml"), "").unwrap();
    let output = Command::new("rustfmt")
        .args(["--check", "--edition", "2024", "--config-path"])
        .arg(folder.join("rustfmt.toml"))
        .arg(folder.join("src/api/mod.rs"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let start: String = said.chars().take(2000).collect();
    (!output.status.success()).then(|| format!("rustfmt:\n{start}"))
}

/// Compiles the crate in the target folder of this workspace, and returns the program.
fn build(folder: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new("cargo");
    // Build scripts of libraries run again when the variables of this package differ from those of the first build.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_")) {
        if name != "CARGO_HOME" {
            cargo.env_remove(name);
        }
    }
    let output = cargo
        .args(["rustc", "--offline", "--quiet", "--package", "kgen-import"])
        .args(["--example", "imported", "--"])
        .args(["--cfg", "kgen_imported", "-C", "debuginfo=0"])
        .env("KGEN_IMPORTED_CRATE", folder.join("src"))
        .env("CARGO_TARGET_DIR", target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "rustc in {}:\n{said}", folder.display());
    target.join("debug/examples/imported")
}

/// Returns objects as an API server returns them.
fn objects_of(kind: &Kind) -> Vec<Value> {
    let version = kind.definition.version(&kind.version).unwrap();
    let sampler = Sampler::new(version.schema(), None);
    let mut found: Vec<Value> = [sampler.smallest(), sampler.whole()]
        .into_iter()
        .flatten()
        .collect();
    for (name, part) in &version.schema().properties {
        if ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            continue;
        }
        let start = found.first().cloned().unwrap_or_else(|| json!({}));
        for value in sampler.candidates(part, None, &[]).into_iter().take(OBJECTS) {
            let mut object = start.clone();
            object[name.as_str()] = value;
            found.push(object);
        }
        found.extend(sampler.pool(&start, &[Step::Field(name.clone())], &[], OBJECTS));
    }
    if version.schema().preserve_unknown_fields {
        for mut object in found.clone() {
            object["unknownField"] = json!({"a": [1, "b", null]});
            found.push(object);
        }
    }
    found
        .into_iter()
        .filter_map(|object| stored(kind, version, object))
        .filter(|object| !objects::has_large_integer(object))
        .collect()
}

/// Returns an object as the API server stores it, if it accepts it.
fn stored(kind: &Kind, version: &Version, mut object: Value) -> Option<Value> {
    let definition = &kind.definition;
    object["apiVersion"] = json!(format!("{}/{}", definition.group(), kind.version));
    object["kind"] = json!(definition.kind());
    object["metadata"] = json!({"name": "sample"});
    if definition.is_namespaced() {
        object["metadata"]["namespace"] = json!("default");
    }
    version.prune(&mut object).ok()?;
    version.default(&mut object);
    version.validate(&object).is_valid().then_some(object)
}

/// Sends objects through the program.
fn written(program: &Path, objects: &[(usize, Value)]) -> Vec<Value> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = objects
        .iter()
        .map(|(kind, object)| json!({"kind": kind, "object": object}).to_string())
        .collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            writeln!(input, "{line}").unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Imports CRDs as one folder, and returns the folder, the kinds, and what is not equal or not formatted.
fn crate_of(sources: &[(String, String)]) -> (PathBuf, Vec<Kind>, Vec<String>) {
    let (outcome, originals) = import_all(sources);
    let folder = tempfile::tempdir().unwrap().keep();
    write(&outcome, &folder);
    let mut wrong = Vec::new();
    let generated = generate(&folder).unwrap_or_else(|problems| {
        let errors: Vec<&str> = problems
            .lines()
            .filter(|line| line.starts_with("error"))
            .collect();
        panic!("{}:\n{}", folder.display(), errors.join("\n"))
    });
    for original in &originals {
        let name = &original["metadata"]["name"];
        match generated
            .iter()
            .find(|generated| generated["metadata"]["name"] == *name)
        {
            Some(generated) => {
                let mut found = Vec::new();
                compare(original, generated, &outcome, &mut found);
                wrong.extend((!found.is_empty()).then(|| format!("{name}: {}", found.join("\n"))));
            }
            None => wrong.push(format!("{name} is missing")),
        }
    }
    wrong.extend(unformatted(&folder));
    let kinds = originals
        .iter()
        .flat_map(|original| kinds(original, &outcome))
        .collect();
    (folder, kinds, wrong)
}

/// Compiles the crate and sends objects through its types.
fn round_trip(folder: &Path, kinds: &[Kind], wrong: &mut Vec<String>) {
    fs::write(folder.join("src/main.rs"), program(kinds)).unwrap();
    let program = build(folder);
    let objects: Vec<(usize, Value)> = kinds
        .iter()
        .enumerate()
        .flat_map(|(index, kind)| objects_of(kind).into_iter().map(move |object| (index, object)))
        .collect();
    let answers = written(&program, &objects);
    assert_eq!(answers.len(), objects.len());
    for ((index, object), answer) in objects.iter().zip(&answers) {
        let kind = &kinds[*index];
        let mut again = answer["written"].clone();
        kind.definition
            .version(&kind.version)
            .unwrap()
            .default(&mut again);
        if !objects::is_same(&again, object) {
            wrong.push(format!("{}: {object}\n  becomes {answer}", kind.path));
        }
    }
    println!("import: {} kinds, {} objects", kinds.len(), objects.len());
}

fn finish(folder: &Path, mut wrong: Vec<String>) {
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{}\n{}", folder.display(), wrong.join("\n"));
    fs::remove_dir_all(folder).unwrap();
}

/// Both crates are compiled as the same example, so they take turns.
#[test]
fn imported_types_compile_and_lose_nothing() {
    let (folder, kinds, mut wrong) = crate_of(&random_sources());
    round_trip(&folder, &kinds, &mut wrong);
    finish(&folder, wrong);

    let sources = real_sources();
    if sources.is_empty() {
        println!("import: skipped, there is no corpus in ../shared/corpus");
        return;
    }
    let (folder, kinds, mut wrong) = crate_of(&sources);
    if std::env::var_os("KGEN_CORPUS_OBJECTS").is_some() {
        round_trip(&folder, &kinds, &mut wrong);
    } else {
        fs::write(folder.join("src/main.rs"), "mod api;\n\nfn main() {}\n").unwrap();
        // Code that the program does not use is checked, and never generated.
        build(&folder);
        println!("import: {} real kinds compile in one crate", kinds.len());
    }
    finish(&folder, wrong);
}
