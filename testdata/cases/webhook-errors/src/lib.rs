//! Everything that is wrong is said at once, and there is no file.

// +kubebuilder:webhookconfiguration:mutating=false,name=one
// +kubebuilder:webhookconfiguration:mutating=false,name=Two
// +kubebuilder:webhook:mutating=false,failurePolicy=fial,sideEffects=Some,groups=*;apps,resources="",verbs=create;updat,versions={},name=beds,admissionReviewVersions=v2,timeoutSeconds=60,webhookVersions=v1beta1
// +kubebuilder:webhook:mutating=false,path=beds,url="https://h",failurePolicy=fail,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=beds.garden.example.org,admissionReviewVersions=v1,servicePort=0,matchPolicy=equal
// +kubebuilder:webhook:mutating=true,url="http://user@h:x/y?z#a",failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=*;beds,verbs=create,versions=v1,name=beds.garden.example.org,admissionReviewVersions=v1,reinvocationPolicy=iffneeded,namespaceSelector="a in b",objectSelector="x=y,size>3",matchConditions={a b: ""}
// +kubebuilder:webhook:mutating=true,path=/Beds,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=beds.garden.example.org,admissionReviewVersions=v1,patch=`{"timeoutSecond":3,"rules":{},"$patc":"replace","clientConfig":{"service":{"port":"https"}}}`
// +kubebuilder:webhook:mutating=true,path=/beds,failurePolicy=fail,sideEffects=None,groups=garden.example.org,resources=beds,verbs=create,versions=v1,name=other.garden.example.org,admissionReviewVersions=v1,patch=`{"failurePolicy":"fail","objectSelector":{"matchLabels":{"a b":"c/d"}}}`
