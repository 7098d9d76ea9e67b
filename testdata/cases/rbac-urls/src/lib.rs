//! Paths outside of the resources come first, united by equal verbs.

// +kubebuilder:rbac:groups=core,resources=pods,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/healthz;/healthz/*,verbs=head
// +kubebuilder:rbac:urls=/livez;/metrics,verbs=get
