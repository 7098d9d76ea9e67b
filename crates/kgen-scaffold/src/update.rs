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

use crate::api::{CONTROLLER_TEST, controller_file};
use crate::draft::{Draft, Next, Present, Refusal, Scaffold};
use crate::kinds::Kinds;
use crate::project::Found;
use crate::source::KgenSource;
use crate::webhook::{TEST_SET, code_set, webhook_file, words_of};
use crate::{init, project, record, render, webhook_manifests};

/// Drafts the update of a project.
///
/// # Errors
/// Returns an error if the project has no record, or if its source has errors.
pub fn update(working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let kinds = Kinds::read_all(&project)?;
    let mut draft = Draft::new(&project.root, &[]);
    let Some(source) = draft
        .text(&record::path(init::SET, "Cargo.toml"))
        .and_then(|manifest| KgenSource::of_manifest(&manifest))
    else {
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
    let words = init::words(&project.root, &settings, &source, working_folder);
    let new = render::set(init::SET, &words).map_err(Findings::of)?;
    remove_dropped(&mut draft, &project.root, &new);
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
        let words = kind.words(project, context! {});
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
            let (defaulting, validation) = (base.contains("impl Defaulter"), base.contains("impl Validator"));
            let words = words_of(project, &kind, None, defaulting, validation);
            for set in [set, TEST_SET] {
                for (path, text) in render::set(set, &words).map_err(Findings::of)? {
                    merge(draft, set, &path, text, Absent::Skip);
                }
            }
        }
        last = Some(kind);
    }
    if let Some(kind) = last {
        let words = webhook_manifests::words(draft, project, &kind, kinds.has_webhooks());
        for (path, text) in render::set("webhook-config", &words).map_err(Findings::of)? {
            merge(draft, "webhook-config", &path, text, Absent::Skip);
        }
    }
    Ok(())
}

/// What to do with a file that neither the record nor the disk has.
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
fn remove_dropped(draft: &mut Draft<'_>, root: &Path, new: &[(String, String)]) {
    let folder = root.join(record::FOLDER).join(init::SET);
    let files = match kgen_build::files_below(&folder) {
        Ok(files) => files,
        Err(reason) => {
            let message = format!("`{}` cannot be read: {reason}", record::FOLDER);
            return draft.problem(Problem::general(Code::Io, message));
        }
    };
    let recorded = files
        .iter()
        .filter_map(|file| file.strip_prefix(&folder).ok()?.to_str());
    for path in recorded.filter(|path| new.iter().all(|(known, _)| known != path)) {
        if let Some(base) = draft.text(&record::path(init::SET, path)) {
            draft.remove(init::SET, path, &[base]);
        }
    }
}
