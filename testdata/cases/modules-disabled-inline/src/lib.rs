#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize)]
#[kube(group = "mint.example.org", version = "v1", kind = "Coin")]
pub struct CoinSpec {
    pub grams: i32,
}

/// The files of its modules lie in a folder of its name, and are not read either.
#[cfg(feature = "extra")]
mod extra {
    mod notes;
}
