//! The manifests of webhooks: the service, the certificate, and the CA in everything that names the service.

use kgen_build::Findings;
use minijinja::context;

use crate::api::create;
use crate::draft::{Draft, Present};
use crate::edit::{Edit, kustomization};
use crate::kind::Kind;
use crate::project::Found;
use crate::render;
use crate::webhook::WebhookOptions;

const DEFAULT: &str = "config/default/kustomization.yaml";
const DEFINITIONS: &str = "config/crd/kustomization.yaml";

/// Replacements for names in fields that kustomize does not know.
const REPLACEMENTS: &[&str] = &[
    // The DNS names of the certificate, with the name and the namespace of the service.
    "\
- source:
    kind: Service
    version: v1
    name: webhook-service
    fieldPath: .metadata.name
  targets:
  - select:
      kind: Certificate
      group: cert-manager.io
      version: v1
      name: serving-cert
    fieldPaths:
    - .spec.dnsNames.0
    - .spec.dnsNames.1
    options:
      delimiter: .
      index: 0
      create: true",
    "\
- source:
    kind: Service
    version: v1
    name: webhook-service
    fieldPath: .metadata.namespace
  targets:
  - select:
      kind: Certificate
      group: cert-manager.io
      version: v1
      name: serving-cert
    fieldPaths:
    - .spec.dnsNames.0
    - .spec.dnsNames.1
    options:
      delimiter: .
      index: 1
      create: true",
];

/// Replacements that refer to the certificate in an object, so that cert-manager adds its CA. `target` selects the object.
fn injection(target: &str) -> [String; 2] {
    [("namespace", 0), ("name", 1)].map(|(part, index)| {
        format!(
            "\
- source:
    kind: Certificate
    group: cert-manager.io
    version: v1
    name: serving-cert
    fieldPath: .metadata.{part}
  targets:
  - select:
      {target}
    fieldPaths:
    - .metadata.annotations.[cert-manager.io/inject-ca-from]
    options:
      delimiter: /
      index: {index}
      create: true"
        )
    })
}

/// Creates the manifests.
pub(crate) fn add(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    options: &WebhookOptions,
    has_admission: bool,
) -> Result<(), Findings> {
    let words = |admission: bool| kind.words(project, context! { admission });
    let rendered = |admission| render::set("webhook-config", &words(admission)).map_err(Findings::of);
    for ((path, text), (_, without)) in rendered(has_admission)?.into_iter().zip(rendered(false)?) {
        // A file of a project that had no admission webhook until now.
        if text != without && draft.text(&path).is_some_and(|found| found == without) {
            draft.edit(&path, &text, |_| Edit::Changed(text.clone()));
        }
        draft.scaffold("webhook-config", &path, text, Present::Keep);
    }
    if options.conversion {
        create(draft, "conversion-config", &words(has_admission), Present::Keep)?;
    }
    enable(draft, kind, options);
    Ok(())
}

/// The targets of certificates: the webhook configurations, and the CRDs that are converted.
pub(crate) enum Injected<'a> {
    Mutating,
    Validating,
    /// The CRD of a kind.
    Definition(&'a Kind),
}

/// An entry of a list in a kustomization: the file, the list and the entry.
pub(crate) type Listed = (&'static str, &'static str, String);

/// Returns the entries that all webhooks of a project share.
pub(crate) fn shared_entries() -> Vec<Listed> {
    let patch =
        "- path: manager_webhook_patch.yaml\n  target:\n    kind: Deployment\n    name: controller-manager";
    let mut entries: Vec<Listed> = vec![
        (DEFAULT, "resources", "- ../webhook".to_owned()),
        (DEFAULT, "resources", "- ../certmanager".to_owned()),
        (DEFAULT, "patches", patch.to_owned()),
        (
            "config/network-policy/kustomization.yaml",
            "resources",
            "- allow_webhook_traffic.yaml".to_owned(),
        ),
    ];
    let replacements = REPLACEMENTS.iter().map(|text| (*text).to_owned());
    entries.extend(replacements.map(|text| (DEFAULT, "replacements", text)));
    entries
}

/// Returns the entries that add the CA to an object.
pub(crate) fn injected_entries(target: &Injected<'_>) -> impl Iterator<Item = Listed> {
    let selected = match target {
        Injected::Mutating => "kind: MutatingWebhookConfiguration".to_owned(),
        Injected::Validating => "kind: ValidatingWebhookConfiguration".to_owned(),
        Injected::Definition(kind) => format!(
            "kind: CustomResourceDefinition\n      name: {}.{}",
            kind.plural, kind.group
        ),
    };
    injection(&selected)
        .into_iter()
        .map(|text| (DEFAULT, "replacements", text))
}

/// Enables the webhooks in the kustomize configuration.
fn enable(draft: &mut Draft<'_>, kind: &Kind, options: &WebhookOptions) {
    let mut entries = shared_entries();
    if options.conversion {
        entries.push((DEFINITIONS, "configurations", "- kustomizeconfig.yaml".to_owned()));
    }
    for (wanted, target) in [
        (options.defaulting, Injected::Mutating),
        (options.validation, Injected::Validating),
        (options.conversion, Injected::Definition(kind)),
    ] {
        if wanted {
            entries.extend(injected_entries(&target));
        }
    }
    for (file, key, entry) in entries {
        let lines = format!("{key}:\n{entry}");
        draft.edit(file, &lines, |text| kustomization::add(text, key, &entry));
    }
}
