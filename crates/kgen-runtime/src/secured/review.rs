//! Asks the API server who a client is and whether it may read a path. Answers are cached as in controller-runtime.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hyper::header::AUTHORIZATION;
use hyper::{Request, StatusCode};
use k8s_openapi::api::authentication::v1::{TokenReview, TokenReviewSpec, UserInfo};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use kube::api::PostParams;
use kube::{Api, Client};
use lru::LruCache;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::Causes;

/// How long the user of a token is remembered.
const TOKEN: Duration = Duration::from_secs(60);
/// How long a permission is remembered.
const ALLOWED: Duration = Duration::from_secs(5 * 60);
/// How long a refusal is remembered.
const DENIED: Duration = Duration::from_secs(30);
/// The number of remembered answers.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);
/// The number of concurrent reviews. Clients with invalid tokens must not overload the API server.
const CONCURRENT: usize = 4;
/// The timeout of a review.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A response instead of the metrics.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

impl Refusal {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: format!("{}\n", message.into()),
        }
    }
}

/// Reviews requests.
pub(super) struct Reviewer {
    client: Client,
    users: Remembered<String, UserInfo>,
    /// By the JSON of the whole question: tokens of one user can differ in their groups.
    verdicts: Remembered<String, bool>,
    running: Semaphore,
}

impl Reviewer {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            users: Remembered::new(),
            verdicts: Remembered::new(),
            running: Semaphore::new(CONCURRENT),
        }
    }

    /// Returns an error if the client is unknown or not allowed.
    pub(super) async fn review<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let unauthorized = || Refusal::new(StatusCode::UNAUTHORIZED, "Unauthorized");
        let token = bearer_token(request).ok_or_else(unauthorized)?;
        let user = self.user(token).await?.ok_or_else(unauthorized)?;
        let verb = request.method().as_str().to_ascii_lowercase();
        if self
            .is_allowed(&user, verb, request.uri().path().to_owned())
            .await?
        {
            Ok(())
        } else {
            let name = user.username.unwrap_or_default();
            let message = format!("Authorization denied for user {name}");
            Err(Refusal::new(StatusCode::FORBIDDEN, message))
        }
    }

    /// Returns the user of a token, or `None` if the token is invalid.
    async fn user(&self, token: &str) -> Result<Option<UserInfo>, Refusal> {
        if let Some(user) = self.users.get(token) {
            return Ok(Some(user));
        }
        let review = TokenReview {
            spec: TokenReviewSpec {
                token: token.to_owned(),
                ..TokenReviewSpec::default()
            },
            ..TokenReview::default()
        };
        let status = self.ask(review).await?.status.unwrap_or_default();
        let user = status.user.filter(|_| status.authenticated == Some(true));
        if let Some(user) = &user {
            self.users.insert(token.to_owned(), user.clone(), TOKEN);
        }
        Ok(user)
    }

    async fn is_allowed(&self, user: &UserInfo, verb: String, path: String) -> Result<bool, Refusal> {
        let spec = SubjectAccessReviewSpec {
            user: user.username.clone(),
            uid: user.uid.clone(),
            groups: user.groups.clone(),
            extra: user.extra.clone(),
            non_resource_attributes: Some(NonResourceAttributes {
                verb: Some(verb),
                path: Some(path),
            }),
            ..SubjectAccessReviewSpec::default()
        };
        let question = serde_json::json!(spec).to_string();
        if let Some(verdict) = self.verdicts.get(&question) {
            return Ok(verdict);
        }
        let review = SubjectAccessReview {
            spec,
            ..SubjectAccessReview::default()
        };
        let status = self.ask(review).await?.status.unwrap_or_default();
        let allowed = status.allowed && status.denied != Some(true);
        let memory = if allowed { ALLOWED } else { DENIED };
        self.verdicts.insert(question, allowed, memory);
        Ok(allowed)
    }

    async fn ask<K>(&self, review: K) -> Result<K, Refusal>
    where
        K: kube::Resource<DynamicType = (), Scope = kube::core::ClusterResourceScope>,
        K: Clone + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned,
    {
        let failed = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "Authentication failed");
        let _permit = self.running.acquire().await.map_err(|_| failed())?;
        let api: Api<K> = Api::all(self.client.clone());
        let params = PostParams::default();
        match tokio::time::timeout(TIMEOUT, api.create(&params, &review)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                tracing::error!(error = %Causes(&error), kind = %K::kind(&()), "cannot review a client of the metrics");
                Err(failed())
            }
            Err(_) => {
                tracing::error!(kind = %K::kind(&()), "the review of a client of the metrics took too long");
                Err(failed())
            }
        }
    }
}

/// Returns the token of a request.
fn bearer_token<B>(request: &Request<B>) -> Option<&str> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Answers with a time until which they are valid.
struct Remembered<K: Hash + Eq, V>(Mutex<LruCache<K, (V, Instant)>>);

impl<K: Hash + Eq, V: Clone> Remembered<K, V> {
    fn new() -> Self {
        Self(Mutex::new(LruCache::new(REMEMBERED)))
    }

    fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (value, until) = answers.get(key)?;
        if *until > Instant::now() {
            return Some(value.clone());
        }
        answers.pop(key);
        None
    }

    fn insert(&self, key: K, value: V, memory: Duration) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.put(key, (value, Instant::now() + memory));
    }
}
