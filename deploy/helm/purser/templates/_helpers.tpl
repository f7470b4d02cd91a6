{{- define "purser.selector" -}}
app.kubernetes.io/name: purser
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "purser.labels" -}}
{{ include "purser.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* What all pods have in common. */}}
{{- define "purser.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
serviceAccountName: {{ .Values.serviceAccountName }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* What all containers have in common. */}}
{{- define "purser.container" -}}
image: {{ required "image.repository is missing: where you pushed the image" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}
