//! One stored version, and at least one that is served.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{KindVersion, Resource};

use super::{text, written_versions};

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
            let names = text::quoted_list(versions.iter().map(|version| version.version.as_str()));
            let mut problem = Problem::error(
                Code::StorageVersion,
                first.span,
                format!(
                    "`{}` has the versions {names}, and none of them is the stored one",
                    resource.kind
                ),
            )
            .help("write `+kubebuilder:storageversion` above the type of the version that is to be stored");
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
        [] => warn_of_guess(resource, &versions, problems),
    }
    if versions.iter().all(|version| version.unserved.is_some()) {
        let span = first.unserved.unwrap_or(first.span);
        problems.push(
            Problem::error(
                Code::StorageVersion,
                span,
                format!("no version of `{}` is served", resource.kind),
            )
            .help("remove `+kubebuilder:unservedversion` from one version"),
        );
    }
}

/// Says which version is stored where kube-derive would leave that to code.
fn warn_of_guess(resource: &Resource, versions: &[&KindVersion], problems: &mut Problems) {
    let open: Vec<_> = versions
        .iter()
        .filter(|version| version.unstored.is_none())
        .collect();
    let Some(stored) = kgen_model::implied_storage(versions).filter(|_| open.len() > 1) else {
        return;
    };
    let names = text::quoted_list(open.iter().map(|version| version.version.as_str()));
    let message = format!(
        "`{}` has the versions {names}, and code decides which is stored: kgen takes `{}`, the newest",
        resource.kind, stored.version
    );
    problems.push(
        Problem::warning(Code::StorageVersion, stored.span, message)
            .help("write `storage = false` in `#[kube(…)]` of the others"),
    );
}

/// Skipping the only version says that there is to be no definition. That can be meant, so it is no error.
fn note_that_all_are_skipped(resource: &Resource, problems: &mut Problems) {
    let message = format!(
        "every version of `{}` is skipped, so it gets no definition",
        resource.kind
    );
    let mut problem = Problem::note(Code::StorageVersion, message);
    problem.span = resource.versions.first().map(|version| version.span);
    problems.push(problem);
}
