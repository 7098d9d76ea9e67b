// +kubebuilder:webhookconfiguration:mutating=true,name=two
