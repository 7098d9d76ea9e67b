//! Hooks that are served outside the cluster.

// +kubebuilder:webhook:mutating=true,url="https://hooks.example.org:9443/mutate/parcels",failurePolicy=fail,sideEffects=None,groups=post.example.org,resources=parcels,verbs=create,versions=v1,name=mparcels.post.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,url="https://hooks.example.org/validate/parcels",failurePolicy=fail,sideEffects=None,groups=post.example.org,resources=parcels,verbs=create;update,versions=v1,name=vparcels.post.example.org,admissionReviewVersions=v1

// One beside them inside.
// +kubebuilder:webhook:mutating=false,path=/validate-letters,failurePolicy=fail,sideEffects=None,groups=post.example.org,resources=letters,verbs=create,versions=v1,name=vletters.post.example.org,admissionReviewVersions=v1

/// A back-quoted address, longer than a line of YAML.
// +kubebuilder:webhook:mutating=false,url=`https://a-very-long-host-name-for-the-sorting-office.hooks.example.org:8443/validate/post-example-org/v1/stamps`,failurePolicy=ignore,sideEffects=None,groups=post.example.org,resources=stamps,verbs=create,versions=v1,name=vstamps.post.example.org,admissionReviewVersions=v1
pub fn serve() {}
