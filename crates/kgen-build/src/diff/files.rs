//! The witnesses of a comparison as files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_diff::{Finding, Witness};
use serde_json::Value;

use super::Comparison;
use crate::disk;
use crate::plan::{ChangeAction, Plan};

impl Comparison {
    /// Returns the plan that writes each witness to a YAML file in `folder`, named after its finding.
    #[must_use]
    pub fn witness_files(&self, folder: &Path, working_folder: &Path) -> Plan {
        let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
        for compared in &self.findings {
            let objects: Vec<&Value> = match &compared.finding.witness {
                Some(Witness::Object(object)) => vec![object],
                Some(Witness::Update(before, after)) => vec![before, after],
                None => continue,
            };
            let name = name(&compared.finding);
            let path = (1..).map(|number| match number {
                1 => folder.join(format!("{name}.yaml")),
                number => folder.join(format!("{name}-{number}.yaml")),
            });
            let Some(path) = path.into_iter().find(|path| !files.contains_key(path)) else {
                continue;
            };
            let texts: Vec<String> = objects.into_iter().map(kgen_yaml::to_string).collect();
            files.insert(path, texts.join("---\n"));
        }
        let changes = files.into_iter().map(|(path, new)| {
            let action = match disk::read_if_there(&path) {
                Ok(Some(old)) => ChangeAction::Update { old, new },
                _ => ChangeAction::Create { new },
            };
            (path, action)
        });
        Plan::of_files(changes, working_folder)
    }
}

fn name(finding: &Finding) -> String {
    let path = finding.path.replace("[*]", "-items").replace('.', "-");
    let version = finding.version.as_deref().unwrap_or("all");
    let kind = finding.kind.to_lowercase();
    format!("{kind}-{version}-{}{}", finding.code, path.trim_end_matches('-'))
}
