//! The conversion of the case `conversion` with the translations of an author.

use kgen_compiled::conversion::{WidgetConversion, widget};
use kgen_runtime::conversion::Checks;
use serde_json::json;

struct Rules;

impl WidgetConversion for Rules {
    fn v2_widget_spec_memory_bytes(memory: String) -> i64 {
        match memory.strip_suffix("Gi") {
            Some(number) => number.parse::<i64>().unwrap_or_default().saturating_mul(1 << 30),
            None => memory.parse().unwrap_or_default(),
        }
    }

    fn v1_widget_spec_memory(memory_bytes: i64) -> String {
        memory_bytes.to_string()
    }

    fn v2_widget_spec_host_port(address: String) -> (String, u16) {
        let (host, port) = address.rsplit_once(':').unwrap_or((&address, "80"));
        (host.to_owned(), port.parse().unwrap_or(80))
    }

    fn v1_widget_spec_address(host: String, port: u16) -> String {
        format!("{host}:{port}")
    }
}

#[test]
fn objects_are_converted_in_both_directions() {
    let old = json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "a"},
        "spec": {
            "size": 3,
            "memory": "1Gi",
            "address": "localhost:8080",
            "strategy": "Rolling",
            "note": "hello",
            "tlsSecret": "certificate",
            "ports": [{"name": "http", "port": 80}],
        },
    });
    let conversion = widget::<Rules>();
    let new = conversion.convert_json(old.clone(), "v2").unwrap();
    assert_eq!(
        new["spec"],
        json!({
            "replicas": 3,
            "memoryBytes": 1_073_741_824,
            "host": "localhost",
            "port": 8080,
            "strategy": "Rolling",
            "tls": {"secret": "certificate"},
            "ports": [{"name": "http", "number": 80}],
            "priority": 5,
        })
    );
    assert_eq!(conversion.convert_json(new, "v1").unwrap(), old);
}

#[test]
fn the_laws_hold() {
    widget::<Rules>().check(Checks::default()).unwrap();
}
