//! Names of the configurations; equal markers are fine, an empty name is the usual one.

// +kubebuilder:webhookconfiguration:mutating=true,name=garden-changes
// +kubebuilder:webhookconfiguration:mutating=true,name=garden-changes
// +kubebuilder:webhookconfiguration:mutating=false,name=""
// +kubebuilder:webhookconfiguration:mutating=false,name=validating-webhook-configuration
// +kubebuilder:webhook:mutating=true,path=/a,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=a.garden.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,path=/b,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=b.garden.example.org,admissionReviewVersions=v1
