// Asks the code of the Kubernetes API server for the values of expressions.
//
// The file `object.json` has a schema and a value for `self` and `oldSelf`. Standard input has one expression per line.
// Prints every expression, and below it the cost that the API server counts and the value or the error, or `refused` if
// it does not compile the expression.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var file struct {
		Schema *apiextensionsv1.JSONSchemaProps `json:"schema"`
		Self   json.RawMessage                  `json:"self"`
	}
	check(json.Unmarshal(text, &file))
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(file.Schema, internal, nil))
	structural, err := schema.NewStructural(internal)
	check(err)
	var value any
	check(utiljson.Unmarshal(file.Self, &value))

	declared := model.SchemaDeclType(structural, false).MaybeAssignTypeName("selfType")
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 37))
	extended, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("self", declared.CelType()),
			cel.Variable("oldSelf", types.NewOptionalType(declared.CelType())),
		},
		DeclTypes: []*apiservercel.DeclType{declared},
	})
	check(err)
	env := extended.StoredExpressionsEnv()

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if lines.Text() == "" {
			continue
		}
		fmt.Println(lines.Text())
		fmt.Println("    " + verdict(env, lines.Text(), schemacel.UnstructuredToVal(value, structural)))
	}
}

func verdict(env *cel.Env, expression string, self ref.Val) string {
	compiled, issues := env.Compile(expression)
	if issues.Err() != nil {
		if os.Getenv("WHY") != "" {
			return "refused " + strings.ReplaceAll(issues.Err().Error(), "\n", " ")
		}
		return "refused"
	}
	program, err := env.Program(compiled)
	if err != nil {
		return "refused"
	}
	variables := map[string]any{"self": self, "oldSelf": types.OptionalOf(self)}
	answer, details, err := program.ContextEval(context.Background(), variables)
	cost := *details.ActualCost()
	if err != nil {
		return fmt.Sprintf("%d error %s", cost, quoted(err.Error()))
	}
	return fmt.Sprintf("%d %s", cost, shown(answer))
}

// shown returns a value in a notation that programs in other languages can produce, too.
func shown(value ref.Val) string {
	switch value := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(value))
	case types.Int:
		return strconv.FormatInt(int64(value), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(value), 10) + "u"
	case types.Double:
		return "double " + strconv.FormatFloat(float64(value), 'f', -1, 64)
	case types.String:
		return quoted(string(value))
	case types.Bytes:
		return fmt.Sprintf("b%x", []byte(value))
	case types.Timestamp:
		return "timestamp " + value.Format(time.RFC3339Nano)
	case types.Duration:
		return "duration " + strconv.FormatInt(int64(value.Duration), 10)
	case *types.Type:
		return "type " + value.TypeName()
	case *types.Optional:
		if value.HasValue() {
			return "optional(" + shown(value.GetValue()) + ")"
		}
		return "optional()"
	case apiservercel.Quantity:
		return "quantity " + decimal(value)
	case *apiservercel.Quantity:
		return "quantity " + decimal(*value)
	case apiservercel.IP:
		return "ip " + value.String()
	case apiservercel.CIDR:
		return "cidr " + value.Prefix.String()
	case apiservercel.URL:
		return "url " + value.URL.String()
	case apiservercel.Semver:
		return "semver " + value.Version.String()
	case apiservercel.Format:
		return "format " + value.Name
	case traits.Lister:
		var items []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			items = append(items, shown(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case traits.Mapper:
		var entries []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if key == nil {
				continue
			}
			entries = append(entries, shown(key)+": "+shown(value.Get(key)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ", ") + "}"
	}
	return fmt.Sprintf("%T", value)
}

func quoted(text string) string {
	var buffer strings.Builder
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(text))
	return strings.TrimSuffix(buffer.String(), "\n")
}

// decimal returns a quantity without an exponent and without zeros at the end.
func decimal(value apiservercel.Quantity) string {
	own := value.DeepCopy()
	text := own.AsDec().String()
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
