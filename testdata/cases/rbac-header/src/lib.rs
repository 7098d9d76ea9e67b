//! The text of `headerFile` stands between the first line and the documents.

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
