//! A kind, with the names of its files and modules and the variables of its templates.

use kgen_diagnostics::Problems;
use minijinja::{Value, context};

use crate::external::External;
use crate::project::Found;
use crate::render::Words;
use crate::{names, names_in_code};

/// A kind with all its names.
#[derive(Clone)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) shorts: Vec<String>,
    pub(crate) cluster: bool,
    /// The module of the group, which no other group has.
    pub(crate) group_stem: String,
}

impl Kind {
    /// Returns a kind of the project and reports invalid names.
    pub(crate) fn of(
        project: &Found,
        group: &str,
        version: &str,
        kind: &str,
        problems: &mut Problems,
    ) -> Self {
        // The whole group is accepted, too: nobody wants to repeat the domain.
        let suffix = format!(".{}", project.domain);
        let whole = if group == project.domain || group.ends_with(&suffix) {
            group.to_owned()
        } else {
            format!("{group}{suffix}")
        };
        let checks = [
            names::group(group, &whole),
            names::version(version),
            names::kind(kind),
        ];
        for problem in checks.into_iter().filter_map(Result::err) {
            problems.push(problem);
        }
        Self {
            group_stem: names_in_code::group(&whole),
            group: whole,
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: kgen_model::plural(kind),
            shorts: Vec::new(),
            cluster: false,
        }
    }

    /// Returns a kind that the project does not define.
    pub(crate) fn external(external: &External) -> Self {
        Self {
            group: external.group.clone(),
            version: external.version.clone(),
            kind: external.kind.clone(),
            plural: external.plural.clone(),
            shorts: Vec::new(),
            cluster: false,
            group_stem: names_in_code::group(&external.group),
        }
    }

    /// Returns the marker of a group that generated code has to call by the name of its module.
    pub(crate) fn group_name_marker(&self) -> String {
        match self.group_stem == names_in_code::group(&self.group) {
            true => String::new(),
            false => format!("//! +groupGoName={}\n", self.group_stem),
        }
    }

    /// Returns the group as documentation names it.
    pub(crate) fn group_in_prose(&self) -> String {
        if self.group.is_empty() {
            "the core group".to_owned()
        } else {
            format!("`{}`", self.group)
        }
    }

    pub(crate) fn stem(&self) -> String {
        names_in_code::kind(&self.kind)
    }

    /// Returns the path of the file with its types.
    pub(crate) fn types_file(&self) -> String {
        format!("src/api/{}/{}/{}.rs", self.group_stem, self.version, self.stem())
    }

    /// Returns the module of its types. The model names modules without `r#`.
    pub(crate) fn types_module(&self) -> String {
        ["api", &self.group_stem, &self.version, &self.stem()].join("::")
    }

    /// Returns the path of its sample.
    pub(crate) fn sample_file(&self) -> String {
        let (group, version, stem) = (&self.group_stem, &self.version, self.stem());
        format!("config/samples/{group}_{version}_{stem}.yaml")
    }

    /// Returns the arguments of `kgen create` that name it.
    pub(crate) fn arguments(&self, project: &Found) -> String {
        let group = self.group_as_given(project);
        format!("--group {group} --version {} --kind {}", self.version, self.kind)
    }

    /// Returns the group as arguments name it: without the domain of the project.
    pub(crate) fn group_as_given(&self, project: &Found) -> String {
        let domain = format!(".{}", project.domain);
        let group = self.group.strip_suffix(&domain);
        group.unwrap_or(&self.group).to_owned()
    }

    /// Returns the same kind in another version.
    pub(crate) fn in_version(&self, version: &str) -> Self {
        Self {
            version: version.to_owned(),
            ..self.clone()
        }
    }

    /// Returns the variables that templates can use.
    pub(crate) fn words(&self, project: &Found, more: Value) -> Words {
        let resource_marker = self.resource_marker();
        let article = kgen_model::article(&self.kind);
        let own = context! {
            accessor => names_in_code::accessor(&self.group_stem, &self.version),
            article,
            capital_article => if article == "an" { "An" } else { "A" },
            cluster => self.cluster,
            controller_name => self.stem(),
            crate_name => project.name.replace('-', "_"),
            external => "",
            foreign => false,
            group => self.group.clone(),
            group_module => names_in_code::module(&self.group_stem),
            kind => self.kind.clone(),
            kind_lower => self.kind.to_lowercase(),
            module => names_in_code::module(&self.stem()),
            name => project.name.clone(),
            plural => self.plural.clone(),
            plural_method => names_in_code::plural_method(&self.kind, &self.plural),
            resource_marker,
            role_stem => format!("{}-{}", self.group_stem.replace('_', "-"), self.kind.to_lowercase()),
            shorts => self.shorts.clone(),
            version => self.version.clone(),
        };
        Words {
            context: context! { ..more, ..own },
            path: vec![
                (
                    "sample",
                    format!("{}_{}_{}", self.group_stem, self.version, self.stem()),
                ),
                ("resource", format!("{}_{}", self.group_stem, self.stem())),
                ("group", self.group_stem.clone()),
                ("version", self.version.clone()),
                ("kind", self.stem()),
            ],
            header: project.header.clone(),
        }
    }

    /// Returns the arguments of `+kubebuilder:resource`, or an empty string if all arguments have their defaults.
    fn resource_marker(&self) -> String {
        let mut arguments = Vec::new();
        if self.plural != kgen_model::plural(&self.kind) {
            arguments.push(format!("path={}", self.plural));
        }
        if !self.shorts.is_empty() {
            arguments.push(format!("shortName={}", self.shorts.join(";")));
        }
        if self.cluster {
            arguments.push("scope=Cluster".to_owned());
        }
        arguments.join(",")
    }
}
