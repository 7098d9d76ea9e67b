// Imported by kgen from postgresqls.pottery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kgen:names:kind=postgresql,listKind=PostgresItems
#[derive(Clone, Debug, PartialEq)]
pub struct Postgresql {
    pub metadata: ObjectMeta,
    pub spec: Option<PostgresqlSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostgresqlSpec {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
}
