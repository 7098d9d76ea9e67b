//! Answers conversion reviews. Conversions do not perform I/O, so small reviews are answered immediately; large ones, and those with
//! deeply nested objects, must not block the serving threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::time::Instant;

use super::answer::http_error;
use crate::conversion::review::{self, Conversions, Progress, Unanswered};
use crate::error::panic_text;
use crate::metrics::WebhookMetrics;
use crate::serve::Received;

/// The size from which on a review is converted outside the serving threads.
const LARGE: usize = 1024 * 1024;
/// The beginning of a review, which has its UID.
const BEGINNING: usize = 4096;

/// Answers a review before the deadline, which is the end of `patience`.
pub(super) async fn answer(
    conversions: Arc<Conversions>,
    body: Received,
    (deadline, patience): (Instant, Duration),
    metrics: &WebhookMetrics,
) -> Response<Full<Bytes>> {
    let mut progress = Progress::default();
    if body.len() <= LARGE {
        match guarded(&body, metrics, || conversions.answer(&body)) {
            Ok(answer) => return json(answer),
            Err(Unanswered::NoReview(problem)) => return bad_request(problem),
            Err(Unanswered::Deep(started)) => progress = started,
        }
    }
    let uid = review::uid(body.get(..BEGINNING).unwrap_or(&body));
    let metrics = metrics.clone();
    let converting = tokio::task::spawn_blocking(move || {
        guarded(&body, &metrics, || match body.len() <= LARGE {
            true => conversions.answer_deep(&body, progress),
            false => match conversions.answer(&body) {
                Ok(answer) => Ok(answer),
                Err(Unanswered::NoReview(problem)) => Err(problem),
                Err(Unanswered::Deep(progress)) => conversions.answer_deep(&body, progress),
            },
        })
    });
    let message = match tokio::time::timeout_at(deadline, converting).await {
        Ok(Ok(Ok(answer))) => return json(answer),
        Ok(Ok(Err(problem))) => return bad_request(problem),
        // The task does not panic; it is canceled if the runtime ends.
        Ok(Err(_)) => "the webhook is shutting down".to_owned(),
        Err(_) => format!(
            "the objects were not converted within {} ms",
            patience.as_millis()
        ),
    };
    tracing::warn!(uid, message, "a review of conversions failed");
    json(review::failure(&uid, &message))
}

/// Converts the objects of a review. Panics of authors' functions are caught earlier, but this crate could have a bug.
fn guarded<E>(
    body: &[u8],
    metrics: &WebhookMetrics,
    convert: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<Vec<u8>, E> {
    catch_unwind(AssertUnwindSafe(convert)).unwrap_or_else(|panic| {
        metrics.panics.inc();
        let message = format!("the conversion panicked: {}", panic_text(&*panic));
        tracing::error!(message);
        Ok(review::failure(&review::uid(body), &message))
    })
}

fn bad_request(problem: String) -> Response<Full<Bytes>> {
    http_error(StatusCode::BAD_REQUEST, "BadRequest", problem)
}

fn json(body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
