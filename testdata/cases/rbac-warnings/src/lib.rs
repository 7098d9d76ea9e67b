//! Warnings do not stop the file.

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;lst;wacht;POST
// +kubebuilder:rbac:groups=apps;core,resources=*,verbs=*
// +kubebuilder:rbac:groups=*,resources=*/scale,verbs=get
// +kubebuilder:rbac:groups=core,resources=pods/*;Secret,verbs=get
// +kubebuilder:rbac:urls=metrics;/a/*/b,verbs=list
// +kgen:allow=rbac-wildcard
// +kubebuilder:rbac:groups=batch,resources=*,verbs=*
