//! The chart that has only the CRDs, for clusters where somebody else installs them.

use kgen_diagnostics::Problems;
use kgen_generators::Artifact;

use crate::template::{CRDS, Context, Files};
use crate::{files, print, template_artifact, values};

/// Returns the name of the folder of that chart, which is beside the folder of the chart.
#[must_use]
pub fn folder_of_crds(folder: &str) -> String {
    format!("{folder}-crds")
}

/// Returns the files of the chart.
pub(crate) fn chart(context: &Context<'_>, definitions: Files, problems: &mut Problems) -> Vec<Artifact> {
    let options = context.options;
    let folder = format!("../{}/", folder_of_crds(&options.folder));
    let rows = values::rows_of_crds(context.operator, options);
    let mut artifacts = Vec::new();
    for (file, documents) in definitions {
        let text = print::documents(&options.name, &documents);
        let file = file.strip_prefix(CRDS).unwrap_or(&file);
        let name = format!("{folder}templates/{file}");
        artifacts.extend(template_artifact(name, &text, options, problems));
    }
    let name = format!("{folder}templates/_helpers.tpl");
    let helpers = files::helpers_of_crds(context);
    artifacts.extend(template_artifact(name, &helpers, options, problems));
    artifacts.extend(files::others_of_crds(context, &folder, &rows, problems));
    artifacts
}
