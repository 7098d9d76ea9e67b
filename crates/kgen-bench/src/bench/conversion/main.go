// The handler of controller-runtime with the conversion of `benches/widget`: hub and spoke, and the annotation of cluster-api.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlconversion "sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

// The annotation in which cluster-api keeps the hub.
const annotation = "cluster.x-k8s.io/conversion-data"

type Status struct {
	Ready              int64              `json:"ready,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type OldPort struct {
	Name     string `json:"name"`
	Port     int32  `json:"port"`
	Protocol string `json:"protocol,omitempty"`
}

type OldSpec struct {
	Size     int32             `json:"size"`
	Memory   string            `json:"memory"`
	Address  string            `json:"address"`
	Strategy string            `json:"strategy"`
	Note     string            `json:"note,omitempty"`
	Image    string            `json:"image,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Ports    []OldPort         `json:"ports,omitempty"`
}

type Old struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldSpec `json:"spec,omitempty"`
	Status            Status  `json:"status,omitempty"`
}

type NewPort struct {
	Name     string `json:"name"`
	Number   int32  `json:"number"`
	Protocol string `json:"protocol,omitempty"`
}

type NewSpec struct {
	Replicas    int32             `json:"replicas"`
	MemoryBytes int64             `json:"memoryBytes"`
	Host        string            `json:"host"`
	Port        uint16            `json:"port"`
	Strategy    string            `json:"strategy"`
	Image       string            `json:"image,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Ports       []NewPort         `json:"ports,omitempty"`
	Priority    int32             `json:"priority,omitempty"`
}

type New struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NewSpec `json:"spec,omitempty"`
	Status            Status  `json:"status,omitempty"`
}

func copied[T any](from *T) *T {
	text, err := json.Marshal(from)
	if err != nil {
		panic(err)
	}
	to := new(T)
	if err := json.Unmarshal(text, to); err != nil {
		panic(err)
	}
	return to
}

func (o *Old) DeepCopyObject() runtime.Object { return copied(o) }
func (n *New) DeepCopyObject() runtime.Object { return copied(n) }
func (n *New) Hub()                           {}

func (o *Old) ConvertTo(hub ctrlconversion.Hub) error {
	n := hub.(*New)
	n.ObjectMeta = o.ObjectMeta
	gibibytes, _ := strconv.ParseInt(strings.TrimSuffix(o.Spec.Memory, "Gi"), 10, 64)
	host, port := o.Spec.Address, "80"
	if at := strings.LastIndex(host, ":"); at >= 0 {
		host, port = host[:at], host[at+1:]
	}
	number, _ := strconv.ParseUint(port, 10, 16)
	n.Spec = NewSpec{
		Replicas: o.Spec.Size, MemoryBytes: gibibytes << 30, Host: host, Port: uint16(number),
		Strategy: o.Spec.Strategy, Image: o.Spec.Image, Labels: o.Spec.Labels, Priority: 5,
	}
	for _, port := range o.Spec.Ports {
		n.Spec.Ports = append(n.Spec.Ports, NewPort{port.Name, port.Port, port.Protocol})
	}
	n.Status = o.Status
	if text, ok := n.Annotations[annotation]; ok {
		restored := &New{}
		if err := json.Unmarshal([]byte(text), restored); err != nil {
			return err
		}
		n.Spec.Priority = restored.Spec.Priority
		delete(n.Annotations, annotation)
	}
	return nil
}

func (o *Old) ConvertFrom(hub ctrlconversion.Hub) error {
	n := hub.(*New)
	o.ObjectMeta = n.ObjectMeta
	o.Spec = OldSpec{
		Size: n.Spec.Replicas, Memory: strconv.FormatInt(n.Spec.MemoryBytes, 10), Address: fmt.Sprintf("%s:%d", n.Spec.Host, n.Spec.Port),
		Strategy: n.Spec.Strategy, Image: n.Spec.Image, Labels: n.Spec.Labels,
	}
	for _, port := range n.Spec.Ports {
		o.Spec.Ports = append(o.Spec.Ports, OldPort{port.Name, port.Number, port.Protocol})
	}
	o.Status = n.Status
	// As `MarshalData` of cluster-api: the whole hub, without its metadata.
	kept, err := runtime.DefaultUnstructuredConverter.ToUnstructured(n)
	if err != nil {
		return err
	}
	delete(kept, "metadata")
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if o.Annotations == nil {
		o.Annotations = map[string]string{}
	}
	o.Annotations[annotation] = string(text)
	return nil
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	microseconds := func(time syscall.Timeval) float64 { return float64(time.Sec)*1e6 + float64(time.Usec) }
	return microseconds(usage.Utime) + microseconds(usage.Stime)
}

func main() {
	scheme := runtime.NewScheme()
	group := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(group.WithKind("Widget"), &Old{})
	group.Version = "v2"
	scheme.AddKnownTypeWithName(group.WithKind("Widget"), &New{})
	handler := conversion.NewWebhookHandler(scheme, conversion.NewRegistry())
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		calls := 5_000_000 / len(body)
		best := 0.0
		for round := 0; round < 5; round++ {
			before := cpu()
			for call := 0; call < calls; call++ {
				request := httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body))
				answer := httptest.NewRecorder()
				handler.ServeHTTP(answer, request)
				if call == 0 && !strings.Contains(answer.Body.String(), `"Success"`) {
					panic(answer.Body.String())
				}
			}
			if time := (cpu() - before) / float64(calls); best == 0 || time < best {
				best = time
			}
		}
		fmt.Printf("review %s %.2f\n", strings.TrimSuffix(filepath.Base(file), ".json"), best)
	}
}
