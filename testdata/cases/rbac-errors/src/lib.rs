//! Everything that is wrong is said at once, and there is no file.

// +kubebuilder:rbac:groups=pottery.example.org,resources=kilns,verbs=get
// +kubebuilder:rbac:groups=pottery.example.org,resources=kilns,urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get,namespace=kiln-room
// +kubebuilder:rbac:resources=kilns,verbs=get
// +kubebuilder:rbac:groups=pottery.example.org,verbs=get
// +kubebuilder:rbac:verbs=get
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;"";list
// +kubebuilder:rbac:groups=core,resources="";pods,resourceNames="",verbs={}
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get,namespace=Kiln_Room,roleName=clay/glaze
// +kubebuilder:rbac:urls="",verbs=gett
