//! The manifests of webhooks: the service, the certificate, and the CA in everything that names the service.

use kgen_build::Findings;
use minijinja::context;

use crate::api::create;
use crate::conversion;
use crate::draft::{Draft, Present};
use crate::edit::{Edit, kustomization};
use crate::kind::Kind;
use crate::project::Found;
use crate::render::{self, Words};
use crate::webhook::WebhookOptions;

const DEFAULT: &str = "config/default/kustomization.yaml";
const MANAGER: &str = "config/manager/manager.yaml";
const MANAGER_LIST: &str = "config/manager/kustomization.yaml";
const SERVICE: &str = "config/webhook/service.yaml";
const BUDGET: &str = "config/manager/disruption_budget.yaml";
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

/// Returns the variables of the manifests. `admission` tells whether the project has admission webhooks.
pub(crate) fn words(draft: &mut Draft<'_>, project: &Found, kind: &Kind, admission: bool) -> Words {
    // A patch can append only to a list that exists. The Deployment of an older project may not have it.
    let is_list = |line: &str| line.trim_start().starts_with("volumes:");
    let manager = draft.text(MANAGER).unwrap_or_default();
    let has_volumes = manager.lines().any(is_list);
    kind.words(project, context! { admission, has_volumes })
}

/// Creates the manifests.
pub(crate) fn add(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    options: &WebhookOptions,
    has_admission: bool,
) -> Result<(), Findings> {
    let usual = words(draft, project, kind, has_admission);
    if options.conversion && draft.text(SERVICE).is_some() {
        publish_early(draft);
    }
    let rendered = |words: &Words| render::set("webhook-config", words).map_err(Findings::of);
    let without = rendered(&words(draft, project, kind, false))?;
    for ((path, text), (_, without)) in rendered(&usual)?.into_iter().zip(without) {
        // A file of a project that had no admission webhook until now.
        if text != without && draft.text(&path).is_some_and(|found| found == without) {
            draft.edit(&path, &text, |_| Edit::Changed(text.clone()));
        }
        draft.scaffold("webhook-config", &path, text, Present::Keep);
    }
    if options.conversion {
        add_replicas(draft);
        create(draft, conversion::CONFIGURATION, &usual, Present::Keep)?;
    }
    enable(draft, kind, options);
    Ok(())
}

/// Lets the Service of a project in Go publish replicas that are not ready: theirs may have to convert objects before they are.
fn publish_early(draft: &mut Draft<'_>) {
    let lines = "  # A replica is ready when its caches are filled, and the API server may have to convert objects for them first.\n  \
                 publishNotReadyAddresses: true\n";
    draft.edit(SERVICE, lines, |text| {
        let (key, spec) = ("publishNotReadyAddresses:", "\nspec:\n");
        if text.contains(key) {
            return Edit::Unchanged;
        }
        match text.contains(spec) {
            true => Edit::Changed(text.replacen(spec, &format!("{spec}{lines}"), 1)),
            false => Edit::NoPlace("`spec` was not found".to_owned()),
        }
    });
}

/// Keeps the conversion available while nodes are drained and pods restart, because the API server needs it for every request
/// about the kind. Later commands keep the number of replicas that the user has chosen.
fn add_replicas(draft: &mut Draft<'_>) {
    if draft.text(BUDGET).is_some() {
        return;
    }
    draft.edit(MANAGER, "replicas: 2", |text| {
        let single = "\n  replicas: 1\n";
        match text.contains(single) {
            true => Edit::Changed(text.replacen(single, "\n  replicas: 2\n", 1)),
            false => Edit::Unchanged,
        }
    });
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
        entries.push((MANAGER_LIST, "resources", "- disruption_budget.yaml".to_owned()));
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
