// +kubebuilder:webhookconfiguration:mutating=true,name=one
