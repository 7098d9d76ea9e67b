//! `kgen diff`: reads two states, compares them with `kgen-diff`, and applies what the user allows.

mod allow;
mod files;
pub(crate) mod git;
mod problem;
mod settings;
pub(crate) mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kgen_diagnostics::words::counted;
use kgen_diagnostics::{Allowance, Code, Files, Problem, Problems, Severity, nearest};
use kgen_diff::{Finding, Level, StoredVersions, Verdict};
use kgen_model::{Api, Resource};

use crate::configuration::Configuration;
use crate::report::Findings;
use state::{Origin, Unit, Wanted};

pub use problem::{Place, Shown, as_problem, place};
pub use settings::{AllowedChange, DiffSettings, LintSettings};
pub use state::StateName;

/// The states to compare.
#[derive(Clone, Debug)]
pub struct DiffRequest {
    /// The old state.
    pub old: StateName,
    /// The new state.
    pub new: StateName,
    /// The paths to read; empty means those of the configuration.
    pub paths: Vec<PathBuf>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Whether to compare RBAC rules instead of kinds.
    pub access: bool,
}

impl DiffRequest {
    /// Returns the comparison that is meant if nobody names states: with the revision of the configuration, or with the point where
    /// this branch left the default branch.
    #[must_use]
    pub fn of(configuration: &Configuration) -> Self {
        let against = configuration.diff.against.clone();
        Self {
            old: against.map_or(StateName::MergeBase, StateName::Word),
            new: StateName::WorkingTree,
            paths: Vec::new(),
            kind: None,
            access: false,
        }
    }
}

/// A finding, and what is known about it outside the models.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The finding.
    pub finding: Finding,
    /// The index of the files that its places are in.
    pub pair: usize,
    /// Whether the user allows it, and why.
    pub allowed: Option<Option<String>>,
}

impl Compared {
    fn new(finding: Finding, pair: usize) -> Self {
        Self {
            finding,
            pair,
            allowed: None,
        }
    }
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The findings, by group, kind, version and path.
    pub findings: Vec<Compared>,
    /// The files of the old and the new state, by pair.
    pub files: Vec<(Files, Files)>,
    /// The name of the old state.
    pub old_name: String,
    /// Whether the old state is a revision of git.
    pub is_revision: bool,
    /// Problems of both states and of the configuration.
    pub problems: Vec<Findings>,
    /// Whether one of the states could not be read.
    pub failed: bool,
}

impl Comparison {
    /// Returns how many findings of a level are not allowed.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.open().filter(|finding| finding.level == level).count()
    }

    /// Returns the verdict over the findings that are not allowed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.open().map(|finding| finding.level))
    }

    /// Returns the numbers of findings and the verdict, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let (breaking, risky) = (self.count(Level::Breaking), self.count(Level::Risky));
        let name = &self.old_name;
        let verdict = match self.verdict().0 {
            Some(Level::Breaking) => "this is a major change",
            Some(_) => "this is a minor change",
            None => return format!("no changes since {name}"),
        };
        let compatible = counted(self.count(Level::Compatible), "compatible change");
        format!("{breaking} breaking, {risky} risky, {compatible} since {name}: {verdict}")
    }

    fn open(&self) -> impl Iterator<Item = &Finding> {
        let open = self.findings.iter().filter(|compared| compared.allowed.is_none());
        open.map(|compared| &compared.finding)
    }
}

