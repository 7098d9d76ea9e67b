//! Rules that become equal by a merge are united; controller-gen loses one of them at random.

// +kubebuilder:rbac:groups=oak.example.org;elm.example.org,resources=leaves,verbs=get
// +kubebuilder:rbac:groups=oak.example.org,resources=leaves,verbs=list;watch
// +kubebuilder:rbac:groups=elm.example.org,resources=leaves,verbs=watch;list

// +kubebuilder:rbac:urls=/sap;/bark,verbs=get
// +kubebuilder:rbac:urls=/sap,verbs=post
// +kubebuilder:rbac:urls=/bark,verbs=post
