#!/usr/bin/env bash
# Deploys the operator with the image IMG to the cluster of KUBECTL, with cert-manager if there are webhooks.
# Then it creates the samples, waits until they exist, and reads the metrics. `make test-e2e` runs it on a kind cluster.
set -euo pipefail
: "${IMG:?the image of the operator}" "${KUBECTL:?kubectl with its context}"

namespace=shop-system
cert_manager=https://github.com/cert-manager/cert-manager/releases/download/${CERT_MANAGER_VERSION:-v1.19.1}/cert-manager.yaml

# Runs a command again until it succeeds.
retry() {
    for attempt in 1 2 3 4 5 6; do
        if "$@"; then return 0; fi
        if [ "$attempt" != 6 ]; then sleep "${RETRY_SECONDS:-10}"; fi
    done
    return 1
}

# cert-manager issues the certificate of the webhooks. A cluster that has it keeps its version.
manifests=$($KUBECTL kustomize config/default)
if grep -q '^apiVersion: cert-manager.io/' <<< "$manifests" \
    && ! $KUBECTL get customresourcedefinition certificates.cert-manager.io > /dev/null 2>&1; then
    $KUBECTL apply --server-side -f "$cert_manager"
    $KUBECTL --namespace cert-manager wait deployment --all --for=condition=Available --timeout=300s
    # Its webhook answers a moment after its pods are ready.
    issuer='{"apiVersion": "cert-manager.io/v1", "kind": "Issuer", "metadata": {"name": "test"}, "spec": {"selfSigned": {}}}'
    accepts_issuers() { $KUBECTL create --namespace default --dry-run=server -f - <<< "$issuer"; }
    retry accepts_issuers
fi

make deploy KUBECTL="$KUBECTL" IMG="$IMG"
$KUBECTL --namespace shop-system wait deployment/shop-controller-manager --for=condition=Available --timeout=180s
if [ -f config/samples/kustomization.yaml ]; then
    # Webhooks answer a moment after the pod is ready.
    for attempt in 1 2 3 4 5 6; do
        $KUBECTL apply --server-side -k config/samples && break
        if [ "$attempt" = 6 ]; then exit 1; fi
        sleep 10
    done
    $KUBECTL get -k config/samples
fi

# Clients with the role `metrics-reader` get the metrics, and others do not.
service=$($KUBECTL --namespace "$namespace" get service --output=name | sed -n 's|^service/\(.*metrics-service\)$|\1|p' | head -n 1)
if [ -n "$service" ]; then
    account=shop-controller-manager
    binding=$($KUBECTL create clusterrolebinding shop-test-e2e --clusterrole=shop-metrics-reader \
        --serviceaccount="$namespace:$account" --dry-run=client --output=yaml)
    $KUBECTL apply --server-side -f - <<< "$binding"
    token=$($KUBECTL --namespace "$namespace" create token "$account")
    forwarded=$(mktemp)
    $KUBECTL --namespace "$namespace" port-forward "service/$service" :8443 > "$forwarded" &
    forwarding=$!
    trap 'kill "$forwarding" || true; rm -f "$forwarded"' EXIT
    while kill -0 "$forwarding" && [ ! -s "$forwarded" ]; do sleep 0.2; done
    # Reads them with this authorization; curl sends no header if it is empty.
    read_metrics() {
        port=$(sed -n 's/^Forwarding from 127\.0\.0\.1:\([0-9]*\) .*/\1/p' "$forwarded")
        [ -n "$port" ] && curl --silent --show-error --fail --insecure --output /dev/null --header "Authorization: $1" "https://127.0.0.1:$port/metrics"
    }
    retry read_metrics "Bearer $token"
    if read_metrics ""; then
        echo "clients without a token can read the metrics" >&2
        exit 1
    fi
else
    echo "there is no service for the metrics" >&2
fi
