module fields

go 1.26

require (
	k8s.io/api v0.36.4
	k8s.io/apimachinery v0.36.4
)
