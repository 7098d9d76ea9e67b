// Prints how Go writes the fields of the types of built-in kinds that are empty.
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// name returns the name of the OpenAPI schema of a type.
func name(t reflect.Type) string {
	path := strings.ReplaceAll(t.PkgPath(), "/", ".")
	path = strings.Replace(path, "k8s.io.", "io.k8s.", 1)
	return path + "." + t.Name()
}

type fields struct {
	// Fields that are left out if they are empty.
	Omitted []string `json:"omitted,omitempty"`
	// Fields that are always written.
	Shown map[string]any `json:"shown,omitempty"`
}

var found = map[string]*fields{}

func visit(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		visit(t.Elem())
		return
	case reflect.Map:
		visit(t.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	n := name(t)
	if _, ok := found[n]; ok || strings.HasSuffix(n, ".Time") || strings.HasSuffix(n, ".MicroTime") || strings.HasSuffix(n, ".Quantity") || strings.HasSuffix(n, ".IntOrString") || strings.HasSuffix(n, ".FieldsV1") || strings.HasSuffix(n, ".RawExtension") || strings.HasSuffix(n, ".Duration") {
		return
	}
	f := &fields{Shown: map[string]any{}}
	found[n] = f
	add(t, f)
	sort.Strings(f.Omitted)
}

func add(t reflect.Type, f *fields) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		parts := strings.Split(tag, ",")
		if field.Anonymous && parts[0] == "" {
			add(field.Type, f)
			continue
		}
		if parts[0] == "" || parts[0] == "-" {
			continue
		}
		visit(field.Type)
		omitempty, omitzero := false, false
		for _, option := range parts[1:] {
			omitempty = omitempty || option == "omitempty"
			omitzero = omitzero || option == "omitzero"
		}
		zero, _ := json.Marshal(reflect.Zero(field.Type).Interface())
		switch field.Type.Kind() {
		case reflect.Struct:
			if !omitzero {
				var v any
				json.Unmarshal(zero, &v)
				if _, ok := v.(map[string]any); ok {
					v = map[string]any{}
				}
				f.Shown[parts[0]] = v
			}
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			if !omitempty && !omitzero {
				f.Shown[parts[0]] = nil
			}
		default:
			if omitempty || omitzero {
				f.Omitted = append(f.Omitted, parts[0])
			} else {
				var v any
				json.Unmarshal(zero, &v)
				f.Shown[parts[0]] = v
			}
		}
	}
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{admissionregistration.AddToScheme, apps.AddToScheme, autoscalingv1.AddToScheme, autoscaling.AddToScheme, batch.AddToScheme, coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme, networking.AddToScheme, node.AddToScheme, policy.AddToScheme, rbac.AddToScheme, scheduling.AddToScheme, storage.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	for kind, t := range scheme.AllKnownTypes() {
		if kind.Version != "__internal" && !strings.HasSuffix(kind.Kind, "List") && !strings.HasSuffix(kind.Kind, "Options") {
			visit(t)
		}
	}
	names := []string{}
	for n, f := range found {
		if len(f.Omitted)+len(f.Shown) > 0 {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for i, n := range names {
		text, _ := json.Marshal(found[n])
		start, end := "", ","
		if i == 0 {
			start = "{"
		}
		if i == len(names)-1 {
			end = "}"
		}
		fmt.Printf("%s%q:%s%s\n", start, n, text, end)
	}
}
