//! Two versions of a kind, and the conversion between them.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;

/// The translations of the author.
pub struct Rules;

impl generated::conversion::WidgetConversion for Rules {
    fn v2_widget_spec_memory_bytes(memory: String) -> i64 {
        memory.parse().unwrap_or_default()
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

/// Returns the conversion with these translations.
pub fn widgets() -> kgen_runtime::conversion::Conversion {
    generated::conversion::widget::<Rules>()
}
