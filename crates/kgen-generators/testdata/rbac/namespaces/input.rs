//! One role a namespace, and the cluster role first.

pub mod towers;

// +kubebuilder:rbac:groups=watch.example.org,resources=lanterns,verbs=get;list
// +kubebuilder:rbac:groups=watch.example.org,namespace=south-gate,resources=lanterns,verbs=update
// +kubebuilder:rbac:groups=core,namespace=north-gate,resources=secrets,verbs=get

pub fn patrol() {
    // The same rule in two namespaces is two rules.
    // +kubebuilder:rbac:groups=core,namespace=south-gate,resources=secrets,verbs=get
}
pub(super) fn ring() {
    // Sorted as plain text: `north-gate` < `north-gate-2` < `northern`.
    // +kubebuilder:rbac:namespace=northern,groups=watch.example.org,resources=bells,verbs=get
    // +kubebuilder:rbac:namespace=north-gate-2,groups=watch.example.org,resources=bells,verbs=get
    // +kubebuilder:rbac:namespace=north-gate-10,groups=watch.example.org,resources=bells,verbs=get
    // +kubebuilder:rbac:verbs=create,resources=bells,groups=watch.example.org
}
mod bell;

// +kubebuilder:rbac:groups=watch.example.org,resources=lanterns,namespace=south-gate,verbs=patch
pub fn climb() {
    bell::ring();
}
