// +kgen:allow=rbac-wildcard
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
pub fn reconcile() {}

// +kgen:allow=rbac-wildcard
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=*
pub fn clean_up() {}
