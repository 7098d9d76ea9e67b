/// Lets people on.
// +kubebuilder:rbac:groups=ferry.example.org,resources=boats,verbs=watch;list
pub fn open() {}

/// Counts them.
// +kubebuilder:rbac:groups=ferry.example.org,resources=tickets,verbs=deletecollection;delete
pub fn count() -> usize {
    // +kubebuilder:rbac:groups=ferry.example.org,resources=tickets,verbs=create;get;delete
    0
}
//! Ferries: three parts of one program ask for the same things with different verbs.

pub mod board;
pub mod sail;

// +kubebuilder:rbac:groups=ferry.example.org,resources=boats,verbs=get

pub fn start() {
    board::open();
    sail::cast_off(3);
}
// +kubebuilder:rbac:groups=ferry.example.org,resources=boats,verbs=patch;get
pub fn cast_off(ropes: u8) -> u8 {
    // One marker, two resources: each goes its own way before anything is united.
    // +kubebuilder:rbac:groups=ferry.example.org,resources=boats;piers,verbs=update
    ropes
}

// A different group is a different rule, even with equal verbs and resource.
// +kubebuilder:rbac:groups=legacy.ferry.example.org,resources=boats,verbs=get
const _: () = ();
