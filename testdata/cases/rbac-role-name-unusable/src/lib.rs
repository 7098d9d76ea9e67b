//! A rule without a role name of its own needs the one of the command line.

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,roleName=own
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list
