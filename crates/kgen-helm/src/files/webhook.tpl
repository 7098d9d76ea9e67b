
{{- /* The secret with the certificate of the webhooks. */ -}}
{{- define "CHART.webhookSecret" -}}
{{- if eq .Values.webhook.certificate "existing" -}}
{{- required "webhook.secretName is required if webhook.certificate is existing" .Values.webhook.secretName -}}
{{- else -}}
{{- include "CHART.object" (dict "root" . "suffix" SECRET) -}}
{{- end -}}
{{- end -}}

{{- /* The data of the secret that the chart creates. An existing secret is kept; a new one is the same in all templates. */ -}}
{{- define "CHART.webhookSelfSigned" -}}
{{- if not (hasKey .Values "computed") -}}
{{- $data := dict -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "CHART.webhookSecret" .) | default dict -}}
{{- if get $secret "data" -}}
{{- $data = pick $secret.data "ca.crt" "tls.crt" "tls.key" -}}
{{- else -}}
{{- $host := printf "%s.%s.svc" (include "CHART.object" (dict "root" . "suffix" SERVICE)) .Release.Namespace -}}
{{- $authority := genCA (include "CHART.fullname" .) 3650 -}}
{{- $certificate := genSignedCert $host nil (list $host (printf "%s.cluster.local" $host)) 3650 $authority -}}
{{- $data = dict "ca.crt" (b64enc $authority.Cert) "tls.crt" (b64enc $certificate.Cert) "tls.key" (b64enc $certificate.Key) -}}
{{- end -}}
{{- $_ := set .Values "computed" $data -}}
{{- end -}}
{{- toYaml .Values.computed -}}
{{- end -}}

{{- /* The CA of the certificate of the webhooks, in base64. */ -}}
{{- define "CHART.webhookAuthority" -}}
{{- if eq .Values.webhook.certificate "self-signed" -}}
{{- get (include "CHART.webhookSelfSigned" . | fromYaml) "ca.crt" -}}
{{- else if .Values.webhook.caBundle -}}
{{- .Values.webhook.caBundle -}}
{{- else -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "CHART.webhookSecret" .) | default dict -}}
{{- get (get $secret "data" | default dict) "ca.crt" -}}
{{- end -}}
{{- end -}}
