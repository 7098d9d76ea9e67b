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
                let Ok(text) = View(&configuration.unsaved).read_text(&path) else {
                    continue;
                };
                let stored = stored_version(resource).map(|stored| stored.version.as_str());
                if stored.is_some() && stored == written_as_stored(&text) {
                    continue;
                }
                let Ok(old) = Definition::from_yaml(&text) else {
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

/// Returns the stored version of a definition in the form in which kgen writes it, and `None` for any other form.
///
/// Nearly every run finds the version that it is about to write. Reading the whole definition to learn this would double the
/// instructions of a run.
fn written_as_stored(text: &str) -> Option<&str> {
    let (_, versions) = text.split_once("\n  versions:\n")?;
    let (before, _) = versions.split_once("\n    storage: true\n")?;
    before.lines().rev().find_map(|line| {
        let entry = line.strip_prefix("    ").or_else(|| line.strip_prefix("  - "))?;
        entry.strip_prefix("name: ")
    })
}

fn stored_version(resource: &Resource) -> Option<&KindVersion> {
    let versions: Vec<&KindVersion> = resource.versions.iter().collect();
    let stored = versions.iter().copied().find(|version| version.storage.is_some());
    stored.or_else(|| kgen_model::implied_storage(&versions))
}

/// Returns the problem of a resource whose stored version changes.
fn compare(old: &Definition, resource: &Resource, conversion: Option<&Conversion<'_>>) -> Option<Problem> {
    let before = old.stored_version()?;
    let versions: Vec<&KindVersion> = resource.versions.iter().collect();
    let stored = stored_version(resource)?;
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

/// Returns the problem of a version that is stored, but no longer in the source.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use kgen_diagnostics::{Code, Severity};

    use super::written_as_stored;
    use crate::build_script::configure_in;

    const OLD: &str = "\
# @generated by kgen crd. Do not edit.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kilns.example.com
spec:
  group: example.com
  names:
    kind: Kiln
    plural: kilns
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
    served: true
    storage: true
";

    #[test]
    fn the_stored_version_is_found_in_the_form_that_kgen_writes() {
        assert_eq!(written_as_stored(OLD), Some("v1"));
        let first = OLD.replace(
            "  versions:\n",
            "  versions:\n  - additionalPrinterColumns:\n    - name: Age\n    name: v2\n    storage: true\n",
        );
        assert_eq!(written_as_stored(&first), Some("v2"));
        let second = OLD.replace("  versions:\n", "  versions:\n  - name: v2\n    storage: false\n");
        assert_eq!(written_as_stored(&second), Some("v1"));
        assert_eq!(written_as_stored(&OLD.replace("  - name", "    - name")), None);
        assert_eq!(
            written_as_stored(&OLD.replace("storage: true", "storage: false")),
            None
        );
    }

    /// Writes one module per version, each with its markers and its field, and returns the problems of a run.
    fn problems(old: &str, versions: &[(&str, &str, &str)]) -> Vec<(Code, Severity)> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[package]\nname = \"kilns\"\n[dependencies]\nk8s-openapi = \"1\"\n",
        );
        let mut modules = String::new();
        for (version, markers, field) in versions {
            modules.push_str(&format!("pub mod {version};\n"));
            let text = format!(
                "//! +groupName=example.com\n\
                 use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
                 use serde::{{Deserialize, Serialize}};\n\n\
                 {markers}#[derive(Clone, Debug)]\npub struct Kiln {{ pub metadata: ObjectMeta, pub spec: KilnSpec }}\n\n\
                 #[derive(Clone, Debug, Serialize, Deserialize)]\npub struct KilnSpec {{ {field} }}\n"
            );
            write(&format!("src/{version}.rs"), &text);
        }
        write("src/lib.rs", &modules);
        write("config/crd/example.com_kilns.yaml", old);
        let report = configure_in(root).path("src").crd("config/crd").run();
        let found = report
            .findings
            .iter()
            .flat_map(|findings| findings.problems.iter());
        found.map(|problem| (problem.code, problem.severity)).collect()
    }

    const SAME: &str = "pub size: i32";
    const STORED: &str = "// +kubebuilder:storageversion\n";

    #[test]
    fn a_stored_version_cannot_be_removed() {
        let expected = vec![(Code::StoredVersionRemoved, Severity::Error)];
        assert_eq!(problems(OLD, &[("v2", "", SAME)]), expected);
    }

    #[test]
    fn a_migrated_version_can_be_removed() {
        assert_eq!(
            problems(OLD, &[("v2", "// +kgen:conversion:migrated=v1\n", SAME)]),
            []
        );
    }

    #[test]
    fn a_new_version_is_not_stored_at_once() {
        let expected = vec![(Code::StorageVersion, Severity::Warning)];
        assert_eq!(problems(OLD, &[("v1", "", SAME), ("v2", STORED, SAME)]), expected);
    }

    #[test]
    fn a_change_of_the_stored_version_is_noted() {
        let both = OLD.replace(
            "  versions:\n",
            "  versions:\n  - name: v2\n    served: true\n    storage: false\n",
        );
        let expected = vec![(Code::StorageVersion, Severity::Note)];
        assert_eq!(
            problems(&both, &[("v1", "", SAME), ("v2", STORED, SAME)]),
            expected
        );
    }

    #[test]
    fn a_stored_version_that_nothing_converts_is_refused() {
        let found = problems(OLD, &[("v1", "", SAME), ("v2", STORED, "pub count: i32")]);
        assert!(
            found.contains(&(Code::LossyVersions, Severity::Error)),
            "{found:?}"
        );
    }

    #[test]
    fn an_unchanged_or_unreadable_definition_says_nothing() {
        assert_eq!(problems(OLD, &[("v1", "", SAME)]), []);
        assert_eq!(
            problems(
                "# @generated by kgen crd. Do not edit.\nnothing: [\n",
                &[("v2", "", SAME)]
            ),
            []
        );
    }
}
