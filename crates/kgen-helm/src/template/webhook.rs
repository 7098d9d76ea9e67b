//! Webhook configurations, certificates and CRDs with conversion.

use kgen_manifests::Object;
use serde_json::json;

use super::Context;
use crate::operator::{INJECT, text};
use crate::tree::{Condition, Expression, Item, Node};

/// The annotation that keeps an object when the chart is uninstalled.
const KEEP: &str = "helm.sh/resource-policy";

/// Returns when cert-manager issues the certificate.
pub(super) fn by_cert_manager() -> Condition {
    Condition::set("webhook.enabled").and(Some(Condition::is("webhook.certificate", "cert-manager")))
}

fn not_by_cert_manager() -> Condition {
    Condition::is("webhook.certificate", "cert-manager").negated()
}

impl Context<'_> {
    /// Returns whether an object of cert-manager exists only for the webhooks.
    pub(super) fn is_for_webhooks(&self, object: &Object) -> bool {
        let Some(own) = self
            .operator
            .webhooks
            .as_ref()
            .and_then(|webhooks| webhooks.certificate)
        else {
            return false;
        };
        match object.kind() {
            "Certificate" => std::ptr::eq(own, object),
            "Issuer" => {
                let issuer = |certificate: &Object| {
                    text(&certificate.value["spec"]["issuerRef"]["name"]) == object.name()
                };
                let mut users = self.operator.manifests.certificates().filter(|user| issuer(user));
                issuer(own) && users.all(|user| std::ptr::eq(user, own))
            }
            _ => false,
        }
    }

    pub(super) fn webhook_configuration(&self, node: &mut Node, object: &Object) {
        self.inject(node, object, None);
        for webhook in node.get("webhooks").map(Node::items).unwrap_or_default() {
            if let Some(client) = webhook.node().and_then(|node| node.get("clientConfig")) {
                self.authority(client);
            }
        }
    }

    /// Puts the values into a CRD.
    pub(super) fn definition(&self, node: &mut Node, object: &Object) {
        if let Some(metadata) = node.get("metadata") {
            if metadata.get("annotations").is_none() {
                metadata.set("annotations", Node::Map(Vec::new()));
            }
            if let Some(annotations) = metadata.get("annotations") {
                annotations.set_if(Some(Condition::set("crds.keep")), KEEP, Node::text("keep"));
            }
        }
        if self.operator.webhooks.is_none() {
            return;
        }
        let converts = node
            .at(&["spec", "conversion", "webhook", "clientConfig"])
            .is_some();
        if converts {
            self.inject(node, object, Some("webhook.enabled"));
            if let Some(client) = node.at(&["spec", "conversion", "webhook", "clientConfig"]) {
                self.authority(client);
            }
            if let Some(spec) = node.get("spec") {
                spec.guard("conversion", Condition::set("webhook.enabled"));
            }
        }
    }

    /// Lets cert-manager inject its CA, if it issues the certificate.
    fn inject(&self, node: &mut Node, object: &Object, also: Option<&str>) {
        let Some(volume) = self
            .operator
            .webhooks
            .as_ref()
            .map(|webhooks| webhooks.volume.is_some())
        else {
            return;
        };
        let has_annotation = !object.value["metadata"]["annotations"][INJECT].is_null();
        let Some(metadata) = node.get("metadata") else {
            return;
        };
        if !has_annotation {
            if !volume {
                return;
            }
            if metadata.get("annotations").is_none() {
                metadata.set("annotations", Node::Map(Vec::new()));
            }
            let reference = self.certificate_reference();
            if let Some(annotations) = metadata.get("annotations") {
                annotations.set(INJECT, reference);
            }
        }
        if let Some(annotations) = metadata.get("annotations") {
            let condition = Condition::is("webhook.certificate", "cert-manager");
            annotations.guard(INJECT, condition.and(also.map(Condition::set)));
        }
    }

    /// Sets the CA of the certificate, if cert-manager does not inject it.
    fn authority(&self, client: &mut Node) {
        let has_volume = self
            .operator
            .webhooks
            .as_ref()
            .is_some_and(|webhooks| webhooks.volume.is_some());
        if client.get("service").is_none() || !has_volume {
            return;
        }
        client.set_if(
            Some(not_by_cert_manager()),
            "caBundle",
            Node::Quoted(Expression::Include("webhookAuthority")),
        );
    }

    /// Returns the Secret that the chart creates itself.
    pub(super) fn self_signed(&self) -> Node {
        let mut node =
            Node::Data(json!({ "apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls" }));
        let mut metadata = self.own_metadata(Node::Quoted(Expression::Include("webhookSecret")));
        metadata.set("namespace", Node::Quoted(Expression::Namespace));
        node.set("metadata", metadata);
        node.set("data", Node::Block(Expression::Include("webhookSelfSigned")));
        node
    }

    /// Returns an Issuer and a Certificate for manifests that have none.
    pub(super) fn issued(&self, service: &Object) -> [Node; 2] {
        let issuer = Expression::Name("webhook-issuer".to_owned());
        let mut first = Node::Data(json!({
            "apiVersion": "cert-manager.io/v1", "kind": "Issuer", "spec": { "selfSigned": {} },
        }));
        let mut metadata = self.own_metadata(Node::Quoted(issuer.clone()));
        metadata.set("namespace", Node::Quoted(Expression::Namespace));
        first.set("metadata", metadata);
        let mut second = Node::Data(json!({
            "apiVersion": "cert-manager.io/v1",
            "kind": "Certificate",
            "spec": { "issuerRef": { "kind": "Issuer" } },
        }));
        let mut metadata = self.own_metadata(Node::Quoted(Expression::Name(CERTIFICATE.to_owned())));
        metadata.set("namespace", Node::Quoted(Expression::Namespace));
        second.set("metadata", metadata);
        if let Some(spec) = second.get("spec") {
            for zone in ["svc", "svc.cluster.local"] {
                let host = format!("{}.{}.{zone}", service.name(), service.namespace());
                let host = self.names.host(&host).unwrap_or_else(|| Node::text(&host));
                spec.push("dnsNames", Item::one(host));
            }
            spec.set("secretName", Node::Quoted(Expression::Include("webhookSecret")));
            if let Some(reference) = spec.get("issuerRef") {
                reference.set("name", Node::Quoted(issuer));
            }
        }
        [first, second]
    }

    fn certificate_reference(&self) -> Node {
        use crate::tree::Part;
        let certificate = self
            .operator
            .webhooks
            .as_ref()
            .and_then(|webhooks| webhooks.certificate);
        let name = match certificate {
            Some(certificate) => self.names.expression(certificate.name()),
            None => Expression::Name(CERTIFICATE.to_owned()),
        };
        Node::Text(vec![
            Part::Expression(Expression::Namespace),
            Part::Text("/".to_owned()),
            Part::Expression(name),
        ])
    }
}

/// The suffix of the Certificate of the chart.
const CERTIFICATE: &str = "webhook-certificate";
