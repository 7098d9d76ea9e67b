//! Rules of Services and of what is around them.

use std::collections::BTreeSet;
use std::net::IpAddr;

use kgen_schema::{FieldError, names};
use serde::Serialize;
use serde_json::Value;

use super::containers::PROTOCOLS;
use super::errors::{
    Errors, duplicate, forbidden, has, invalid, is_empty, items, labels, named, one_of, port,
    port_name_mistakes, port_number, required, selector, text, unchanged,
};

const ADDRESS: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const RANGE: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/// A port that exists twice, as Go prints it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Port<'o> {
    name: &'static str,
    protocol: &'o str,
    app_protocol: Option<&'static str>,
    port: i64,
    target_port: i64,
    node_port: i64,
}

fn is_address(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

fn is_range(text: &str) -> bool {
    text.split_once('/').is_some_and(|(address, bits)| {
        let most = match address.parse::<IpAddr>() {
            Ok(IpAddr::V4(_)) => 32,
            Ok(IpAddr::V6(_)) => 128,
            Err(_) => return false,
        };
        bits.parse::<u8>().is_ok_and(|bits| bits <= most)
    })
}

pub(super) fn service(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let kind = text(spec, "type");
    let is_headless = text(spec, "clusterIP") == "None";
    let ports = items(spec, "ports");
    if ports.is_empty() && !is_headless && kind != "ExternalName" {
        required(errors, "spec.ports", "");
    }
    if is_headless && matches!(kind, "LoadBalancer" | "NodePort") {
        let detail = format!("may not be set to 'None' for {kind} services");
        invalid(errors, "spec.clusterIPs[0]", "None", detail);
    }
    if kind == "ExternalName" {
        match text(spec, "externalName").trim_end_matches('.') {
            "" => required(errors, "spec.externalName", ""),
            name => named(errors, "spec.externalName", name, names::subdomain_mistakes(name)),
        }
    }
    service_ports(spec, ports, errors);
    labels(errors, spec.get("selector"), "spec.selector");
    let affinity = text(spec, "sessionAffinity");
    one_of(errors, "spec.sessionAffinity", affinity, &["ClientIP", "None"]);
    if affinity == "None" && has(spec, "sessionAffinityConfig") {
        let detail = "must not be set when session affinity is None";
        forbidden(errors, "spec.sessionAffinityConfig", detail);
    }
    addresses(spec, kind, errors);
    let kinds = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
    one_of(errors, "spec.type", kind, &kinds);
    balancing(spec, kind, errors);
    if let Some(policy) = spec.get("internalTrafficPolicy").and_then(Value::as_str) {
        one_of(
            errors,
            "spec.internalTrafficPolicy",
            policy,
            &["Cluster", "Local"],
        );
    }
    let Some(old) = old.and_then(|old| old.get("spec")) else {
        return;
    };
    let is_external = kind == "ExternalName" || text(old, "type") == "ExternalName";
    let stays_headless = is_headless && text(old, "clusterIP") == "None";
    if !is_external && !stays_headless {
        let (new, old) = (items(spec, "clusterIPs"), items(old, "clusterIPs"));
        if new.first() != old.first() && !old.is_empty() {
            invalid(errors, "spec.clusterIPs[0]", new, "may not change once set");
        }
    }
}

fn service_ports(spec: &Value, ports: &[Value], errors: &mut Errors) {
    let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (index, service_port) in ports.iter().enumerate() {
        let field = format!("spec.ports[{index}]");
        let name = text(service_port, "name");
        if name.is_empty() && ports.len() > 1 {
            required(errors, format!("{field}.name"), "");
        } else if !name.is_empty() {
            named(
                errors,
                &format!("{field}.name"),
                name,
                names::label_mistakes(name),
            );
            if !seen.insert(name) {
                duplicate(errors, format!("{field}.name"), name);
            }
        }
        let number = service_port.get("port").and_then(Value::as_i64).unwrap_or(0);
        port_number(errors, format!("{field}.port"), number);
        let protocol = text(service_port, "protocol");
        one_of(errors, format!("{field}.protocol"), protocol, &PROTOCOLS);
        port(
            errors,
            &format!("{field}.targetPort"),
            service_port.get("targetPort"),
        );
        if let Some(name) = service_port.get("appProtocol").and_then(Value::as_str) {
            named(
                errors,
                &format!("{field}.appProtocol"),
                name,
                names::key_mistakes(name),
            );
        }
        let node_port = service_port.get("nodePort").and_then(Value::as_i64).unwrap_or(0);
        if node_port != 0 && text(spec, "type") == "ClusterIP" {
            let detail = "may not be used when `type` is 'ClusterIP'";
            forbidden(errors, format!("{field}.nodePort"), detail);
        }
        if !used.insert((protocol, number)) {
            let port = Port {
                name: "",
                protocol,
                app_protocol: None,
                port: number,
                target_port: 0,
                node_port: 0,
            };
            duplicate(errors, field, &port);
        }
    }
}

fn addresses(spec: &Value, kind: &str, errors: &mut Errors) {
    if kind != "ExternalName" {
        for (index, address) in items(spec, "clusterIPs").iter().enumerate() {
            let address = address.as_str().unwrap_or_default();
            if address != "None" && !is_address(address) {
                invalid(errors, format!("spec.clusterIPs[{index}]"), address, ADDRESS);
            }
        }
        if let Some(policy) = spec.get("ipFamilyPolicy").and_then(Value::as_str) {
            let supported = ["PreferDualStack", "RequireDualStack", "SingleStack"];
            one_of(errors, "spec.ipFamilyPolicy", policy, &supported);
        }
        for (index, family) in items(spec, "ipFamilies").iter().enumerate() {
            if family == "IPv6" && text(spec, "clusterIP") != "None" {
                let detail = "not configured on this cluster";
                invalid(errors, format!("spec.ipFamilies[{index}]"), family, detail);
            }
        }
    }
    for (index, address) in items(spec, "externalIPs").iter().enumerate() {
        if !address.as_str().is_some_and(is_address) {
            invalid(errors, format!("spec.externalIPs[{index}]"), address, ADDRESS);
        }
    }
}

fn balancing(spec: &Value, kind: &str, errors: &mut Errors) {
    let detail = "may only be used when `type` is 'LoadBalancer'";
    let ranges = items(spec, "loadBalancerSourceRanges");
    if kind != "LoadBalancer" {
        for (key, field) in [
            ("loadBalancerSourceRanges", "spec.LoadBalancerSourceRanges"),
            (
                "allocateLoadBalancerNodePorts",
                "spec.allocateLoadBalancerNodePorts",
            ),
            ("loadBalancerClass", "spec.loadBalancerClass"),
        ] {
            if spec.get(key).is_some_and(|value| !is_empty(value)) {
                forbidden(errors, field, detail);
            }
        }
    }
    for (index, range) in ranges.iter().enumerate() {
        let range = range.as_str().unwrap_or_default().trim();
        if !is_range(range) {
            invalid(
                errors,
                format!("spec.LoadBalancerSourceRanges[{index}]"),
                range,
                RANGE,
            );
        }
    }
    let is_reachable = matches!(kind, "LoadBalancer" | "NodePort") || !items(spec, "externalIPs").is_empty();
    let policy = text(spec, "externalTrafficPolicy");
    if !is_reachable && !policy.is_empty() {
        let detail = "may only be set for externally-accessible services";
        invalid(errors, "spec.externalTrafficPolicy", policy, detail);
    } else if is_reachable {
        one_of(
            errors,
            "spec.externalTrafficPolicy",
            policy,
            &["Cluster", "Local"],
        );
    }
    let health = spec
        .get("healthCheckNodePort")
        .and_then(Value::as_i64)
        .unwrap_or(0);
    if health != 0 && !(kind == "LoadBalancer" && policy == "Local") {
        let detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
        invalid(errors, "spec.healthCheckNodePort", &health, detail);
    }
}

/// Checks the status of a Service or an Ingress.
pub(super) fn status(object: &Value, errors: &mut Errors) {
    let ingress = object
        .pointer("/status/loadBalancer")
        .map(|balancer| items(balancer, "ingress"));
    let kind = object.pointer("/spec/type").and_then(Value::as_str);
    if ingress.is_some_and(|points| !points.is_empty())
        && object.get("kind").is_some_and(|kind| kind == "Service")
        && kind != Some("LoadBalancer")
    {
        let detail = "may only be used when `spec.type` is 'LoadBalancer'";
        forbidden(errors, "status.loadBalancer.ingress", detail);
    }
    for (index, point) in ingress.unwrap_or_default().iter().enumerate() {
        let address = text(point, "ip");
        if !address.is_empty() && !is_address(address) {
            let field = format!("status.loadBalancer.ingress[{index}].ip");
            invalid(errors, field, address, ADDRESS);
        }
    }
}

pub(super) fn endpoints(object: &Value, errors: &mut Errors) {
    for (index, subset) in items(object, "subsets").iter().enumerate() {
        let field = format!("subsets[{index}]");
        let lists = ["addresses", "notReadyAddresses"];
        if lists.iter().all(|key| items(subset, key).is_empty()) {
            required(errors, &field, "must specify `addresses` or `notReadyAddresses`");
        }
        for key in lists {
            for (position, address) in items(subset, key).iter().enumerate() {
                let address = text(address, "ip");
                if !is_address(address) {
                    let field = format!("{field}.{key}[{position}].ip");
                    invalid(errors, &field, address, ADDRESS);
                    invalid(errors, &field, address, "must be a valid IP address");
                }
            }
        }
    }
}

pub(super) fn slice(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    one_of(
        errors,
        "addressType",
        text(object, "addressType"),
        &["FQDN", "IPv4", "IPv6"],
    );
    for (index, endpoint) in items(object, "endpoints").iter().enumerate() {
        if items(endpoint, "addresses").is_empty() {
            let detail = "must contain at least 1 address";
            required(errors, format!("endpoints[{index}].addresses"), detail);
        }
    }
    if let Some(old) = old {
        let key = "addressType";
        unchanged(errors, key, object.get(key), old.get(key));
    }
}

pub(super) fn ingress(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let rules = items(spec, "rules");
    let default = spec.get("defaultBackend").filter(|backend| backend.is_object());
    if rules.is_empty() && default.is_none() {
        let detail = "either `defaultBackend` or `rules` must be specified";
        invalid(errors, "spec", &Value::Null, detail);
    }
    if let Some(backend) = default {
        self::backend(errors, backend, "spec.defaultBackend");
    }
    for (index, rule) in rules.iter().enumerate() {
        let field = format!("spec.rules[{index}]");
        let host = text(rule, "host");
        if is_address(host) {
            let detail = "must be a DNS name, not an IP address";
            invalid(errors, format!("{field}.host"), host, detail);
        }
        if !host.is_empty() && !host.contains('*') {
            named(
                errors,
                &format!("{field}.host"),
                host,
                names::subdomain_mistakes(host),
            );
        }
        let Some(http) = rule.get("http").filter(|http| http.is_object()) else {
            continue;
        };
        let paths = items(http, "paths");
        if paths.is_empty() {
            required(errors, format!("{field}.http.paths"), "");
        }
        for (position, path) in paths.iter().enumerate() {
            self::path(errors, path, &format!("{field}.http.paths[{position}]"));
        }
    }
    for (index, entry) in items(spec, "tls").iter().enumerate() {
        for (position, host) in items(entry, "hosts").iter().enumerate() {
            let host = host.as_str().unwrap_or_default();
            let field = format!("spec.tls[{index}].hosts[{position}]");
            if !host.contains('*') {
                named(errors, &field, host, names::subdomain_mistakes(host));
            }
        }
    }
    if let Some(class) = spec.get("ingressClassName").and_then(Value::as_str) {
        named(
            errors,
            "spec.ingressClassName",
            class,
            names::subdomain_mistakes(class),
        );
    }
}

fn path(errors: &mut Errors, path: &Value, field: &str) {
    let value = text(path, "path");
    match text(path, "pathType") {
        "" => return required(errors, format!("{field}.pathType"), "pathType must be specified"),
        "Exact" | "Prefix" if !value.starts_with('/') => {
            invalid(errors, format!("{field}.path"), value, "must be an absolute path");
        }
        "ImplementationSpecific" if !value.is_empty() && !value.starts_with('/') => {
            invalid(errors, format!("{field}.path"), value, "must be an absolute path");
        }
        "Exact" | "Prefix" | "ImplementationSpecific" => {}
        other => {
            let supported = ["Exact", "ImplementationSpecific", "Prefix"];
            errors.push(FieldError::not_supported(
                format!("{field}.pathType"),
                other,
                &supported,
            ));
        }
    }
    let nothing = Value::Null;
    backend(
        errors,
        path.get("backend").unwrap_or(&nothing),
        &format!("{field}.backend"),
    );
}

fn backend(errors: &mut Errors, backend: &Value, field: &str) {
    let (service, has_resource) = (backend.get("service"), has(backend, "resource"));
    let Some(service) = service.filter(|service| service.is_object()) else {
        if !has_resource {
            invalid(errors, field, "", "resource or service backend is required");
        }
        return;
    };
    if has_resource {
        invalid(errors, field, "", "cannot set both resource and service backends");
        return;
    }
    match text(service, "name") {
        "" => required(errors, format!("{field}.service.name"), ""),
        name => named(
            errors,
            &format!("{field}.service.name"),
            name,
            names::label_mistakes(name),
        ),
    }
    let nothing = Value::Null;
    let port = service.get("port").unwrap_or(&nothing);
    let (name, number) = (
        text(port, "name"),
        port.get("number").and_then(Value::as_i64).unwrap_or(0),
    );
    match (name, number) {
        ("", 0) => required(errors, field, "port name or number is required"),
        ("", number) => port_number(errors, format!("{field}.service.port.number"), number),
        (name, 0) => {
            let field = format!("{field}.service.port.name");
            named(errors, &field, name, port_name_mistakes(name));
        }
        _ => invalid(errors, field, "", "cannot set both port name & port number"),
    }
}

pub(super) fn class(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let controller = object.pointer("/spec/controller");
    let text = controller.and_then(Value::as_str).unwrap_or_default();
    if text.is_empty() {
        required(errors, "spec.controller", "");
    } else if text
        .split_once('/')
        .is_none_or(|(domain, path)| domain.is_empty() || path.is_empty())
    {
        let detail = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        invalid(errors, "spec.controller", text, detail);
    }
    if let Some(old) = old {
        unchanged(
            errors,
            "spec.controller",
            controller,
            old.pointer("/spec/controller"),
        );
    }
}

pub(super) fn policy(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    if let Some(wanted) = spec.get("podSelector") {
        selector(errors, wanted, "spec.podSelector");
    }
    for (key, peers) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in items(spec, key).iter().enumerate() {
            let field = format!("spec.{key}[{index}]");
            for (position, port) in items(rule, "ports").iter().enumerate() {
                let field = format!("{field}.ports[{position}]");
                let protocol = text(port, "protocol");
                if !protocol.is_empty() {
                    let supported = ["TCP", "UDP", "SCTP"];
                    one_of(errors, format!("{field}.protocol"), protocol, &supported);
                }
                if has(port, "port") {
                    self::port(errors, &format!("{field}.port"), port.get("port"));
                }
            }
            for (position, peer) in items(rule, peers).iter().enumerate() {
                self::peer(errors, peer, &format!("{field}.{peers}[{position}]"));
            }
        }
    }
    let kinds = items(spec, "policyTypes");
    if kinds.len() > 2 {
        invalid(
            errors,
            "spec.policyTypes",
            kinds,
            "may not specify more than two policyTypes",
        );
        return;
    }
    for (index, kind) in kinds.iter().enumerate() {
        let kind = kind.as_str().unwrap_or_default();
        if !matches!(kind, "Ingress" | "Egress") {
            let field = format!("spec.policyTypes[{index}]");
            errors.push(FieldError::not_supported(field, kind, &["Ingress", "Egress"]));
        }
    }
}

fn peer(errors: &mut Errors, peer: &Value, field: &str) {
    let mut count = 0;
    for key in ["podSelector", "namespaceSelector"] {
        if let Some(wanted) = peer.get(key).filter(|wanted| wanted.is_object()) {
            count += 1;
            selector(errors, wanted, &format!("{field}.{key}"));
        }
    }
    match peer.get("ipBlock").filter(|block| block.is_object()) {
        Some(block) => {
            match text(block, "cidr") {
                "" => required(errors, format!("{field}.ipBlock.cidr"), ""),
                range if !is_range(range) => {
                    invalid(errors, format!("{field}.ipBlock.cidr"), range, RANGE);
                }
                _ => {}
            }
            if count > 0 {
                forbidden(errors, field, "may not specify both ipBlock and another peer");
            }
        }
        None if count == 0 => required(errors, field, "must specify a peer"),
        None => {}
    }
}
