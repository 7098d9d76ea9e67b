//! Answers conversion reviews. Conversions do not perform I/O, so small reviews are answered immediately; large ones
//! must not block the serving threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::time::Instant;

use super::answer::http_error;
use crate::conversion::review::{self, Conversions};
use crate::error::panic_text;
use crate::metrics::WebhookMetrics;
use crate::serve::Received;

/// The size from which on a review is converted outside the serving threads.
const LARGE: usize = 1024 * 1024;

/// Answers a review before the deadline, which is the end of `patience`.
pub(super) async fn answer(
    conversions: Arc<Conversions>,
    body: Received,
    (deadline, patience): (Instant, Duration),
    metrics: &WebhookMetrics,
) -> Response<Full<Bytes>> {
    let answer = if body.len() <= LARGE {
        Ok(convert(&conversions, &body, metrics))
    } else {
        let uid = review::uid(&body);
        let metrics = metrics.clone();
        let converting = tokio::task::spawn_blocking(move || convert(&conversions, &body, &metrics));
        match tokio::time::timeout_at(deadline, converting).await {
            Ok(Ok(answer)) => Ok(answer),
            // The task does not panic; it is canceled if the runtime ends.
            Ok(Err(_)) => Err((uid, "the webhook is shutting down".to_owned())),
            Err(_) => Err((
                uid,
                format!(
                    "the objects were not converted within {} ms",
                    patience.as_millis()
                ),
            )),
        }
    };
    let answer = answer.unwrap_or_else(|(uid, message)| {
        tracing::warn!(uid, message, "a review of conversions failed");
        Ok(review::failure(&uid, &message))
    });
    match answer {
        Ok(body) => json(body),
        Err(problem) => http_error(StatusCode::BAD_REQUEST, "BadRequest", problem),
    }
}

/// Converts all objects of a review. Panics of authors' functions are caught earlier, but this crate could have a bug.
fn convert(conversions: &Conversions, body: &[u8], metrics: &WebhookMetrics) -> Result<Vec<u8>, String> {
    catch_unwind(AssertUnwindSafe(|| conversions.answer(body))).unwrap_or_else(|panic| {
        metrics.panics.inc();
        let message = format!("the conversion panicked: {}", panic_text(&*panic));
        tracing::error!(message);
        Ok(review::failure(&review::uid(body), &message))
    })
}

fn json(body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
