
{{- /* The secret with the certificate of the webhooks. */ -}}
{{- define "CHART.webhookSecret" -}}
{{- if eq .Values.webhook.certificate "existing" -}}
{{- required "webhook.secretName is required if webhook.certificate is existing" .Values.webhook.secretName -}}
{{- else -}}
{{- include "CHART.object" (dict "root" . "suffix" SECRET) -}}
{{- end -}}
{{- end -}}

{{- /* The CA of the certificate of the webhooks, in base64. */ -}}
{{- define "CHART.webhookAuthority" -}}
{{- if .Values.webhook.caBundle -}}
{{- .Values.webhook.caBundle -}}
{{- else -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "CHART.webhookSecret" .) | default dict -}}
{{- get (get $secret "data" | default dict) "ca.crt" -}}
{{- end -}}
{{- end -}}
