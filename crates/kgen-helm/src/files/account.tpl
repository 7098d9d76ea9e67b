
{{- /* The name of the service account of the operator. */ -}}
{{- define "CHART.serviceAccountName" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if CREATES -}}
{{- include "CHART.object" (dict "root" . "suffix" ACCOUNT) -}}
{{- else -}}
default
{{- end -}}
{{- end -}}
