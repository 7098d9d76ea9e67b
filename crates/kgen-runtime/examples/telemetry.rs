//! The logging of a program that also exports its spans to OpenTelemetry, for the book's runtime guide.
//!
//! ```text
//! cargo run -p kgen-runtime --example telemetry --features otel
//! ```

use std::error::Error;

use kgen_runtime::telemetry::Telemetry;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt};

// ANCHOR: telemetry
/// Starts logging, and the export of spans if a collector is given.
fn start_logging(endpoint: Option<&str>) -> Result<Option<Telemetry>, Box<dyn Error>> {
    let telemetry = endpoint
        .map(|endpoint| Telemetry::to_collector("secret-operator", endpoint))
        .transpose()?;
    tracing_subscriber::registry()
        .with(EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")))
        .with(fmt::layer().with_writer(std::io::stderr))
        .with(telemetry.as_ref().map(Telemetry::layer))
        .init();
    Ok(telemetry)
}

fn main() -> Result<(), Box<dyn Error>> {
    let endpoint = std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok();
    let telemetry = start_logging(endpoint.as_deref())?;
    operate();
    // The last spans are in a batch that is not full.
    telemetry.map_or(Ok(()), Telemetry::finish)?;
    Ok(())
}
// ANCHOR_END: telemetry

fn operate() {
    tracing::info_span!("reconcile", controller = "secrets", object = "default/colors").in_scope(|| {
        tracing::info!("reconciled");
    });
}
