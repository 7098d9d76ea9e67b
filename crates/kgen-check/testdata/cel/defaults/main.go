// Asks the validation code of the Kubernetes API server whether defaults keep to rules.
//
// Reads lines of JSON from standard input, the first with a schema, each further one with a default and rules, and prints for
// every rule whether the API server takes a definition with this default and this rule: `accepted`, `refused` and why, or `other`
// and why, if it refuses something else.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
)

type line struct {
	Schema  map[string]any `json:"schema"`
	Default any            `json:"default"`
	Rules   []struct {
		Rule string `json:"rule"`
	} `json:"rules"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	var schema map[string]any
	for input.Scan() {
		var found line
		if err := json.Unmarshal(input.Bytes(), &found); err != nil {
			panic(err)
		}
		if found.Schema != nil {
			schema = found.Schema
		}
		for _, rule := range found.Rules {
			own := maps.Clone(schema)
			own["default"] = found.Default
			own["x-kubernetes-validations"] = []any{map[string]any{"rule": rule.Rule}}
			fmt.Println(judge(own))
		}
	}
}

// judge returns what the API server says of a definition with one field.
func judge(field map[string]any) string {
	text, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"name": "tugs.harbor.example.org"},
		"spec": map[string]any{
			"group": "harbor.example.org",
			"scope": "Namespaced",
			"names": map[string]any{"kind": "Tug", "listKind": "TugList", "plural": "tugs", "singular": "tug"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "properties": map[string]any{"value": field},
				}},
			}},
		},
	})
	if err != nil {
		panic(err)
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, definition); err != nil {
		return "other " + err.Error()
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(definition)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition, internal, nil); err != nil {
		return "other " + err.Error()
	}
	verdict := "accepted"
	for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), internal) {
		reason := strings.Join(strings.Fields(err.Error()), " ")
		switch {
		case strings.Contains(reason, "status.storedVersions"):
		case strings.HasSuffix(err.Field, ".default"), strings.Contains(err.Field, ".default."):
			if verdict == "accepted" {
				verdict = "refused " + reason
			}
		default:
			verdict = "other " + reason
		}
	}
	return verdict
}
