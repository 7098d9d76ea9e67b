//! The ClusterServiceVersion, put together from its parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kgen_diagnostics::{Code, Problem, Problems};
use serde_json::{Map, Value, json};

use crate::json::{items, set, text};
use crate::options::INSTALL_MODES;
use crate::{
    Bundle, deployments, metadata, metadata_problem, owned, permissions, samples, version, webhooks,
};

/// Returns the CSV. Everything that is wrong with its parts is reported.
pub(crate) fn csv(bundle: &Bundle<'_>, problems: &mut Problems) -> Value {
    let options = bundle.options;
    version::check(options, problems);
    json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {
            "name": format!("{}.v{}", options.name, options.version),
            "namespace": "placeholder",
            "annotations": annotations(bundle, problems),
        },
        "spec": spec(bundle, problems),
    })
}

fn annotations(bundle: &Bundle<'_>, problems: &mut Problems) -> Value {
    let options = bundle.options;
    let mut annotations = Map::new();
    let examples = samples::examples(bundle, problems);
    let examples = serde_json::to_string_pretty(&examples).unwrap_or_default();
    set(&mut annotations, "alm-examples", examples);
    set(&mut annotations, "capabilities", options.capabilities.as_str());
    set(&mut annotations, "categories", options.categories.join(","));
    set(
        &mut annotations,
        "createdAt",
        options.created_at.clone().unwrap_or_default(),
    );
    set(&mut annotations, "description", options.summary.as_str());
    set(&mut annotations, "repository", options.repository.as_str());
    let namespace = "operators.operatorframework.io/suggested-namespace";
    set(&mut annotations, namespace, bundle.namespace());
    let deployments = bundle.options.manifests.deployments();
    let images: Vec<&str> = deployments
        .flat_map(|deployment| deployment.containers())
        .map(|container| text(&container["image"]))
        .collect();
    let image = options.image.as_deref().or(images.first().copied());
    set(&mut annotations, "containerImage", image.unwrap_or_default());
    Value::Object(annotations)
}

fn spec(bundle: &Bundle<'_>, problems: &mut Problems) -> Value {
    let options = bundle.options;
    let deployments = deployments::deployments(bundle, problems);
    let permissions = permissions::permissions(bundle, problems);
    let webhooks = webhooks::definitions(bundle, problems);
    let related = deployments::related_images(&deployments);
    let mut install = Map::new();
    set(&mut install, "deployments", deployments);
    set(&mut install, "permissions", permissions.namespaced);
    set(&mut install, "clusterPermissions", permissions.cluster);
    let mut definitions = Map::new();
    set(&mut definitions, "owned", owned::entries(bundle));
    let (required, wrong) = owned::required(options);
    for entry in wrong {
        let message = format!("`{entry}` in `required` does not name a CRD, a version and a kind");
        problems.push(
            Problem::general(Code::BundleMetadata, message)
                .help("write it in the form `certificates.cert-manager.io/v1/Certificate`"),
        );
    }
    set(&mut definitions, "required", required);

    let mut spec = Map::new();
    let display = options.display_name.clone();
    set(
        &mut spec,
        "displayName",
        display.unwrap_or_else(|| owned::words(&options.name)),
    );
    set(&mut spec, "description", options.description.as_str());
    set(&mut spec, "version", options.version.as_str());
    set(&mut spec, "minKubeVersion", kubernetes_version(bundle));
    set(&mut spec, "maturity", maturity(&options.version));
    set(&mut spec, "keywords", json!(options.keywords));
    set(&mut spec, "provider", contact(&options.provider, "url"));
    let maintainers: Vec<Value> = options
        .maintainers
        .iter()
        .map(|one| contact(one, "email"))
        .collect();
    set(&mut spec, "maintainers", maintainers);
    if !options.repository.is_empty() {
        set(
            &mut spec,
            "links",
            json!([{ "name": "Source", "url": options.repository }]),
        );
    }
    set(&mut spec, "icon", icon(bundle, problems));
    set(
        &mut spec,
        "replaces",
        options.replaces.clone().unwrap_or_default(),
    );
    set(&mut spec, "skips", json!(options.skips));
    set(&mut spec, "customresourcedefinitions", definitions);
    set(
        &mut spec,
        "install",
        json!({ "strategy": "deployment", "spec": install }),
    );
    set(
        &mut spec,
        "installModes",
        install_modes(bundle, &webhooks, problems),
    );
    set(&mut spec, "webhookdefinitions", webhooks);
    set(&mut spec, "relatedImages", related);
    Value::Object(spec)
}

fn contact(contact: &crate::Contact, address: &str) -> Value {
    let mut entry = Map::new();
    set(&mut entry, "name", contact.name.as_str());
    set(&mut entry, address, contact.address.as_str());
    Value::Object(entry)
}

fn maturity(version: &str) -> &'static str {
    match version {
        early if early.contains('-') || early.starts_with("0.") => "alpha",
        _ => "stable",
    }
}

fn install_modes(bundle: &Bundle<'_>, webhooks: &[Value], problems: &mut Problems) -> Value {
    let modes = &bundle.options.install_modes;
    if let Some(mode) = modes.iter().find(|mode| *mode != "AllNamespaces")
        && !webhooks.is_empty()
    {
        let message =
            format!("the install mode `{mode}` does not work with webhooks, which the whole cluster calls");
        problems.push(
            Problem::general_warning(Code::BundleMetadata, message)
                .help("set `install-modes = [\"AllNamespaces\"]` in `[bundle]` of `kgen.toml`"),
        );
    }
    let entries = INSTALL_MODES.iter().map(|mode| {
        let is_supported = modes.iter().any(|known| known == mode);
        json!({ "type": mode, "supported": is_supported })
    });
    entries.collect()
}

fn icon(bundle: &Bundle<'_>, problems: &mut Problems) -> Value {
    let Some(bytes) = &bundle.options.icon else {
        let message = "the bundle has no icon, so catalogs show a placeholder";
        problems.push(
            Problem::general_warning(Code::BundleMetadata, message)
                .help("set `icon` in `[bundle]` of `kgen.toml`"),
        );
        return Value::Null;
    };
    let Some(media_type) = metadata::media_type(bytes) else {
        let message = "the file of `icon` is not an SVG, PNG, JPEG or GIF image";
        problems.push(metadata_problem(message, "icon"));
        return Value::Null;
    };
    json!([{ "base64data": STANDARD.encode(bytes), "mediatype": media_type }])
}

/// Returns the oldest version of Kubernetes that accepts the CRDs.
fn kubernetes_version(bundle: &Bundle<'_>) -> String {
    if let Some(version) = &bundle.options.min_kube_version {
        return version.clone();
    }
    let has = |wanted: fn(&Value) -> bool| {
        bundle
            .kinds
            .iter()
            .flat_map(|kind| items(&kind.definition["spec"]["versions"]))
            .any(wanted)
    };
    if has(|version| version.get("selectableFields").is_some()) {
        "1.31.0".to_owned()
    } else if has(|version| has_rules(&version["schema"])) {
        "1.25.0".to_owned()
    } else {
        "1.16.0".to_owned()
    }
}

/// Returns whether a schema has CEL rules. A property may have that name too, but then it is not a list.
fn has_rules(schema: &Value) -> bool {
    match schema {
        Value::Object(entries) => entries
            .iter()
            .any(|(key, value)| key == "x-kubernetes-validations" && value.is_array() || has_rules(value)),
        Value::Array(entries) => entries.iter().any(has_rules),
        _ => false,
    }
}
