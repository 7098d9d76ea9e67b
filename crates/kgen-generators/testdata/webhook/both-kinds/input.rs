//! +kubebuilder:webhook:path=/change-plates,mutating=true,failurePolicy=fail,sideEffects=None,groups=atlas.example.org,resources=plates,verbs=create;update,versions=v1;v1beta1,name=plates.atlas.example.org,admissionReviewVersions=v1;v1beta1

pub struct Painter;

impl Painter {
    // +kubebuilder:webhook:path=/change-borders,mutating=true,failurePolicy=Ignore,sideEffects=NoneOnDryRun,groups=atlas.example.org,resources=borders,verbs=create,versions=v1,name=borders.atlas.example.org,admissionReviewVersions=v1
    pub fn paint(&self) {}
}
// +kubebuilder:webhook:name=z-last.atlas.example.org,mutating=false,path=/check-last,failurePolicy=ignore,sideEffects=None,groups=atlas.example.org,resources=plates,verbs=delete,versions=v1,admissionReviewVersions=v1
pub fn last() {}

// +kubebuilder:webhook:path=/check-first,mutating=false,failurePolicy=fail,sideEffects=None,groups=atlas.example.org,resources=plates,verbs=create,versions=v1,name=a-first.atlas.example.org,admissionReviewVersions=v1
pub fn first() {}

pub fn both() {
    // +kubebuilder:webhook:path=/check-middle,mutating=false,failurePolicy=fail,sideEffects=None,groups=atlas.example.org,resources=plates,verbs=update,versions=v1,name=m-middle.atlas.example.org,admissionReviewVersions=v1
}
//! Both kinds of hooks, spread over files, in the wrong order.

pub mod change;
pub mod check;
