//! The values in the Deployment of the operator.

use kgen_manifests::{WATCH_NAMESPACE, is_watch_flag};

use super::Context;
use crate::operator::text;
use crate::tree::{Condition, Expression, Item, Node, Part};

impl Context<'_> {
    /// Puts the values into the Deployment. Each appears once.
    pub(super) fn deployment(&self, node: &mut Node) {
        let Some(spec) = node.get("spec") else { return };
        spec.set("replicas", Node::Plain(Expression::value("replicas")));
        let Some(template) = spec.get("template") else {
            return;
        };
        if template.get("metadata").is_none() {
            template.set("metadata", Node::Data(serde_json::json!({})));
        }
        if let Some(metadata) = template.get("metadata") {
            metadata.set_block("annotations", "podAnnotations");
            let wanted = self.operator.deployment.value["spec"]["selector"]["matchLabels"].clone();
            let own = self.own_labels(&wanted);
            metadata.set("labels", Node::Block(Expression::Labels("podLabels", own)));
        }
        let Some(pod) = template.get("spec") else { return };
        pod.set(
            "serviceAccountName",
            Node::Quoted(Expression::Include("serviceAccountName")),
        );
        for (key, path) in [
            ("affinity", "affinity"),
            ("imagePullSecrets", "imagePullSecrets"),
            ("nodeSelector", "nodeSelector"),
            ("securityContext", "podSecurityContext"),
            ("tolerations", "tolerations"),
            ("topologySpreadConstraints", "topologySpreadConstraints"),
        ] {
            pod.set_block(key, path);
        }
        pod.set_if(
            Some(Condition::set("priorityClassName")),
            "priorityClassName",
            Node::Quoted(Expression::value("priorityClassName")),
        );
        pod.push("volumes", Item::all_of("extraVolumes"));
        let certificate = self.certificate_volume();
        for volume in pod.get("volumes").map(Node::items).unwrap_or_default() {
            let is_certificate = is_named(volume, certificate);
            if is_certificate {
                if let Some(name) = volume.node().and_then(|node| node.at(&["secret", "secretName"])) {
                    *name = Node::Quoted(Expression::Include("webhookSecret"));
                }
                guard(volume, "webhook.enabled");
            }
        }
        let index = self.operator.container;
        let containers = pod.get("containers").map(Node::items).unwrap_or_default();
        if let Some(container) = containers.get_mut(index).and_then(Item::node) {
            self.container(container);
        }
    }

    fn container(&self, container: &mut Node) {
        container.set("image", Node::Quoted(Expression::Include("image")));
        container.set_if(
            Some(Condition::set("image.pullPolicy")),
            "imagePullPolicy",
            Node::Quoted(Expression::value("image.pullPolicy")),
        );
        container.set_block("resources", "resources");
        container.set_block("securityContext", "securityContext");
        container.push("args", Item::all_of("extraArgs"));
        let mut value_of_flag: Option<&'static str> = None;
        for argument in container.get("args").map(Node::items).unwrap_or_default() {
            let given = argument
                .node()
                .map(|node| node.as_text().to_owned())
                .unwrap_or_default();
            let has = |prefix: &str| given.starts_with(prefix);
            let switch = if has("--webhook") && self.operator.webhooks.is_some() {
                Some("webhook.enabled")
            } else if has("--metrics") && self.operator.metrics.is_some() {
                Some("metrics.enabled")
            } else {
                None
            };
            // `--flag VALUE` is two arguments.
            let of_flag = value_of_flag.take().filter(|_| !has("-"));
            if let Some(path) = switch.or(of_flag) {
                value_of_flag = switch.filter(|_| !given.contains('='));
                guard(argument, path);
            } else if has("--leader-elect") && self.operator.leader_election.is_some() {
                if let Some(node) = argument.node().filter(|_| given == "--leader-elect=false") {
                    *node = Node::text("--leader-elect");
                }
                guard(argument, "leaderElection.enabled");
            }
        }
        watched_arguments(container);
        self.ports(container);
        for variable in container.get("env").map(Node::items).unwrap_or_default() {
            if is_named(variable, Some(WATCH_NAMESPACE)) {
                let unset = Condition::set("watchNamespaces").negated();
                variable.condition = Some(unset.and(variable.condition.take()));
            }
        }
        let mut watched = Node::Data(serde_json::json!({ "name": WATCH_NAMESPACE }));
        watched.set(
            "value",
            Node::Quoted(Expression::Joined("watchNamespaces".to_owned())),
        );
        container.push("env", Item::one(watched).when(Condition::set("watchNamespaces")));
        container.push("env", Item::all_of("extraEnv"));
        container.push("volumeMounts", Item::all_of("extraVolumeMounts"));
        let certificate = self.certificate_volume();
        for mount in container.get("volumeMounts").map(Node::items).unwrap_or_default() {
            if is_named(mount, certificate) {
                guard(mount, "webhook.enabled");
            }
        }
    }

    fn ports(&self, container: &mut Node) {
        let metrics = self
            .operator
            .metrics
            .as_ref()
            .and_then(|metrics| metrics.container_port);
        let webhook = self.operator.webhooks.as_ref().and_then(|webhooks| webhooks.port);
        for port in container.get("ports").map(Node::items).unwrap_or_default() {
            let number = match port.node().and_then(|node| node.get("containerPort")) {
                Some(Node::Data(value)) => value.as_i64(),
                _ => None,
            };
            if number.is_some() && number == webhook {
                guard(port, "webhook.enabled");
            } else if number.is_some() && number == metrics {
                guard(port, "metrics.enabled");
            }
        }
    }

    /// Returns the name of the volume with the certificate of the webhooks.
    fn certificate_volume(&self) -> Option<&str> {
        self.operator.webhooks.as_ref()?.volume.map(|(name, _)| name)
    }
}

