//! The stored version of each kind, compared with the definition that an earlier run wrote to the output folder.
//!
//! Objects remain in the version in which they were stored, so a version cannot simply be removed, and an older release must
//! be able to read everything that a newer one stores. A definition that is not laid out in lines is not compared.

use kgen_check::Checked;
use kgen_check::conversion::Conversion;
use kgen_diagnostics::{Code, Problem};
use kgen_generators::crd;
use kgen_model::{KindVersion, Resource, VersionAge};

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
                let old = Written::read(&text);
                let stored = stored_version(resource).map(|stored| stored.version.as_str());
                if stored == old.stored {
                    continue;
                }
                let conversion = checked
                    .conversions()
                    .iter()
                    .find(|conversion| std::ptr::eq(conversion.resource, resource));
                findings.problems.extend(compare(&old, resource, conversion));
            }
        }
    }
}

/// The versions in the text of a definition.
///
/// kgen only replaces definitions that it wrote itself or that controller-gen wrote, and both write one key per line. So their
/// lines say enough: reading all of the YAML would double the instructions of a run, and add a parser to the command.
#[derive(Debug, Default, PartialEq, Eq)]
struct Written<'a> {
    versions: Vec<&'a str>,
    stored: Option<&'a str>,
}

impl<'a> Written<'a> {
    fn read(text: &'a str) -> Self {
        let lines = text.lines().map(|line| (indent(line), line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let mut spec = lines
            .skip_while(|line| *line != (0, "spec:"))
            .skip(1)
            .take_while(|(column, _)| *column > 0)
            .peekable();
        let Some(list) = spec.peek().map(|(column, _)| *column) else {
            return Self::default();
        };
        let versions = spec.skip_while(|line| *line != (list, "versions:")).skip(1);
        let mut versions = versions
            .take_while(|(column, line)| *column > list || *column == list && line.starts_with("- "))
            .peekable();
        let items = versions.peek().map(|(column, _)| *column);
        // The column of the keys of an item.
        let mut keys = 0;
        let mut found: Vec<(Option<&str>, bool)> = Vec::new();
        for (column, line) in versions {
            let item = line.strip_prefix("- ").filter(|_| Some(column) == items);
            let key = item.map_or(line, str::trim_start);
            if item.is_some() {
                keys = column + line.len() - key.len();
                found.push((None, false));
            } else if column != keys {
                continue;
            }
            match (key.split_once(':'), found.last_mut()) {
                (Some(("name", value)), Some((name, _))) => {
                    *name = Some(value.trim().trim_matches(['"', '\'']));
                }
                (Some(("storage", value)), Some((_, is_stored))) => *is_stored = value.trim() == "true",
                _ => {}
            }
        }
        Self {
            stored: found
                .iter()
                .find(|(_, is_stored)| *is_stored)
                .and_then(|(name, _)| *name),
            versions: found.into_iter().filter_map(|(name, _)| name).collect(),
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn stored_version(resource: &Resource) -> Option<&KindVersion> {
    let versions: Vec<&KindVersion> = resource.versions.iter().collect();
    let stored = versions.iter().copied().find(|version| version.storage.is_some());
    stored.or_else(|| kgen_model::implied_storage(&versions))
}

/// Returns the problem of a resource whose stored version changes.
fn compare(old: &Written<'_>, resource: &Resource, conversion: Option<&Conversion<'_>>) -> Option<Problem> {
    let before = old.stored?;
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
    if !old.versions.contains(&now.as_str()) {
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

    use super::Written;
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

    fn written<'a>(versions: &[&'a str], stored: Option<&'a str>) -> Written<'a> {
        Written {
            versions: versions.to_vec(),
            stored,
        }
    }

    #[test]
    fn the_versions_are_found_in_the_lines_of_a_definition() {
        assert_eq!(Written::read(OLD), written(&["v1"], Some("v1")));
        let first = OLD.replace(
            "  versions:\n",
            "  versions:\n  - additionalPrinterColumns:\n    - name: Age\n      jsonPath: .a\n    name: v2\n    storage: true\n",
        );
        assert_eq!(Written::read(&first), written(&["v2", "v1"], Some("v2")));
        let second = OLD.replace("  versions:\n", "  versions:\n  - storage: false\n    name: v2\n");
        assert_eq!(Written::read(&second), written(&["v2", "v1"], Some("v1")));
        let never = OLD.replace("storage: true", "storage: false");
        assert_eq!(Written::read(&never), written(&["v1"], None));
    }

    #[test]
    fn other_layouts_and_texts_inside_a_schema_do_not_matter() {
        let deeper = "spec:\n  versions:\n    - name: \"v1\"\n      storage: true\n    -   name: 'v2'\n        storage: false\n";
        assert_eq!(Written::read(deeper), written(&["v1", "v2"], Some("v1")));
        let text = OLD.replace(
            "        type: object\n",
            "        description: |\n          name: v9\n          - name: v8\n          storage: true\n\n          versions:\n        type: object\n",
        );
        assert_eq!(Written::read(&text), written(&["v1"], Some("v1")));
        let behind = format!("{OLD}  conversion:\n    strategy: None\nstatus:\n  storedVersions:\n  - v1\n");
        assert_eq!(Written::read(&behind), written(&["v1"], Some("v1")));
        assert_eq!(
            Written::read("{\"spec\": {\"versions\": []}}"),
            written(&[], None)
        );
        assert_eq!(Written::read("nothing: [\n"), written(&[], None));
    }

    /// Writes one module per version, each with its markers and its field, and returns the problems of a run.
    fn messages(old: &str, versions: &[(&str, &str, &str)]) -> Vec<(Code, Severity, String)> {
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
        found
            .map(|problem| (problem.code, problem.severity, problem.message.clone()))
            .collect()
    }

    /// Returns the codes and severities of all problems.
    fn problems(old: &str, versions: &[(&str, &str, &str)]) -> Vec<(Code, Severity)> {
        let found = messages(old, versions).into_iter();
        found.map(|(code, severity, _)| (code, severity)).collect()
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
        let found = messages(OLD, &[("v1", "", SAME), ("v2", STORED, "pub count: i32")]);
        assert!(
            found.contains(&(
                Code::LossyVersions,
                Severity::Error,
                "`v2` is stored instead of `v1`, and nothing converts between them".to_owned()
            )),
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
