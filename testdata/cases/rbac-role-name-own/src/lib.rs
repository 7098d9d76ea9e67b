//! The role name of the command line cannot be used, but every marker has its own.

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,roleName=own
