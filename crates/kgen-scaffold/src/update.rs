//! `kgen update`: brings the scaffolded files of a project to this version of kgen.
//!
//! Each file is merged from three texts: as kgen wrote it, which the record has; as it is; and as this kgen writes it.
//! Where changes of the user and of kgen contradict each other, the file gets conflict markers.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_build::{Findings, Project};
use kgen_diagnostics::{Code, Problem};
use minijinja::context;
use similar::{ConflictStyle, TextMerge};

use crate::api::{CONTROLLER_TEST, controller_file, controller_name, controller_test, external_words};
use crate::draft::{Draft, Next, Present, Refusal, Scaffold};
use crate::external::External;
use crate::kind::Kind;
use crate::kinds::Kinds;
use crate::project::Found;
use crate::render::Words;
use crate::source::KgenSource;
use crate::webhook::{code_set, test_set, webhook_file, words_of};
use crate::{conversion, external, init, license, project, record, render, webhook, webhook_manifests};

/// Drafts the update of a project.
///
/// # Errors
/// Returns an error if the project has no record, or if its source has errors.
pub fn update(working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let kinds = Kinds::read_all(&project)?;
    let mut draft = Draft::new(&project.root, &[]);
    let manifest = draft.text(&record::path(init::SET, "Cargo.toml"));
    let manifest = manifest.unwrap_or_default();
    let Some(source) = KgenSource::of_manifest(&manifest) else {
        let message = format!(
            "`{}` does not have the files of this project as kgen wrote them",
            record::FOLDER
        );
        return Err(Findings::of(
            Problem::general(Code::Usage, message)
                .help("restore the folder, which `kgen init` creates and git keeps")
                .help("or create a new project elsewhere, and compare it with this one"),
        )
        .into());
    };
    let settings = Project {
        name: project.name.clone(),
        domain: project.domain.clone(),
        style: project.style.word().to_owned(),
    };
    let license = license::of_manifest(&manifest);
    let mut words = init::words(
        &project.root,
        &settings,
        &source,
        license.as_deref(),
        working_folder,
    );
    words.set_header(&project.header);
    let new = render::set(init::SET, &words).map_err(Findings::of)?;
    remove_dropped(&mut draft, &project, &new)?;
    for (path, text) in new {
        merge(&mut draft, init::SET, &path, text, Absent::Create);
    }
    update_kinds(&mut draft, &project, &kinds)?;
    draft.next(Next::Nothing);
    Ok(draft.finish(project.file.clone(), working_folder)?)
}

/// Updates the files of all kinds and their webhooks.
fn update_kinds(draft: &mut Draft<'_>, project: &Found, kinds: &Kinds) -> Result<(), Findings> {
    let style = project.style.word();
    // Versions of a kind share files, such as its controller and its roles.
    let mut seen: BTreeMap<String, ()> = BTreeMap::new();
    let mut last = None;
    for kind in kinds.all() {
        let controller_name = controller_name(draft, project, &kind, kinds, "controller");
        let words = kind.words(project, context! { controller_name });
        for set in [
            format!("types-{style}"),
            "kind".to_owned(),
            format!("controller-{style}"),
            CONTROLLER_TEST.to_owned(),
        ] {
            for (path, text) in render::set(&set, &words).map_err(Findings::of)? {
                let uses_version = |base: String| base.contains(&format!("::{}::", kind.version));
                let is_shared = path == controller_file(&kind) || set == CONTROLLER_TEST;
                let is_other_versions =
                    is_shared && !draft.text(&record::path(&set, &path)).is_some_and(uses_version);
                if !is_other_versions && seen.insert(path.clone(), ()).is_none() {
                    merge(draft, &set, &path, text, Absent::Skip);
                }
            }
        }
        let (set, file) = (code_set(None), webhook_file(&kind));
        if let Some(base) = draft.text(&record::path(set, &file)) {
            update_webhooks(draft, project, &kind, None, &base)?;
        }
        update_conversion(draft, project, &kind)?;
        last = Some(kind);
    }
    for (file, base) in recorded(draft, project, &format!("external-{style}"))? {
        let version = |path: &str| path.rsplit("::").nth(1).unwrap_or_default().to_owned();
        if let Some(external) = external::of_code(&base, version, stem(&file)) {
            let kind = Kind::external(&external);
            let name = controller_name(draft, project, &kind, kinds, "external");
            let words = external_words(project, &kind, &external, &name);
            merge_set(draft, &format!("external-{style}"), &words)?;
            if let Some(tests) = controller_test(&external) {
                merge_set(draft, tests, &words)?;
            }
        }
    }
    for (file, base) in recorded(draft, project, webhook::EXTERNAL)? {
        let folder = Path::new(&file).parent().and_then(Path::file_name);
        let version = folder.unwrap_or_default().to_string_lossy().into_owned();
        if let Some(external) = external::of_code(&base, |_| version, stem(&file)) {
            let kind = Kind::external(&external);
            update_webhooks(draft, project, &kind, Some(&external), &base)?;
            last = last.or(Some(kind));
        }
    }
    if let Some(kind) = last {
        let words = webhook_manifests::words(draft, project, &kind, kinds.has_webhooks());
        merge_set(draft, "webhook-config", &words)?;
        merge_set(draft, conversion::CONFIGURATION, &words)?;
    }
    Ok(())
}

