//! Conditions that the API server would refuse, and one that it takes.

// +kubebuilder:webhook:path=/check,mutating=false,failurePolicy=fail,sideEffects=None,groups=bakery.example.org,resources=ovens,verbs=create,versions=v1,name=ovens.example.org,admissionReviewVersions=v1,matchConditions={not-ours: "!request.userInfo.username.startsWith('system:')", hot: "object.spec.heat > 100"}
// +kubebuilder:webhook:path=/check-self,mutating=false,failurePolicy=fail,sideEffects=None,groups=bakery.example.org,resources=ovens,verbs=create,versions=v1,name=self.example.org,admissionReviewVersions=v1,matchConditions={hot: "self.spec.heat > 100"}
// +kubebuilder:webhook:path=/check-field,mutating=false,failurePolicy=fail,sideEffects=None,groups=bakery.example.org,resources=ovens,verbs=create,versions=v1,name=field.example.org,admissionReviewVersions=v1,matchConditions={new: "request.operations == 'CREATE'"}
// +kubebuilder:webhook:path=/check-result,mutating=false,failurePolicy=fail,sideEffects=None,groups=bakery.example.org,resources=ovens,verbs=create,versions=v1,name=result.example.org,admissionReviewVersions=v1,matchConditions={hot: "object.spec.isHot"}
// +kubebuilder:webhook:path=/check-type,mutating=false,failurePolicy=fail,sideEffects=None,groups=bakery.example.org,resources=ovens,verbs=create,versions=v1,name=type.example.org,admissionReviewVersions=v1,matchConditions={named: "request.name == 3"}
pub struct Conditions;
