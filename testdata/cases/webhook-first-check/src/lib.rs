//! Refuses kettles without a lid.

pub struct KettleCheck;

impl KettleCheck {
    /// Looks at a kettle before it is stored.
    ///
    // +kubebuilder:webhook:path=/validate-kitchen-example-org-v1-kettle,mutating=false,failurePolicy=fail,sideEffects=None,groups=kitchen.example.org,resources=kettles,verbs=create;update,versions=v1,name=kettles.kitchen.example.org,admissionReviewVersions=v1
    pub fn validate(&self, lid: Option<&str>) -> bool {
        lid.is_some()
    }
}
