//! Warnings do not stop the file.

// +kubebuilder:webhookconfiguration:mutating=true,name=garden
// +kubebuilder:webhook:mutating=false,url="https://hooks.example.org/a",serviceName=hooks,servicePort=9443,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=a.garden.example.org,admissionReviewVersions=v1;v1beat1,reinvocationPolicy=Never
