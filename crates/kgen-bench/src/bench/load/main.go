// The Foo operator on controller-runtime: the same decisions and the same writes, with its caches, queue and client.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// name is the field manager and the event source.
const name = "foo-operator"

// byOwner is the index of Deployments by the UIDs of their owners.
const byOwner = "owner"

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// FooSpec is the desired state.
type FooSpec struct {
	DeploymentName                string             `json:"deploymentName"`
	Replicas                      *int32             `json:"replicas,omitempty"`
	Repository                    *string            `json:"repository,omitempty"`
	Tag                           *string            `json:"tag,omitempty"`
	ImagePullPolicy               *corev1.PullPolicy `json:"imagePullPolicy,omitempty"`
	TerminationGracePeriodSeconds *int64             `json:"terminationGracePeriodSeconds,omitempty"`
}

// FooStatus is the observed state.
type FooStatus struct {
	AvailableReplicas  int32              `json:"availableReplicas"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Foo is an nginx Deployment that the operator manages.
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FooSpec   `json:"spec"`
	Status FooStatus `json:"status,omitempty"`
}

// FooList is a list of Foos.
type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Foo `json:"items"`
}

func pointer[T any](value *T) *T {
	if value == nil {
		return nil
	}
	copied := *value
	return &copied
}

// DeepCopyInto is what controller-gen generates.
func (in *Foo) DeepCopyInto(out *Foo) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Replicas = pointer(in.Spec.Replicas)
	out.Spec.Repository = pointer(in.Spec.Repository)
	out.Spec.Tag = pointer(in.Spec.Tag)
	out.Spec.ImagePullPolicy = pointer(in.Spec.ImagePullPolicy)
	out.Spec.TerminationGracePeriodSeconds = pointer(in.Spec.TerminationGracePeriodSeconds)
	if in.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
		for index := range in.Status.Conditions {
			in.Status.Conditions[index].DeepCopyInto(&out.Status.Conditions[index])
		}
	}
}

// DeepCopyObject makes Foo an object.
func (in *Foo) DeepCopyObject() runtime.Object {
	out := &Foo{}
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject makes FooList a list.
func (in *FooList) DeepCopyObject() runtime.Object {
	out := &FooList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	if in.Items != nil {
		out.Items = make([]Foo, len(in.Items))
		for index := range in.Items {
			in.Items[index].DeepCopyInto(&out.Items[index])
		}
	}
	return out
}

type reconciler struct {
	client.Client
	recorder record.EventRecorder
}

// Reconcile makes the decisions of `src/reconcile`.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var foo Foo
	if err := r.Get(ctx, request.NamespacedName, &foo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if foo.DeletionTimestamp != nil || foo.Spec.DeploymentName == "" {
		return ctrl.Result{}, nil
	}
	owner := *metav1.NewControllerRef(&foo, groupVersion.WithKind("Foo"))
	changed := false
	deployment := &appsv1.Deployment{}
	key := client.ObjectKey{Namespace: foo.Namespace, Name: foo.Spec.DeploymentName}
	err := r.Get(ctx, key, deployment)
	switch {
	case apierrors.IsNotFound(err):
		deployment = nil
		if err := r.Create(ctx, wanted(&foo, owner), client.FieldOwner(name)); err != nil {
			return ctrl.Result{}, err
		}
		changed = true
	case err != nil:
		return ctrl.Result{}, err
	case !metav1.IsControlledBy(deployment, &foo):
		message := fmt.Sprintf("Resource %q already exists and is not managed by Foo", foo.Spec.DeploymentName)
		r.recorder.Event(&foo, corev1.EventTypeWarning, "ErrResourceExists", message)
		return ctrl.Result{}, fmt.Errorf("%s", message)
	case deployment.DeletionTimestamp != nil:
	case drifted(deployment, &foo, owner):
		if err := r.apply(ctx, wanted(&foo, owner)); err != nil {
			return ctrl.Result{}, err
		}
		changed = true
	}
	var owned appsv1.DeploymentList
	if err := r.List(ctx, &owned, client.InNamespace(foo.Namespace), client.MatchingFields{byOwner: string(foo.UID)}); err != nil {
		return ctrl.Result{}, err
	}
	for index := range owned.Items {
		old := &owned.Items[index]
		if old.Name == foo.Spec.DeploymentName || old.DeletionTimestamp != nil || !metav1.IsControlledBy(old, &foo) {
			continue
		}
		err := r.Delete(ctx, old, client.Preconditions{UID: &old.UID}, client.PropagationPolicy(metav1.DeletePropagationBackground))
		if client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		changed = true
	}
	if changed || foo.Status.ObservedGeneration != foo.Generation {
		r.recorder.Event(&foo, corev1.EventTypeNormal, "Synced", "Foo synced successfully")
	}
	return ctrl.Result{}, r.writeStatus(ctx, &foo, deployment)
}

// writeStatus applies the status if it has changed.
func (r *reconciler) writeStatus(ctx context.Context, foo *Foo, deployment *appsv1.Deployment) error {
	available, replicas := int32(0), int32(1)
	if deployment != nil {
		available = deployment.Status.AvailableReplicas
		if deployment.Spec.Replicas != nil {
			replicas = *deployment.Spec.Replicas
		}
	}
	if foo.Spec.Replicas != nil {
		replicas = *foo.Spec.Replicas
	}
	ready := metav1.Condition{
		Type: "Ready", Status: metav1.ConditionFalse, Reason: "ReplicasMissing",
		Message:            fmt.Sprintf("%d of %d replicas are available", available, replicas),
		ObservedGeneration: foo.Generation,
		LastTransitionTime: metav1.NewTime(time.Now().Truncate(time.Second)),
	}
	if available >= replicas {
		ready.Status, ready.Reason = metav1.ConditionTrue, "ReplicasAvailable"
	}
	before := meta.FindStatusCondition(foo.Status.Conditions, "Ready")
	if before != nil && before.Status == ready.Status {
		ready.LastTransitionTime = before.LastTransitionTime
	}
	if before != nil && *before == ready && foo.Status.AvailableReplicas == available && foo.Status.ObservedGeneration == foo.Generation {
		return nil
	}
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&FooStatus{
		AvailableReplicas: available, ObservedGeneration: foo.Generation, Conditions: []metav1.Condition{ready},
	})
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	object.SetGroupVersionKind(groupVersion.WithKind("Foo"))
	object.SetNamespace(foo.Namespace)
	object.SetName(foo.Name)
	object.SetUID(foo.UID)
	return r.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(name), client.ForceOwnership)
}

// apply restores the fields of a Deployment that the Foo determines.
func (r *reconciler) apply(ctx context.Context, deployment *appsv1.Deployment) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(deployment)
	if err != nil {
		return err
	}
	delete(fields, "status")
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("Deployment"))
	return r.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(name), client.ForceOwnership)
}

func labels(foo *Foo) map[string]string {
	return map[string]string{"app": "nginx", "controller": foo.Name}
}

func image(foo *Foo) string {
	repository, tag := "nginx", "latest"
	if foo.Spec.Repository != nil {
		repository = *foo.Spec.Repository
	}
	if foo.Spec.Tag != nil {
		tag = *foo.Spec.Tag
	}
	return repository + ":" + tag
}

func wanted(foo *Foo, owner metav1.OwnerReference) *appsv1.Deployment {
	container := corev1.Container{Name: "nginx", Image: image(foo)}
	if foo.Spec.ImagePullPolicy != nil {
		container.ImagePullPolicy = *foo.Spec.ImagePullPolicy
	}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Name: foo.Spec.DeploymentName, Namespace: foo.Namespace, OwnerReferences: []metav1.OwnerReference{owner},
		},
		Spec: appsv1.DeploymentSpec{
			Replicas: foo.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels(foo)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels(foo)},
				Spec: corev1.PodSpec{
					Containers:                    []corev1.Container{container},
					TerminationGracePeriodSeconds: foo.Spec.TerminationGracePeriodSeconds,
				},
			},
		},
	}
}

// drifted returns whether fields that the Foo determines have changed.
func drifted(found *appsv1.Deployment, foo *Foo, owner metav1.OwnerReference) bool {
	spec := &found.Spec
	if foo.Spec.Replicas != nil && (spec.Replicas == nil || *spec.Replicas != *foo.Spec.Replicas) {
		return true
	}
	grace := foo.Spec.TerminationGracePeriodSeconds
	if given := spec.Template.Spec.TerminationGracePeriodSeconds; grace != nil && (given == nil || *given != *grace) {
		return true
	}
	for key, value := range labels(foo) {
		if spec.Template.Labels[key] != value {
			return true
		}
	}
	hasOwner := false
	for _, reference := range found.OwnerReferences {
		hasOwner = hasOwner || reference.UID == owner.UID && reference.APIVersion == owner.APIVersion
	}
	hasContainer := false
	for _, container := range spec.Template.Spec.Containers {
		policy := foo.Spec.ImagePullPolicy
		hasContainer = hasContainer || container.Name == "nginx" && container.Image == image(foo) &&
			(policy == nil || container.ImagePullPolicy == *policy)
	}
	return !hasOwner || !hasContainer
}

// serveMetrics serves them at a free port, and says which one.
func serveMetrics(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	line := map[string]any{"fields": map[string]string{"message": "serving metrics", "address": listener.Addr().String()}}
	if err := json.NewEncoder(os.Stderr).Encode(line); err != nil {
		return err
	}
	http.Handle("/metrics", promhttp.HandlerFor(metrics.Registry, promhttp.HandlerOpts{}))
	go func() { panic(http.Serve(listener, nil)) }()
	return nil
}

func run(address string, workers int) error {
	ctrl.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypes(groupVersion, &Foo{}, &FooList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		// The informers of the other operators leave managed fields out, too.
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	owners := func(object client.Object) []string {
		var uids []string
		for _, reference := range object.GetOwnerReferences() {
			uids = append(uids, string(reference.UID))
		}
		return uids
	}
	ctx := ctrl.SetupSignalHandler()
	if err := manager.GetFieldIndexer().IndexField(ctx, &appsv1.Deployment{}, byOwner, owners); err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Foo{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{Client: manager.GetClient(), recorder: manager.GetEventRecorderFor(name)})
	if err != nil {
		return err
	}
	if err := serveMetrics(address); err != nil {
		return err
	}
	return manager.Start(ctx)
}

func main() {
	address := flag.String("metrics-addr", "127.0.0.1:0", "where to serve metrics")
	workers := flag.Int("workers", 2, "how many Foos to work on at once")
	flag.Parse()
	if err := run(*address, *workers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
