//! Reads the body of a request into memory that comes from the budget.

use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes};
use tokio::time::{Instant, timeout_at};

use super::budget::{Budget, GivenUp, Reservation};
use crate::manager::BoxError;

/// The least that is reserved at once.
const SMALLEST: usize = 4096;

/// How long the rest of a body that is too large is read and dropped. A client that is still sending when the
/// connection is closed would not get the response.
const LINGER: Duration = Duration::from_secs(1);

/// A complete body. Its memory belongs to the budget until it is dropped.
#[derive(Debug)]
pub(crate) struct Received {
    // Dropped before the reservation is.
    bytes: Vec<u8>,
    _reservation: Reservation,
}

impl Deref for Received {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Why a body was not read.
#[derive(Debug)]
pub(crate) enum BodyError {
    /// It is larger than the limit.
    TooLarge,
    /// It did not arrive before the deadline.
    Late,
    /// It was dropped, because it did not make progress and other bodies needed its memory.
    GivenUp,
    /// There was not enough memory for it until the deadline.
    NoMemory,
    /// The connection broke, or the client made a mistake.
    Broken(BoxError),
}

impl From<GivenUp> for BodyError {
    fn from(GivenUp: GivenUp) -> Self {
        Self::GivenUp
    }
}

/// Reads `body`, which may have `limit` bytes and must arrive before `deadline`.
///
/// The parts are copied, because a part from hyper keeps the whole buffer of its connection alive.
pub(crate) async fn read_body<B>(
    body: B,
    limit: usize,
    deadline: Instant,
    budget: &Budget,
) -> Result<Received, BodyError>
where
    B: Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    let is_too_large = body.size_hint().lower() > u64::try_from(limit).unwrap_or(u64::MAX);
    let mut body = std::pin::pin!(body);
    if is_too_large {
        discard(body, deadline).await;
        return Err(BodyError::TooLarge);
    }
    let mut reservation = budget.begin();
    let mut bytes = Vec::new();
    loop {
        let frame = tokio::select! {
            biased;
            () = reservation.given_up() => return Err(BodyError::GivenUp),
            frame = timeout_at(deadline, body.frame()) => frame.map_err(|_| BodyError::Late)?,
        };
        let Some(frame) = frame else {
            break;
        };
        let Ok(part) = frame
            .map_err(|error| BodyError::Broken(error.into()))?
            .into_data()
        else {
            continue;
        };
        let needed = bytes.len() + part.len();
        if needed > limit {
            drop((bytes, reservation));
            discard(body, deadline).await;
            return Err(BodyError::TooLarge);
        }
        if needed > reservation.bytes() {
            let size = needed.max(bytes.len() * 2).max(SMALLEST).min(limit);
            let more = size - reservation.bytes();
            let grown = timeout_at(deadline, reservation.grow(more)).await;
            grown.map_err(|_| BodyError::NoMemory)??;
            bytes.reserve_exact(size - bytes.len());
        }
        bytes.extend_from_slice(&part);
    }
    if !reservation.complete() {
        return Err(BodyError::GivenUp);
    }
    Ok(Received {
        bytes,
        _reservation: reservation,
    })
}

/// Reads the rest of a body and drops it.
async fn discard<B: Body>(mut body: Pin<&mut B>, deadline: Instant) {
    let end = deadline.min(Instant::now() + LINGER);
    while let Ok(Some(Ok(_))) = timeout_at(end, body.frame()).await {}
}
