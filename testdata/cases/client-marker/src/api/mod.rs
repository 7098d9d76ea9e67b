//! +groupName=wrong.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

// +genclient
// +genclient:nonNamespaced
pub struct Scoped {
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:onlyVerbs=get,list,watch,updateStatus
pub struct Status {
    pub metadata: ObjectMeta,
    pub on: bool,
}

// +genclient
// +kubebuilder:subresource:status
pub struct Fieldless {
    pub metadata: ObjectMeta,
}

// +genclient
// +resourceName=others
pub struct Named {
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:method=Get,verb=get
// +genclient:method=GetScale,verb=get,subresource=scale
// +genclient:method=Approve,verb=create,input=Named
pub struct Methods {
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:onlyVerbs=list,watch
pub struct Unread {
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:skipVerbs=watch
pub struct Unwatched {
    pub metadata: ObjectMeta,
}
