//! Targets that read files: each has a folder of its own, in which the input is one file.

use std::fs;
use std::path::{Path, PathBuf};

use kgen_build::ChangeAction;
use kgen_frontend::{FeatureChoice, ForeignMarkers, Input, Options, Overlay};
use kgen_scaffold::{ApiOptions, InitOptions, KgenSource, Style, Subject, WebhookOptions};

use super::Run;

/// Returns a folder that vanishes with the process. A target that cannot write has nothing to do.
fn folder() -> Option<tempfile::TempDir> {
    tempfile::tempdir().ok()
}

fn read_source(kinds: bool) -> Run {
    let folder = folder();
    Box::new(move |text| {
        let Some(folder) = folder.as_ref().map(tempfile::TempDir::path) else {
            return;
        };
        if fs::write(folder.join("api.rs"), text).is_err() {
            return;
        }
        let _ = kgen_frontend::read(&Input {
            working_folder: folder.to_owned(),
            paths: vec![PathBuf::from("api.rs")],
            features: FeatureChoice::default(),
            kinds,
            options: Options {
                allow_dangerous_types: true,
                allow_opaque: true,
                serde_defaults: true,
                rust_types: true,
                ..Options::default()
            },
            foreign_markers: ForeignMarkers::default(),
            unsaved: Overlay::default(),
            tree: None,
            cargo_home: Some(folder.to_owned()),
            deprecations: true,
            kinds_apart: false,
            lowerings: None,
            exclude: Vec::new(),
        });
    })
}

/// Runs the lexer, the comments and the declarations of a file.
pub(crate) fn comments() -> Run {
    read_source(false)
}

/// Runs the whole front end: names, types, schemas and kinds as well.
pub(crate) fn frontend() -> Run {
    read_source(true)
}

/// Reads `kgen.toml`.
pub(crate) fn project() -> Run {
    let folder = folder();
    Box::new(move |text| {
        let Some(folder) = folder.as_ref().map(tempfile::TempDir::path) else {
            return;
        };
        if fs::write(folder.join("kgen.toml"), text).is_ok() {
            let _ = kgen_build::read_project_file(Path::new("kgen.toml"), folder);
        }
    })
}

/// Edits a project's files. The input takes the place of a file that these edits change.
pub(crate) fn scaffold() -> Run {
    let folder = folder();
    let files = folder
        .as_ref()
        .and_then(|folder| start_project(folder.path()))
        .unwrap_or_default();
    Box::new(move |text| {
        let Some(root) = folder.as_ref().map(tempfile::TempDir::path) else {
            return;
        };
        for (path, original) in &files {
            if fs::write(path, text).is_err() {
                continue;
            }
            let _ = kgen_scaffold::create_api(&api("Kiln"), root);
            let _ = kgen_scaffold::create_webhook(&webhook(), root);
            let _ = fs::write(path, original);
        }
    })
}

fn api(kind: &str) -> ApiOptions {
    ApiOptions {
        subject: Subject::Own {
            group: "pottery".to_owned(),
            version: "v1".to_owned(),
            kind: kind.to_owned(),
            plural: None,
            shorts: Vec::new(),
            cluster: false,
            no_types: false,
        },
        no_controller: false,
        force: Vec::new(),
    }
}

fn webhook() -> WebhookOptions {
    WebhookOptions {
        group: "pottery".to_owned(),
        version: "v1".to_owned(),
        kind: "Wheel".to_owned(),
        plural: None,
        defaulting: true,
        validation: true,
        conversion: false,
        foreign: None,
        force: Vec::new(),
    }
}

/// Writes a project with one kind. Returns the files that another kind or a webhook would change, with their texts.
fn start_project(root: &Path) -> Option<Vec<(PathBuf, String)>> {
    let options = InitOptions {
        folder: root.to_owned(),
        domain: "example.org".to_owned(),
        name: Some("pottery".to_owned()),
        style: Style::Kgen,
        source: KgenSource::Registry,
        license: None,
        force: Vec::new(),
    };
    kgen_scaffold::init(&options, root).ok()?.plan.carry_out().ok()?;
    kgen_scaffold::create_api(&api("Wheel"), root)
        .ok()?
        .plan
        .carry_out()
        .ok()?;
    let plans = [
        kgen_scaffold::create_api(&api("Kiln"), root).ok()?.plan,
        kgen_scaffold::create_webhook(&webhook(), root).ok()?.plan,
    ];
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for change in plans.iter().flat_map(|plan| &plan.changes) {
        if let ChangeAction::Update { old, .. } = &change.action
            && !files.iter().any(|(path, _)| *path == change.path)
        {
            files.push((change.path.clone(), String::from_utf8_lossy(old).into_owned()));
        }
    }
    Some(files)
}
