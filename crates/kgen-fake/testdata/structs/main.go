// Prints the structs behind a pod in Kubernetes' own types, with the names of their fields in v1.
//
// Messages about changed pods show the difference of two such structs, and they are not part of any document of a server.
// The arguments are the files types.go of pkg/apis/core in k8s.io/kubernetes and of core/v1 in k8s.io/api.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"reflect"
	"strings"
)

type field [3]string

var files = token.NewFileSet()

func declarations(path string) map[string]ast.Expr {
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	types := map[string]ast.Expr{}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			types[spec.Name.Name] = spec.Type
		}
		return true
	})
	return types
}

func text(expression ast.Expr) string {
	var builder strings.Builder
	if err := printer.Fprint(&builder, files, expression); err != nil {
		panic(err)
	}
	return builder.String()
}

// keys returns the names of the fields of a struct of v1 in JSON.
func keys(expression ast.Expr) map[string]string {
	found := map[string]string{}
	if structure, ok := expression.(*ast.StructType); ok {
		for _, one := range structure.Fields.List {
			for _, name := range one.Names {
				tag := reflect.StructTag(strings.Trim(one.Tag.Value, "`")).Get("json")
				found[name.Name] = strings.Split(tag, ",")[0]
			}
		}
	}
	return found
}

func main() {
	own, v1 := declarations(os.Args[1]), declarations(os.Args[2])
	result := map[string]any{}
	var add func(string)
	add = func(name string) {
		name = strings.TrimLeft(name, "*[]")
		if inner, ok := strings.CutPrefix(name, "map[string]"); ok {
			name = strings.TrimLeft(inner, "*[]")
		}
		declaration, known := own[name]
		if _, done := result[name]; done || !known {
			return
		}
		structure, ok := declaration.(*ast.StructType)
		if !ok {
			result[name] = text(declaration)
			add(text(declaration))
			return
		}
		fields := []field{}
		result[name] = fields
		names := keys(v1[name])
		for _, one := range structure.Fields.List {
			kind := text(one.Type)
			if len(one.Names) == 0 {
				fields = append(fields, field{"", "", kind})
			}
			for _, field_name := range one.Names {
				fields = append(fields, field{field_name.Name, names[field_name.Name], kind})
			}
			add(kind)
		}
		result[name] = fields
	}
	add("PodTemplateSpec")
	add("EphemeralContainer")
	encoded, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(encoded))
}
