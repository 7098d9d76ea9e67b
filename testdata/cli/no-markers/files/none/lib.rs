// +kubebuilder:rbac:groups=apps,resources=pods,verbs=get