/// Lets `watchNamespaces` replace the arguments with namespaces, written as `--flag=VALUE` or as `--flag VALUE`.
fn watched_arguments(container: &mut Node) {
    let Some(arguments) = container.get("args").and_then(Node::list) else {
        return;
    };
    let text_of = |item: Option<&mut Item>| Some(item?.node()?.as_text().to_owned());
    let watched = Condition::set("watchNamespaces");
    let mut flags: Vec<String> = Vec::new();
    let mut new = Vec::new();
    let mut old = std::mem::take(arguments).into_iter().peekable();
    while let Some(mut item) = old.next() {
        let given = text_of(Some(&mut item)).unwrap_or_default();
        let (flag, has_value) = match given.split_once('=') {
            Some((flag, _)) => (flag.to_owned(), true),
            None => (given, false),
        };
        let value = text_of(old.peek_mut()).filter(|value| !value.starts_with('-'));
        if !is_watch_flag(&flag) || !has_value && value.is_none() {
            new.push(item);
            continue;
        }
        new.push(item.when(watched.clone().negated()));
        if !has_value {
            new.extend(old.next().map(|value| value.when(watched.clone().negated())));
        }
        // An argument that is repeated becomes one with all namespaces.
        if !flags.contains(&flag) {
            let namespaces = Expression::Joined("watchNamespaces".to_owned());
            let parts = vec![Part::Text(format!("{flag}=")), Part::Expression(namespaces)];
            new.push(Item::one(Node::Text(parts)).when(watched.clone()));
            flags.push(flag);
        }
    }
    *arguments = new;
}

fn is_named(item: &mut Item, name: Option<&str>) -> bool {
    let own = item.node().and_then(|node| node.get("name"));
    own.is_some_and(|own| Some(own.as_text()) == name)
}

fn guard(item: &mut Item, path: &str) {
    let condition = Condition::set(path);
    item.condition = Some(condition.and(item.condition.take()));
}

/// Returns the repository, the tag and the digest of an image.
pub(crate) fn image_parts(image: &serde_json::Value) -> (String, String, String) {
    let whole = text(image);
    let (rest, digest) = whole.split_once('@').unwrap_or((whole, ""));
    // The port of a registry is not a tag.
    let (repository, tag) = match rest.rsplit_once(':') {
        Some((repository, tag)) if !tag.contains('/') => (repository, tag),
        _ => (rest, ""),
    };
    (repository.to_owned(), tag.to_owned(), digest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_three_parts() {
        let parts = |image: &str| image_parts(&image.into());
        let text = |texts: [&str; 3]| -> (String, String, String) {
            let [a, b, c] = texts.map(str::to_owned);
            (a, b, c)
        };
        assert_eq!(parts("controller:latest"), text(["controller", "latest", ""]));
        assert_eq!(parts("host:5000/a"), text(["host:5000/a", "", ""]));
        assert_eq!(
            parts("host:5000/a:v1@sha256:12"),
            text(["host:5000/a", "v1", "sha256:12"])
        );
    }
}
