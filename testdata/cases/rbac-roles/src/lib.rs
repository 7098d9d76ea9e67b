//! Role names on markers make further roles; names that YAML would misread are quoted.

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,roleName=reader
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list,roleName=reader,namespace="123"
// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=yes;0x1F;tls,verbs=get,namespace="123"
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,roleName=""
