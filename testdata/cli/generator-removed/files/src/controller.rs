// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
pub fn reconcile() {}
