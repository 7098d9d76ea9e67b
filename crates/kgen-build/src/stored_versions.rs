//! The stored version of each kind, compared with the definition that an earlier run wrote to the output folder.
//!
//! Objects remain in the version in which they were stored, so a version cannot simply be removed, and an older release must
//! be able to read everything that a newer one stores. A definition that cannot be read is not compared.

use kgen_check::Checked;
use kgen_check::conversion::Conversion;
use kgen_diagnostics::{Code, Problem};
use kgen_generators::crd;
use kgen_model::{KindVersion, Resource, VersionAge};
use kgen_schema::Definition;

use crate::configuration::{Configuration, Destination};
use crate::report::Report;
use crate::view::View;

/// Compares the stored versions of all sets that write definitions.
pub(crate) fn check(configuration: &Configuration, checked: &[Option<Checked<'_>>], report: &mut Report) {
    let sets = configuration.sets.iter().zip(checked);
    for ((set, checked), findings) in sets.zip(&mut report.findings) {
        let Some(checked) = checked else { continue };
        for job in set.jobs.iter().filter(|job| job.generator.name == "crd") {
            let Destination::Folder(folder) = job.destination(set) else {
                continue;
            };
            for resource in &checked.api().resources {
                let path = folder.join(crd::file_name(resource));
                let text = View(&configuration.unsaved).read_text(&path);
                let Some(old) = text.ok().and_then(|text| Definition::from_yaml(&text).ok()) else {
                    continue;
                };
                let conversion = checked
                    .conversions()
                    .iter()
                    .find(|conversion| std::ptr::eq(conversion.resource, resource));
                findings.problems.extend(compare(&old, resource, conversion));
            }
        }
    }
}

/// Returns the problem of a resource whose stored version changes.
fn compare(old: &Definition, resource: &Resource, conversion: Option<&Conversion<'_>>) -> Option<Problem> {
    let before = old.stored_version()?;
    let versions: Vec<&KindVersion> = resource.versions.iter().collect();
    let stored = versions.iter().copied().find(|version| version.storage.is_some());
    let stored = stored.or_else(|| kgen_model::implied_storage(&versions))?;
    if !versions.iter().any(|version| version.version == before) {
        let mut migrated = versions.iter().flat_map(|version| &version.conversion.migrated);
        if migrated.any(|version| version.value == before) {
            return None;
        }
        return Some(removed(before, &versions, stored));
    }
    if stored.version == before {
        return None;
    }
    let webhook = versions
        .iter()
        .any(|version| version.conversion.webhook.is_some());
    let external = versions
        .iter()
        .any(|version| version.conversion.external.is_some());
    let now = &stored.version;
    if conversion.is_some_and(Conversion::differs) && !webhook && !external {
        let message = format!("`{now}` is stored instead of `{before}`, and nothing converts between them");
        return Some(Problem::error(Code::LossyVersions, stored.span, message).help(
            "write `+kgen:conversion:webhook` above one version, and serve what `kgen conversion` generates",
        ));
    }
    if old.version(now).is_none() {
        let message =
            format!("`{now}` is new and stored at once, so no release before this one can read its objects");
        return Some(
            Problem::warning(Code::StorageVersion, stored.span, message)
                .help(format!("release `{now}` first while `{before}` is still stored, and store `{now}` in the next release"))
                .help("otherwise a rollback to the previous release is impossible"),
        );
    }
    let mut problem = Problem::note(
        Code::StorageVersion,
        format!(
            "the stored version of `{}` changes from `{before}` to `{now}`",
            resource.kind
        ),
    )
    .help(format!(
        "release this change, migrate the stored objects to `{now}`, and only then remove `{before}`"
    ));
    problem.span = Some(stored.span);
    Some(problem)
}

/// The problem of a version that is stored, but no longer in the source.
fn removed(before: &str, versions: &[&KindVersion], stored: &KindVersion) -> Problem {
    let newest = versions
        .iter()
        .max_by_key(|version| VersionAge::of(&version.version));
    let newest = newest.copied().unwrap_or(stored);
    let message = format!(
        "objects of `{}` are stored as `{before}`, which the source no longer has",
        newest.kind
    );
    Problem::error(Code::StoredVersionRemoved, newest.span, message)
        .help(format!(
            "keep `{before}`, store `{}`, release it, and migrate the stored objects",
            stored.version
        ))
        .help(format!(
            "then remove `{before}` in the next release, and write `+kgen:conversion:migrated={before}` above `{}`",
            newest.version
        ))
}