/// Updates the code of the webhooks of a kind. `base` is the code as kgen wrote it.
fn update_webhooks(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    external: Option<&External>,
    base: &str,
) -> Result<(), Findings> {
    let (defaulting, validation) = (base.contains("impl Defaulter"), base.contains("impl Validator"));
    let words = words_of(project, kind, external, defaulting, validation);
    merge_set(draft, code_set(external), &words)?;
    match test_set(external) {
        Some(tests) => merge_set(draft, tests, &words),
        None => Ok(()),
    }
}

/// Updates the code that serves the conversion of a kind.
fn update_conversion(draft: &mut Draft<'_>, project: &Found, kind: &Kind) -> Result<(), Findings> {
    let recorded = record::path(conversion::CODE, &conversion::code_file(kind));
    match draft
        .text(&recorded)
        .and_then(|base| conversion::Generated::of_code(&base))
    {
        Some(names) => merge_set(draft, conversion::CODE, &names.words(project, kind)),
        None => Ok(()),
    }
}

/// Returns the name of a file without its extension.
fn stem(file: &str) -> &str {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or_default()
}

/// Returns the files of a set that the record has, with their texts.
fn recorded(draft: &mut Draft<'_>, project: &Found, set: &str) -> Result<Vec<(String, String)>, Findings> {
    let folder = project.root.join(record::FOLDER).join(set);
    let files = kgen_build::files_below(&folder).map_err(|reason| {
        let message = format!("`{}` cannot be read: {reason}", record::FOLDER);
        Findings::of(Problem::general(Code::Io, message))
    })?;
    let paths = files
        .iter()
        .filter_map(|file| file.strip_prefix(&folder).ok()?.to_str());
    Ok(paths
        .filter_map(|path| Some((path.to_owned(), draft.text(&record::path(set, path))?)))
        .collect())
}

/// Merges the files of a set that the project has.
fn merge_set(draft: &mut Draft<'_>, set: &str, words: &Words) -> Result<(), Findings> {
    for (path, text) in render::set(set, words).map_err(Findings::of)? {
        merge(draft, set, &path, text, Absent::Skip);
    }
    Ok(())
}

/// The decision about a file that neither the record nor the disk has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absent {
    /// Create it: it is new in this kgen.
    Create,
    /// Leave it out: the user did not ask for it.
    Skip,
}

/// Merges one file. A file that the user has deleted or that is not recorded stays as it is.
fn merge(draft: &mut Draft<'_>, set: &str, path: &str, theirs: String, absent: Absent) {
    let recorded = record::path(set, path);
    match (draft.text(&recorded), draft.text(path)) {
        (None, None) if absent == Absent::Create => draft.scaffold(set, path, theirs, Present::Keep),
        (Some(base), Some(ours)) if base != theirs => {
            // Editors of other systems may have changed all line endings.
            let has_returns = ours.contains("\r\n");
            let like_ours = |text: &str| match has_returns {
                true => text.replace('\n', "\r\n"),
                false => text.to_owned(),
            };
            let (old, new) = (like_ours(&base), like_ours(&theirs));
            let mut merged = TextMerge::from_lines(old.as_str(), ours.as_str(), new.as_str());
            let label = format!("kgen {}", env!("CARGO_PKG_VERSION"));
            merged
                .labels("as scaffolded", "yours", &label)
                .conflict_style(ConflictStyle::Diff3);
            if merged.is_conflicted() {
                draft.conflict(path);
            }
            let text = merged.to_string();
            draft.replace(path, text);
            draft.replace(&recorded, theirs);
        }
        (Some(base), None) if base != theirs => draft.replace(&recorded, theirs),
        _ => {}
    }
}

/// Removes files that this kgen no longer writes, unless the user has edited them.
fn remove_dropped(draft: &mut Draft<'_>, project: &Found, new: &[(String, String)]) -> Result<(), Findings> {
    for (path, base) in recorded(draft, project, init::SET)? {
        if new.iter().all(|(known, _)| *known != path) {
            draft.remove(init::SET, &path, &[base]);
        }
    }
    Ok(())
}
