// Asks the code of the Kubernetes API server what evaluating rules costs.
//
// Reads lines of JSON from standard input, the first with a schema, each further one with a default and rules. Prints a
// line for every rule: the cost that the API server counts and the result, or `none` if it does not compile the rule.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// line is one line of the input.
type line struct {
	Schema  *apiextensionsv1.JSONSchemaProps `json:"schema"`
	Default json.RawMessage                  `json:"default"`
	Rules   []apiextensionsv1.ValidationRule `json:"rules"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<28)
	var structural *schema.Structural
	for lines.Scan() {
		var one line
		check(json.Unmarshal(lines.Bytes(), &one))
		if one.Schema != nil {
			structural = structuralOf(one.Schema)
		}
		if len(one.Rules) > 0 {
			printCosts(*structural, valueOf(one.Default), one.Rules)
		}
	}
}

// structuralOf converts a schema to the form that the compiler needs.
func structuralOf(props *apiextensionsv1.JSONSchemaProps) *schema.Structural {
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil))
	structural, err := schema.NewStructural(internal)
	check(err)
	return structural
}

// valueOf reads a default as the API server does: numbers without a fraction are integers.
func valueOf(text json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	check(decoder.Decode(&value))
	return withNumbers(value)
}

func withNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			value[key] = withNumbers(part)
		}
	case []any:
		for index, part := range value {
			value[index] = withNumbers(part)
		}
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		fraction, err := value.Float64()
		check(err)
		return fraction
	}
	return value
}

func printCosts(structural schema.Structural, value any, rules []apiextensionsv1.ValidationRule) {
	structural.XValidations = rules
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	declared := model.SchemaDeclType(&structural, false)
	results, err := cel.Compile(&structural, declared, celconfig.PerCallLimit, base, cel.NewExpressionsEnvLoader())
	check(err)
	self := cel.UnstructuredToVal(value, &structural)
	for _, result := range results {
		if result.Program == nil {
			fmt.Println("none")
			continue
		}
		variables := map[string]any{"self": self, "oldSelf": self}
		answer, details, err := result.Program.ContextEval(context.Background(), variables)
		fmt.Println(*details.ActualCost(), answer, err)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
