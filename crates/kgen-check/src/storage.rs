//! One stored version, and at least one that is served.

use kgen_diagnostics::{Code, Problem, Problems, words};
use kgen_model::{KindStyle, KindVersion, Resource};

use super::written_versions;

/// Checks which versions are stored and served. A single version is stored without being told to, and so is the last
/// one of which nothing says that it is not.
pub(super) fn check(resource: &Resource, problems: &mut Problems) {
    let versions: Vec<&KindVersion> = written_versions(resource).collect();
    let Some(first) = versions.first() else {
        note_that_all_are_skipped(resource, problems);
        return;
    };
    let stored: Vec<_> = versions
        .iter()
        .filter_map(|version| Some((version, version.storage?)))
        .collect();
    match stored.as_slice() {
        [] if kgen_model::implied_storage(&versions).is_none() => {
            let names = words::all_of(versions.iter().map(|version| version.version.as_str()));
            let mut problem = Problem::error(
                Code::StorageVersion,
                first.span,
                format!(
                    "`{}` has the versions {names}, but none of them is the storage version",
                    resource.kind
                ),
            )
            .help("add `+kubebuilder:storageversion` to the version to store");
            for version in versions.iter().skip(1) {
                problem = problem.related(version.span, format!("`{}` is declared here", version.version));
            }
            problems.push(problem);
        }
        [(kept, kept_span), surplus @ ..] => {
            for (version, span) in surplus {
                let message = format!(
                    "`{}` stores both `{}` and `{}`, but only one version can be stored",
                    resource.kind, kept.version, version.version
                );
                problems.push(
                    Problem::error(Code::StorageVersion, *span, message)
                        .help("remove one `+kubebuilder:storageversion`")
                        .related(
                            *kept_span,
                            format!("`{}` is stored because of this", kept.version),
                        ),
                );
            }
        }
        [] => refuse_to_guess(resource, &versions, problems),
    }
    if versions.iter().all(|version| version.unserved.is_some()) {
        let span = first.unserved.unwrap_or(first.span);
        problems.push(
            Problem::error(
                Code::StorageVersion,
                span,
                format!("no version of `{}` is served", resource.kind),
            )
            .help(match first.style {
                KindStyle::KubeDerive => {
                    "remove `served = false` or `+kubebuilder:unservedversion` from one version"
                }
                KindStyle::WholeStruct => "remove `+kubebuilder:unservedversion` from one version",
            }),
        );
    }
}

/// Reports versions of which kube-derive would leave it to code which one is stored.
fn refuse_to_guess(resource: &Resource, versions: &[&KindVersion], problems: &mut Problems) {
    let Some(newest) = guessed(versions) else {
        return;
    };
    let open = versions.iter().filter(|version| version.unstored.is_none());
    let names = words::all_of(open.map(|version| version.version.as_str()));
    let message = format!(
        "`{}` has the versions {names}, and only code selects the storage version",
        resource.kind
    );
    problems.push(
        Problem::error(Code::StorageVersion, newest.span, message)
            .tolerated()
            .help("write `storage = false` in `#[kube(…)]` of the other versions")
            .help(format!(
                "or use `crd:compat=kube-derive`, which stores the newest one, `{}`",
                newest.version
            )),
    );
}

/// Returns the version that is taken for the stored one though others could be.
fn guessed<'a>(versions: &[&'a KindVersion]) -> Option<&'a KindVersion> {
    let open = versions.iter().filter(|version| version.unstored.is_none());
    let is_guess = open.count() > 1 && versions.iter().all(|version| version.storage.is_none());
    kgen_model::implied_storage(versions).filter(|_| is_guess)
}

/// Notes that there is no CRD because all versions are skipped. That can be intended, so it is not an error.
fn note_that_all_are_skipped(resource: &Resource, problems: &mut Problems) {
    let message = format!(
        "every version of `{}` is skipped, so it has no CRD",
        resource.kind
    );
    let mut problem = Problem::note(Code::StorageVersion, message);
    problem.span = resource.versions.first().map(|version| version.span);
    problems.push(problem);
}
