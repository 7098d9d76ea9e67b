// Prints the metrics of controller-runtime: one line per metric with its name, type, labels and the ends of its buckets.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	_ "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// use makes every metric that has buckets appear.
func use() {
	metrics.RegisterRESTClientMetrics(metrics.MetricRequestLatency)
	api := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		fmt.Fprint(answer, `{"kind":"ConfigMapList","apiVersion":"v1"}`)
	}))
	config := &rest.Config{Host: api.URL, APIPath: "/api", ContentConfig: rest.ContentConfig{
		GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
	}}
	client, err := rest.RESTClientFor(config)
	check(err)
	check(client.Get().Resource("configmaps").VersionedParams(&metav1.ListOptions{}, scheme.ParameterCodec).Do(context.Background()).Error())

	server := webhook.NewServer(webhook.Options{})
	server.Register("/mutate", &admission.Webhook{Handler: admission.HandlerFunc(
		func(context.Context, admission.Request) admission.Response { return admission.Allowed("") },
	)})
	server.WebhookMux().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mutate", nil))

	mgr, err := manager.New(config, manager.Options{})
	check(err)
	done := make(chan struct{})
	c, err := controller.NewUnmanaged("c", controller.Options{
		Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			close(done)
			return reconcile.Result{}, nil
		}),
		Logger: mgr.GetLogger(),
	})
	check(err)
	check(c.Watch(source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		queue.Add(reconcile.Request{})
		return nil
	})))
	go func() { check(c.Start(context.Background())) }()
	<-done
}

var described = regexp.MustCompile(`^Desc\{fqName: "(\w+)", .* variableLabels: \{([^}]*)\}\}$`)

func main() {
	ctrl.SetLogger(logr.Discard())
	use()
	lines := map[string]string{}
	descriptions := make(chan *prometheus.Desc)
	go func() {
		metrics.Registry.(prometheus.Collector).Describe(descriptions)
		close(descriptions)
	}()
	for description := range descriptions {
		found := described.FindStringSubmatch(description.String())
		if found == nil {
			panic(description.String())
		}
		labels := strings.Split(found[2], ",")
		sort.Strings(labels)
		lines[found[1]] = fmt.Sprintf("%s %s", found[1], strings.Join(labels, ","))
	}
	families, err := metrics.Registry.Gather()
	check(err)
	for _, family := range families {
		if family.GetType() != dto.MetricType_HISTOGRAM {
			continue
		}
		var ends []string
		for _, bucket := range family.GetMetric()[0].GetHistogram().GetBucket() {
			ends = append(ends, strconv.FormatFloat(bucket.GetUpperBound(), 'g', -1, 64))
		}
		lines[family.GetName()] += " " + strings.Join(ends, ",")
	}
	var sorted []string
	for name, line := range lines {
		if !strings.HasPrefix(name, "go_") {
			sorted = append(sorted, line)
		}
	}
	sort.Strings(sorted)
	fmt.Println(strings.Join(sorted, "\n"))
}
