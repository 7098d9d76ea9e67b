//! Selectors as for `kubectl -l`, and conditions in the order given.

// +kubebuilder:webhook:mutating=false,path=/validate,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=beds.garden.example.org,admissionReviewVersions=v1,namespaceSelector="env=prod,tier in (web, api),!legacy,team",objectSelector=`example.org/kind==bed,size!=small,colour notin (red,,blue)`,matchConditions={not-leases: `request.resource.resource != "leases"`, a-second: `object.metadata.name != "x"`}
// +kubebuilder:webhook:mutating=true,path=/change,failurePolicy=ignore,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=change.garden.example.org,admissionReviewVersions=v1,objectSelector="on=yes,off"
