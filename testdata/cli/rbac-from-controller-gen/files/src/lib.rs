// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
