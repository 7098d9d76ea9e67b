//! Orders the versions of a kind by age. Names such as `v1beta1` have an age; `+kgen:conversion:previous` is for the
//! others.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems, nearest, words};
use kgen_model::{KindVersion, VersionAge};

/// Returns the versions from the oldest to the newest, or `None` if their order is unknown, which is then reported.
pub(super) fn order<'a>(
    versions: &[&'a KindVersion],
    problems: &mut Problems,
) -> Option<Vec<&'a KindVersion>> {
    let mut by_age: Vec<(VersionAge, &'a KindVersion)> = versions
        .iter()
        .filter_map(|version| Some((VersionAge::of(&version.version)?, *version)))
        .collect();
    by_age.sort_by_key(|(age, _)| *age);
    let implied: BTreeMap<&str, &str> = by_age
        .windows(2)
        .filter_map(|pair| match pair {
            [(_, older), (_, newer)] => Some((newer.version.as_str(), older.version.as_str())),
            _ => None,
        })
        .collect();
    let mut next: BTreeMap<&str, &'a KindVersion> = BTreeMap::new();
    let mut oldest = Vec::new();
    let mut failed = false;
    for version in versions {
        let implied = implied.get(version.version.as_str()).copied();
        let previous = match &version.conversion.previous {
            None => implied,
            Some(stated) => {
                let name = stated.value.as_str();
                let known = versions.iter().map(|known| known.version.as_str());
                if name == version.version || !known.clone().any(|known| known == name) {
                    failed = true;
                    let message = format!("`{}` does not have another version `{name}`", version.kind);
                    let others = known.filter(|known| *known != version.version);
                    let near = nearest(name, others.clone());
                    let problem = Problem::error(Code::ConversionOrder, stated.span, message)
                        .help(format!("the other versions are {}", words::all_of(others)));
                    problems.push(match near {
                        Some(near) => problem.fix(stated.span, near),
                        None => problem,
                    });
                    continue;
                }
                if implied == Some(name) {
                    let message = format!("`{name}` is the previous version without this marker");
                    problems.push(
                        Problem::warning(Code::ConversionNeedless, stated.span, message)
                            .help("remove the marker"),
                    );
                }
                Some(name)
            }
        };
        let Some(previous) = previous else {
            oldest.push(*version);
            continue;
        };
        if let Some(other) = next.insert(previous, version) {
            failed = true;
            let (at, other) = if version.conversion.previous.is_none() {
                (*version, other)
            } else {
                (other, *version)
            };
            let message = format!(
                "both `{}` and `{}` follow `{previous}`, but versions form a chain",
                other.version, at.version
            );
            problems.push(
                Problem::error(Code::ConversionOrder, at.version_span, message)
                    .related(other.version_span, format!("`{}` follows it too", other.version))
                    .help(format!(
                        "if `{}` is newer, write `+kgen:conversion:previous={}` above it",
                        at.version, other.version
                    )),
            );
        }
    }
    if failed {
        return None;
    }
    match oldest.as_slice() {
        [first] => {
            let mut chain = vec![*first];
            while let Some(version) = chain.last().and_then(|last| next.get(last.version.as_str())) {
                chain.push(version);
            }
            if chain.len() == versions.len() {
                return Some(chain);
            }
            let rest = versions
                .iter()
                .find(|version| !chain.iter().any(|known| known.version == version.version));
            problems.extend(rest.map(|version| circle(version)));
        }
        [] => problems.extend(versions.first().map(|version| circle(version))),
        several => problems.extend(unknown(several)),
    }
    None
}

fn circle(version: &KindVersion) -> Problem {
    let span = version
        .conversion
        .previous
        .as_ref()
        .map_or(version.version_span, |previous| previous.span);
    let message = format!(
        "`{}` follows itself: the previous versions form a circle",
        version.version
    );
    Problem::error(Code::ConversionOrder, span, message).help("remove the marker from the oldest version")
}

/// Returns the problem of several versions that could be the oldest one.
fn unknown(versions: &[&KindVersion]) -> Option<Problem> {
    let is_unknown = |version: &&&KindVersion| VersionAge::of(&version.version).is_none();
    let at = versions.iter().find(is_unknown).or_else(|| versions.last())?;
    let others: Vec<_> = versions
        .iter()
        .filter(|version| version.version != at.version)
        .map(|version| version.version.as_str())
        .collect();
    let other = others.first()?;
    let message = format!(
        "the name `{}` does not tell whether the version is older than {}",
        at.version,
        words::all_of(others.iter().copied())
    );
    Some(
        Problem::error(Code::ConversionOrder, at.version_span, message)
            .help(format!(
                "if `{}` is newer, write `+kgen:conversion:previous={other}` above it",
                at.version
            ))
            .help(format!(
                "if it is older, write `+kgen:conversion:previous={}` above the version that follows it",
                at.version
            )),
    )
}
