// Asks the validation code of the Kubernetes API server what it thinks of custom resource definitions.
//
// Reads the files that the test `write_the_examples` writes (one definition a file, as JSON) and prints a line for
// each: its name, `accepted` or `refused`, and the first reason.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
)

func main() {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	if err != nil {
		panic(err)
	}
	sort.Strings(files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if reason := judge(file); reason != "" {
			fmt.Printf("%s refused %s\n", name, shortened(reason))
		} else {
			fmt.Printf("%s accepted\n", name)
		}
	}
}

// shortened returns the beginning of a text, on one line.
func shortened(text string) string {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) > 120 {
		letters = letters[:120]
	}
	return strings.TrimSpace(string(letters))
}

// judge returns the first reason why the API server would refuse the definition in a file.
func judge(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, definition); err != nil {
		return err.Error()
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(definition)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition, internal, nil); err != nil {
		return err.Error()
	}
	var reasons []string
	for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), internal) {
		reasons = append(reasons, err.Error())
	}
	sort.Strings(reasons)
	if len(reasons) == 0 {
		return ""
	}
	return reasons[0]
}
