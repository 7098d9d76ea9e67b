//! +groupName=words.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct GatewayPolicy {
    pub metadata: ObjectMeta,
}

#[derive(Clone, Debug)]
pub struct SearchIndex {
    pub metadata: ObjectMeta,
}

#[derive(Clone, Debug)]
pub struct RedisEndpoints {
    pub metadata: ObjectMeta,
}

#[derive(Clone, Debug)]
pub struct CloudDNS {
    pub metadata: ObjectMeta,
}