/// Compares two states.
///
/// # Errors
/// Returns why the comparison is not possible: a name that means nothing, or a state without kinds.
pub fn diff(configuration: &Configuration, request: &DiffRequest) -> Result<Comparison, Findings> {
    let mut configuration = configuration.clone();
    if configuration.sets.is_empty() {
        configuration
            .sets
            .push(state::plain_set(&configuration.working_folder));
    }
    let configuration = &configuration;
    let resolved = |name| state::resolve(name, configuration).map_err(Findings::of);
    let (old_origin, new_origin) = (resolved(&request.old)?, resolved(&request.new)?);
    let paths = if request.paths.is_empty() {
        let folder = configuration.read_from.first().and_then(|file| file.parent());
        let absolute = |path: &PathBuf| folder.unwrap_or(&configuration.working_folder).join(path);
        configuration.diff.paths.iter().map(absolute).collect()
    } else {
        request.paths.clone()
    };
    let wanted = if request.access {
        Wanted::Access
    } else {
        Wanted::Kinds
    };
    let read = |origin: &Origin| state::read(origin, configuration, &paths, wanted).map_err(Findings::of);
    let (mut old, mut new) = (read(&old_origin)?, read(&new_origin)?);
    state::check(&mut new, configuration);
    let word = |name: &StateName| match name {
        StateName::Word(word) => word.clone(),
        _ => String::new(),
    };
    let old_name = old_origin.shown(&word(&request.old));
    let new_name = new_origin.shown(&word(&request.new));
    let mut comparison = Comparison {
        is_revision: matches!(old_origin, Origin::Revision { .. }),
        old_name: old_name.clone(),
        ..Comparison::default()
    };
    collect_problems(&mut old, &mut new, (&old_name, &new_name), &mut comparison);
    if comparison.failed {
        return Ok(comparison);
    }
    if !request.access {
        for (units, name) in [(&old, &old_name), (&new, &new_name)] {
            if units.iter().all(|unit| unit.api.resources.is_empty()) {
                let problem = Problem::general(Code::NothingFound, format!("{name} has no kinds"));
                return Err(Findings::of(problem.help("name the folder with `paths=…`")));
            }
        }
    }
    if matches!(old_origin, Origin::Cluster(_)) {
        // Other CRDs of the cluster do not belong to this API.
        let groups: BTreeSet<String> = all(&new).map(|resource| resource.group.clone()).collect();
        for unit in &mut old {
            unit.api
                .resources
                .retain(|resource| groups.contains(&resource.group));
        }
    }
    if let Some(kind) = request.kind.as_ref().filter(|_| !request.access) {
        let known: BTreeSet<&str> = all(&old)
            .chain(all(&new))
            .map(|resource| resource.kind.as_str())
            .collect();
        if !known.contains(kind.as_str()) {
            let problem = Problem::general(Code::Usage, format!("neither state has the kind `{kind}`"));
            return Err(Findings::of(match nearest(kind, known) {
                Some(near) => problem.meant(near),
                None => problem,
            }));
        }
    }
    let allowances = if request.access {
        access(old, new, &mut comparison)
    } else {
        kinds(old, new, request.kind.as_deref(), &mut comparison)
    };
    allow::apply(configuration, &old_origin, &allowances, &mut comparison);
    Ok(comparison)
}

fn all(units: &[Unit]) -> impl Iterator<Item = &Resource> {
    units.iter().flat_map(|unit| &unit.api.resources)
}

/// Moves the problems of both states to the comparison. Those of the old state are warnings if it can be compared.
///
/// Warnings are left to `kgen generate`.
fn collect_problems(old: &mut [Unit], new: &mut [Unit], names: (&str, &str), comparison: &mut Comparison) {
    let has_errors = |units: &[Unit]| units.iter().any(|unit| unit.problems.has_errors());
    let is_readable = old.iter().any(|unit| !unit.api.resources.is_empty());
    // Nobody knows which of two CRDs with one name is meant.
    let is_ambiguous = |unit: &Unit| unit.has_definitions && unit.problems.iter().any(is_duplicate);
    let is_unreadable = !is_readable || old.iter().any(is_ambiguous);
    comparison.failed = has_errors(new) || has_errors(old) && is_unreadable;
    for unit in old.iter_mut().chain(new.iter_mut()) {
        let matters = |problem: &Problem| problem.is_error() || problem.code == Code::ForeignType;
        unit.problems.retain(matters);
    }
    for unit in old.iter_mut().filter(|_| !comparison.failed) {
        let mut lowered = Problems::new();
        lowered.extend(
            std::mem::take(&mut unit.problems)
                .into_iter()
                .map(|problem| Problem {
                    severity: problem.severity.max(Severity::Warning),
                    ..problem
                }),
        );
        unit.problems = lowered;
    }
    let of_old = old.iter_mut().filter_map(|unit| state::findings(unit, names.0));
    comparison.problems = of_old.collect();
    let of_new = new.iter_mut().filter_map(|unit| state::findings(unit, names.1));
    comparison.problems.extend(of_new);
}

