// Nothing needs this file, so nothing is said about it.
// +kubebuilder:validation:Minimun=1
