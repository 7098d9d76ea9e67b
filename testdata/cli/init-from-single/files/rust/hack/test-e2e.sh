#!/usr/bin/env bash
# Deploys the operator with the image IMG to the cluster of KUBECTL, creates the samples, and waits until they exist.
# `make test-e2e` runs it on a kind cluster.
set -euo pipefail
: "${IMG:?the image of the operator}" "${KUBECTL:?kubectl with its context}"

make deploy KUBECTL="$KUBECTL" IMG="$IMG"
$KUBECTL --namespace fleet-system wait deployment/fleet-controller-manager --for=condition=Available --timeout=180s
if [ -f config/samples/kustomization.yaml ]; then
    # Webhooks answer a moment after the pod is ready.
    for attempt in 1 2 3 4 5 6; do
        $KUBECTL apply --server-side -k config/samples && break
        if [ "$attempt" = 6 ]; then exit 1; fi
        sleep 10
    done
    $KUBECTL get -k config/samples
fi
