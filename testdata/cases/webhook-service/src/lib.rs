//! Everything about the service, and words in any case.

// +kubebuilder:webhook:mutating=true,path=/a,serviceName=hooks,serviceNamespace=garden,servicePort=9443,failurePolicy=IGNORE,matchPolicy=exact,sideEffects=noneondryrun,timeoutSeconds=30,groups=core;apps;core,resources=pods;deployments/scale,verbs=Create;UPDATE;delete;connect,versions=v1;v1,name=a.garden.example.org,admissionReviewVersions=v1beta1;v1,reinvocationPolicy=ifNeeded,webhookVersions=v1
