//! +groupName=wrong.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

// +genclient
// +genclient:method=GetScale,verb=get,subresource=size,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=Approve,verb=create,subresource=approval,input=Aproval
pub struct Form {
    pub metadata: ObjectMeta,
}

pub struct Approval;