fn is_duplicate(problem: &Problem) -> bool {
    problem.is_error() && problem.code == Code::DuplicateKind
}

/// Finds which units have each kind.
type Owners = BTreeMap<(String, String), (Option<usize>, Option<usize>)>;

fn key(resource: &Resource) -> (String, String) {
    (resource.group.clone(), resource.names.plural.clone())
}

/// Compares the kinds. Those of one pair of units have their places in the same files.
fn kinds(
    old: Vec<Unit>,
    new: Vec<Unit>,
    kind: Option<&str>,
    comparison: &mut Comparison,
) -> Vec<Vec<Allowance>> {
    let listed: StoredVersions = old.iter().flat_map(|unit| unit.stored.clone()).collect();
    let mut compare = |old: &Api, new: &Api, pair: usize| {
        let mut found = kgen_diff::compare(old, new);
        kgen_diff::add_stored(&mut found, new, &listed);
        let found = found
            .into_iter()
            .filter(|finding| kind.is_none_or(|kind| finding.kind == kind));
        comparison
            .findings
            .extend(found.map(|finding| Compared::new(finding, pair)));
    };
    if let ([one], [other]) = (old.as_slice(), new.as_slice()) {
        compare(&one.api, &other.api, 0);
        let allowances = vec![other.api.allowances.clone()];
        let (one, other) = (old.into_iter().next(), new.into_iter().next());
        let files = one.zip(other).map(|(one, other)| (one.files, other.files));
        comparison.files.extend(files);
        return allowances;
    }
    let mut owners = Owners::new();
    for (index, unit) in old.iter().enumerate() {
        for resource in &unit.api.resources {
            owners.entry(key(resource)).or_default().0.get_or_insert(index);
        }
    }
    for (index, unit) in new.iter().enumerate() {
        for resource in &unit.api.resources {
            owners.entry(key(resource)).or_default().1.get_or_insert(index);
        }
    }
    let indexes = |owners: &(Option<usize>, Option<usize>)| {
        (owners.0.unwrap_or_default(), owners.1.unwrap_or_default())
    };
    let pairs: BTreeSet<(usize, usize)> = owners.values().map(indexes).collect();
    let mut allowances = Vec::new();
    for (of_old, of_new) in pairs {
        let part = |units: &[Unit], index: usize| -> Api {
            let is_here = |resource: &&Resource| {
                let owners = owners.get(&key(resource));
                owners.is_some_and(|owners| indexes(owners) == (of_old, of_new))
            };
            let resources = units.get(index).into_iter().flat_map(|unit| &unit.api.resources);
            Api {
                resources: resources.filter(is_here).cloned().collect(),
                ..Api::default()
            }
        };
        compare(&part(&old, of_old), &part(&new, of_new), allowances.len());
        let allowed = new.get(of_new).map(|unit| unit.api.allowances.clone());
        allowances.push(allowed.unwrap_or_default());
        let files = |units: &[Unit], index: usize| {
            units
                .get(index)
                .map(|unit| unit.files.clone())
                .unwrap_or_default()
        };
        comparison.files.push((files(&old, of_old), files(&new, of_new)));
    }
    allowances
}

/// Compares the RBAC rules of every new unit with all old ones.
fn access(old: Vec<Unit>, new: Vec<Unit>, comparison: &mut Comparison) -> Vec<Vec<Allowance>> {
    let rules = old.iter().flat_map(|unit| &unit.api.access_rules);
    let before = Api {
        access_rules: rules.cloned().collect(),
        ..Api::default()
    };
    let mut allowances = Vec::new();
    for (pair, unit) in new.into_iter().enumerate() {
        let found = kgen_diff::access(&before, &unit.api).into_iter();
        comparison
            .findings
            .extend(found.map(|finding| Compared::new(finding, pair)));
        comparison.files.push((Files::default(), unit.files));
        allowances.push(unit.api.allowances);
    }
    allowances
}
