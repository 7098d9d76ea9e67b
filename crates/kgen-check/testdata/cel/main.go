// Asks the code of the Kubernetes API server what rules cost, and which of them it refuses.
//
// Reads lines from the standard input, each with a schema and rules (`{"schema": …, "rules": [{"rule": …}, …]}`), and prints a
// line for each rule: `cost` with the estimates of the rule and of its message expression, or `refused` with the reason.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// example is one line of the input.
type example struct {
	Schema apiextensionsv1.JSONSchemaProps  `json:"schema"`
	Rules  []apiextensionsv1.ValidationRule `json:"rules"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<28)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for lines.Scan() {
		var one example
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		for _, verdict := range judge(one) {
			fmt.Fprintln(output, strings.Join(strings.Fields(verdict), " "))
		}
	}
}

// judge returns a verdict for each rule.
func judge(one example) []string {
	refuseAll := func(reason string) []string {
		verdicts := make([]string, len(one.Rules))
		for index := range verdicts {
			verdicts[index] = "refused " + reason
		}
		return verdicts
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&one.Schema, internal, nil); err != nil {
		return refuseAll(err.Error())
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		return refuseAll(err.Error())
	}
	structural.XValidations = one.Rules
	declared := model.SchemaDeclType(structural, structural.XEmbeddedResource)
	// Before v0.34, the environment takes `true` as a second argument.
	environmentSet := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := cel.Compile(structural, declared, celconfig.PerCallLimit, environmentSet, cel.NewExpressionsEnvLoader())
	if err != nil {
		return refuseAll(err.Error())
	}
	var verdicts []string
	for _, result := range results {
		switch {
		case result.Error != nil:
			verdicts = append(verdicts, "refused "+result.Error.Detail)
		case result.MessageExpressionError != nil:
			verdicts = append(verdicts, "refused "+result.MessageExpressionError.Detail)
		default:
			verdicts = append(verdicts, fmt.Sprintf("cost %d %d", result.MaxCost, result.MessageExpressionMaxCost))
		}
	}
	return verdicts
}
