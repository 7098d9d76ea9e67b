//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub lit: bool,
    pub name: String,
    pub borrowed: &'static str,
    pub letter: char,
    pub boxed: Box<i32>,
    pub counted: Rc<String>,
    pub shared: Arc<bool>,
    pub cow: Cow<'static, str>,
    pub reference: &'static i64,
    pub nested: Option<Box<Arc<String>>>,
}
