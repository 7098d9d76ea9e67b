//! The metrics of webhooks, with the names of controller-runtime.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The metrics of one webhook.
#[derive(Clone, Debug)]
pub(crate) struct WebhookMetrics {
    webhook: String,
    requests: Family<Answered, Counter>,
    latency: Histogram,
    in_flight: Gauge,
    pub(crate) panics: Counter,
}

/// The metrics of a certificate that is read from disk.
#[derive(Clone, Debug)]
pub(crate) struct CertificateMetrics {
    pub(crate) reads: Counter,
    pub(crate) errors: Counter,
}

/// Which webhook, by its path.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Served {
    webhook: String,
}

/// The webhook, and the HTTP status of its response.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Answered {
    webhook: String,
    code: u16,
}

/// The metrics of all webhooks.
pub(super) struct Families {
    requests: Family<Answered, Counter>,
    latency: Family<Served, Histogram, fn() -> Histogram>,
    in_flight: Family<Served, Gauge>,
    panics: Family<Served, Counter>,
    conversion_panics: Family<Served, Counter>,
    certificate: CertificateMetrics,
    body_bytes: Gauge,
}

/// The ends of the buckets of latencies, in seconds: those of controller-runtime, which are powers of ten, and others between them,
/// because most handlers only read the object. Two are not exact, as in Go, where each is ten times the previous one.
const LATENCIES: [f64; 22] = [
    1e-8,
    1e-7,
    1e-6,
    9.999_999_999_999_999e-6,
    9.999_999_999_999_999e-5,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    100.0,
    1000.0,
];

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            requests: Family::default(),
            latency: Family::new_with_constructor(|| Histogram::new(LATENCIES)),
            in_flight: Family::default(),
            panics: Family::default(),
            conversion_panics: Family::default(),
            certificate: CertificateMetrics {
                reads: Counter::default(),
                errors: Counter::default(),
            },
            body_bytes: Gauge::default(),
        };
        registry.register(
            "controller_runtime_webhook_requests",
            "Admission requests by HTTP status code",
            families.requests.clone(),
        );
        registry.register(
            "controller_runtime_webhook_latency_seconds",
            "How long admission requests take",
            families.latency.clone(),
        );
        registry.register(
            "controller_runtime_webhook_requests_in_flight",
            "Admission requests that are being served",
            families.in_flight.clone(),
        );
        registry.register(
            "controller_runtime_webhook_panics",
            "Panics in webhooks",
            families.panics.clone(),
        );
        registry.register(
            "controller_runtime_conversion_webhook_panics",
            "Panics in conversions, except those of the author's methods, which are kgen_conversion_untranslated_total",
            families.conversion_panics.clone(),
        );
        registry.register(
            "certwatcher_read_certificate",
            "Certificates read and taken",
            families.certificate.reads.clone(),
        );
        registry.register(
            "certwatcher_read_certificate_errors",
            "Certificates that could not be read or used",
            families.certificate.errors.clone(),
        );
        registry.register(
            "webhook_body_bytes",
            "Memory that is reserved for the bodies of admission requests",
            families.body_bytes.clone(),
        );
        families
    }

    /// Returns the metrics of the admission webhook at a path.
    pub(super) fn of(&self, path: &str) -> WebhookMetrics {
        self.with_panics(path, &self.panics)
    }

    /// Returns the metrics of the conversions at a path.
    pub(super) fn of_conversions(&self, path: &str) -> WebhookMetrics {
        self.with_panics(path, &self.conversion_panics)
    }

    fn with_panics(&self, path: &str, panics: &Family<Served, Counter>) -> WebhookMetrics {
        let webhook = path.to_owned();
        // Alerts on a rate need an initial zero.
        for code in [200, 500] {
            let webhook = webhook.clone();
            drop(self.requests.get_or_create(&Answered { webhook, code }));
        }
        let served = Served {
            webhook: webhook.clone(),
        };
        WebhookMetrics {
            webhook,
            requests: self.requests.clone(),
            latency: self.latency.get_or_create_owned(&served),
            in_flight: self.in_flight.get_or_create_owned(&served),
            panics: panics.get_or_create_owned(&served),
        }
    }

    pub(super) fn certificate(&self) -> CertificateMetrics {
        self.certificate.clone()
    }

    pub(super) fn body_bytes(&self) -> Gauge {
        self.body_bytes.clone()
    }
}

impl WebhookMetrics {
    /// Counts a request as in flight until the guard is dropped, even if the client disconnects.
    pub(crate) fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts an answer.
    pub(crate) fn done(&self, code: u16, took: Duration) {
        let webhook = self.webhook.clone();
        self.requests.get_or_create(&Answered { webhook, code }).inc();
        self.latency.observe(took.as_secs_f64());
    }
}

/// A request in flight.
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
