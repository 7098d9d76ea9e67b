//! Keeps the lamps of a coast burning.

pub struct Keeper {
    pub name: String,
}

impl Keeper {
    /// Lights what is dark.
    ///
    // +kubebuilder:rbac:groups=coast.example.org,resources=lamps,verbs=get;list;watch;update
    // +kubebuilder:rbac:groups=coast.example.org,resources=lamps/status,verbs=update
    pub fn reconcile(&self, lamp: &str) -> Result<(), String> {
        // +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get
        let wick = format!("{}-{lamp}", self.name);
        // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;delete
        if wick.is_empty() { Err(wick) } else { Ok(()) }
    }
}
