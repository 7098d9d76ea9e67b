//! Defaults of Services and of what is around them.

use serde_json::{Value, json};

use super::{each, or, part};
use crate::kind::remove;

pub(crate) fn endpoints(object: &mut Value) {
    each(object, "subsets", |subset| {
        each(subset, "ports", |port| or(port, "protocol", json!("TCP")));
    });
}

pub(crate) fn service(object: &mut Value) {
    if !object.get("spec").is_some_and(Value::is_object) {
        object["spec"] = json!({});
    }
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "sessionAffinity", json!("None"));
    or(spec, "type", json!("ClusterIP"));
    if spec["sessionAffinity"] == "ClientIP" {
        or(
            spec,
            "sessionAffinityConfig",
            json!({"clientIP": {"timeoutSeconds": 10800}}),
        );
    }
    each(spec, "ports", |port| {
        or(port, "protocol", json!("TCP"));
        let number = port.get("port").cloned();
        let is_missing = port
            .get("targetPort")
            .is_none_or(|target| target == 0 || target == "");
        if let Some(number) = number.filter(|_| is_missing) {
            port["targetPort"] = number;
        }
    });
    let kind = spec["type"].clone();
    if kind != "ExternalName" {
        or(spec, "internalTrafficPolicy", json!("Cluster"));
    }
    let has_addresses = spec
        .get("externalIPs")
        .and_then(Value::as_array)
        .is_some_and(|addresses| !addresses.is_empty());
    if kind == "NodePort" || kind == "LoadBalancer" || (kind == "ClusterIP" && has_addresses) {
        or(spec, "externalTrafficPolicy", json!("Cluster"));
    }
    if kind == "LoadBalancer" {
        or(spec, "allocateLoadBalancerNodePorts", json!(true));
    }
    or(object, "status", json!({"loadBalancer": {}}));
    addresses(object);
}

pub(crate) fn new_service(object: &mut Value) {
    object["status"] = json!({"loadBalancer": {}});
}

pub(crate) fn network_policy(object: &mut Value) {
    or(object, "spec", json!({}));
    let Some(spec) = part(object, "spec") else { return };
    for key in ["ingress", "egress"] {
        each(spec, key, |rule| {
            each(rule, "ports", |port| or(port, "protocol", json!("TCP")))
        });
    }
    let has_egress = spec
        .get("egress")
        .and_then(Value::as_array)
        .is_some_and(|rules| !rules.is_empty());
    let types = if has_egress {
        json!(["Ingress", "Egress"])
    } else {
        json!(["Ingress"])
    };
    or(spec, "policyTypes", types);
    or(spec, "podSelector", json!({}));
}

pub(crate) fn new_ingress(object: &mut Value) {
    object["status"] = json!({"loadBalancer": {}});
}

/// Fills in the addresses in the status of a Service or an Ingress.
pub(crate) fn addresses(object: &mut Value) {
    let is_service = object.get("kind").is_some_and(|kind| kind == "Service");
    if let Some(balancer) = object.pointer_mut("/status/loadBalancer") {
        each(balancer, "ingress", |point| {
            if is_service && point.get("ip").is_some_and(|address| address != "") {
                or(point, "ipMode", json!("VIP"));
            }
        });
    }
}

/// A Service that becomes external loses its address.
pub(crate) fn changed_service(object: &mut Value, old: &Value) {
    let kind = |object: &Value| object.pointer("/spec/type").cloned();
    if kind(object) == Some(json!("ExternalName"))
        && kind(old) != kind(object)
        && let Some(spec) = object.get_mut("spec")
    {
        let keys = [
            "clusterIP",
            "clusterIPs",
            "ipFamilies",
            "ipFamilyPolicy",
            "internalTrafficPolicy",
        ];
        keys.iter().for_each(|key| remove(spec, key));
    }
}

pub(crate) fn endpoint_slice(object: &mut Value) {
    each(object, "ports", |port| {
        or(port, "name", json!(""));
        or(port, "protocol", json!("TCP"));
    });
}

pub(crate) fn ingress_class(object: &mut Value) {
    if let Some(parameters) = object
        .pointer_mut("/spec/parameters")
        .filter(|parameters| parameters.is_object())
    {
        or(parameters, "scope", json!("Cluster"));
    }
}
