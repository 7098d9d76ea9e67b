/// Lets people on.
// +kubebuilder:rbac:groups=ferry.example.org,resources=boats,verbs=watch;list
pub fn open() {}

/// Counts them.
// +kubebuilder:rbac:groups=ferry.example.org,resources=tickets,verbs=deletecollection;delete
pub fn count() -> usize {
    // +kubebuilder:rbac:groups=ferry.example.org,resources=tickets,verbs=create;get;delete
    0
}
