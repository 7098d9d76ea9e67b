{{- /* The name of the application. */ -}}
{{- define "CHART.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* The first part of all names. */ -}}
{{- define "CHART.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "CHART.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The name of an object, from its suffix: at most 63 characters. A hash replaces the end of a long first part. */ -}}
{{- define "CHART.object" -}}
{{- $name := include "CHART.fullname" .root -}}
{{- $room := 63 -}}
{{- if .suffix -}}
{{- $room = sub 62 (len .suffix) | int -}}
{{- end -}}
{{- if gt (len $name) $room -}}
{{- $name = printf "%s-%s" (trunc (sub $room 7 | int) $name | trimSuffix "-") (sha256sum $name | trunc 6) -}}
{{- end -}}
{{- if .suffix -}}
{{- printf "%s-%s" $name .suffix -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{- /* The labels that select pods and services of the release. */ -}}
{{- define "CHART.selector" -}}
{{- $own := dict "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/name" (include "CHART.name" .root) -}}
{{- merge (dict) .labels $own | toYaml -}}
{{- end -}}

{{- /* The labels of an object. */ -}}
{{- define "CHART.labels" -}}
{{- $own := dict
  "app.kubernetes.io/instance" .root.Release.Name
  "app.kubernetes.io/managed-by" .root.Release.Service
  "app.kubernetes.io/name" (include "CHART.name" .root)
  "app.kubernetes.io/version" (.root.Chart.AppVersion | default .root.Chart.Version | replace "+" "_" | trunc 63)
  "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
-}}
{{- merge (dict) .labels $own .root.Values.commonLabels | toYaml -}}
{{- end -}}

{{- /* The labels of the pods of the operator. */ -}}
{{- define "CHART.podLabels" -}}
{{- $own := dict "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/name" (include "CHART.name" .root) -}}
{{- merge (dict) .labels $own .root.Values.podLabels .root.Values.commonLabels | toYaml -}}
{{- end -}}

{{- /* The labels of a role for users, which can belong to a built-in role. */ -}}
{{- define "CHART.aggregatedLabels" -}}
{{- $root := .root -}}
{{- $labels := dict -}}
{{- range $key, $value := .labels -}}
{{- if or $root.Values.rbac.aggregate (not (hasPrefix "rbac.authorization.k8s.io/aggregate-to-" $key)) -}}
{{- $_ := set $labels $key $value -}}
{{- end -}}
{{- end -}}
{{- include "CHART.labels" (dict "root" $root "labels" $labels) -}}
{{- end -}}

{{- /* The image of the operator. */ -}}
{{- define "CHART.image" -}}
{{- if and .Values.image.digest .Values.image.tag -}}
{{- printf "%s:%s@%s" .Values.image.repository .Values.image.tag .Values.image.digest -}}
{{- else if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
