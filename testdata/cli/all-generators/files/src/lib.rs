//! Pottery.

pub mod api;

// +kubebuilder:rbac:groups=pottery.example.org,resources=kilns,verbs=get;list

// +kubebuilder:webhook:path=/check,mutating=false,failurePolicy=fail,sideEffects=None,groups=pottery.example.org,resources=kilns,verbs=create,versions=v1,name=kilns.pottery.example.org,admissionReviewVersions=v1
