import type { RouteOptions } from "fastify";

/** A code sample of an operation (Redocly's `x-codeSamples`, which the API reference shows). */
interface CodeSample {
  readonly lang: "TypeScript" | "Shell";
  readonly label: string;
  readonly source: string;
}

/** Request bodies that work as printed. */
const BODIES: Readonly<Record<string, object>> = {
  addService: { service: "neon/postgres" },
  attachPaymentMethod: { payment_method_id: "pm_card_visa" },
  createApiKey: { name: "CI", mode: "test" },
  createProject: { name: "My App" },
  linkProvider: { provider: "neon" },
  rotateApiKey: { grace_period_seconds: 3600 },
  saveProviderKeys: { credentials: { api_key: "YOUR_KEY" }, verify: "skip" },
  setVariable: { value: "hello" },
  testSignature: { method: "GET", path: "/api/v1/svc/projects", timestamp: "1785000000" },
  updateProject: { monthly_cap: "250.00" },
};

/** Path parameters that are names. Ids come from the environment: `{project_id}` from PROJECT_ID. */
const NAMES: Readonly<Record<string, string>> = { name: "GREETING", provider: "helius" };

/** The SDK's call of each operation behind a signature. BODY is replaced by the body; `each` iterates over all items. */
const SDK_CALLS: Readonly<Record<string, string>> = {
  addService: "projects.services.add(PROJECT_ID, BODY)",
  attachPaymentMethod: "projects.billing.attachPaymentMethod(PROJECT_ID, BODY)",
  browseCatalog: "each projects.catalog()",
  createApiKey: "developers.keys.issue(BODY)",
  createProject: "projects.create(BODY)",
  deleteProject: "projects.delete(PROJECT_ID)",
  deleteVariable: 'projects.variables.delete(PROJECT_ID, "GREETING")',
  exportAuditChain: "each audit.export()",
  getDeveloper: "developers.me()",
  getLimits: "limits()",
  getLink: "projects.links.get(PROJECT_ID, LINK_ID)",
  getOperation: "projects.operations.get(PROJECT_ID, OPERATION_ID)",
  getOperationById: "operations.get(OPERATION_ID)",
  getProject: "projects.get(PROJECT_ID)",
  getProjectStatus: "projects.status(PROJECT_ID)",
  getService: "projects.services.get(PROJECT_ID, SERVICE_ID)",
  getVariable: 'projects.variables.get(PROJECT_ID, "GREETING")',
  linkProvider: "projects.links.begin(PROJECT_ID, BODY)",
  listApiKeys: "each developers.keys.list()",
  listAuditCheckpoints: "each audit.checkpoints()",
  listAuditEntries: "each audit.entries()",
  listAuthFailures: "each developers.keys.authFailures()",
  listLinks: "each projects.links.list(PROJECT_ID)",
  listProjectAudit: "each projects.audit(PROJECT_ID)",
  listProjects: "each projects.list()",
  listProviderKeys: "developers.providerKeys.list()",
  listServices: "each projects.services.list(PROJECT_ID)",
  listVariables: "each projects.variables.list(PROJECT_ID)",
  previewProjectDeletion: "projects.deletePreview(PROJECT_ID)",
  pullEnv: "projects.env.pull(PROJECT_ID)",
  removeProviderKeys: 'developers.providerKeys.remove("helius")',
  removeService: "projects.services.remove(PROJECT_ID, SERVICE_ID)",
  revokeApiKey: "developers.keys.revoke(KEY_ID)",
  revokeLink: "projects.links.revoke(PROJECT_ID, LINK_ID)",
  rotateApiKey: "developers.keys.rotate(KEY_ID, BODY)",
  saveProviderKeys: 'developers.providerKeys.save("helius", BODY)',
  setVariable: 'projects.variables.set(PROJECT_ID, "GREETING", BODY)',
  testSignature: "developers.keys.testSignature(KEY_ID, BODY)",
  updateProject: "projects.update(PROJECT_ID, BODY)",
  verifyAudit: "audit.verify()",
  verifyProviderKeysAudit: "developers.providerKeys.verifyAudit()",
};

/** The samples of an operation behind a signature. Empty for the others. */
export function codeSamples({ config, method, schema, url }: RouteOptions): CodeSample[] {
  if (config?.auth !== "signed" && config?.auth !== "tenant") return [];
  const operationId = schema?.operationId ?? "";
  const body = BODIES[operationId];
  const shell = shellSample(String(method), url, body);
  const call = SDK_CALLS[operationId];
  if (call === undefined) return [{ lang: "Shell", label: "Signed with curl", source: shell }];
  return [
    { lang: "TypeScript", label: "TypeScript SDK", source: sdkSample(call, body) },
    { lang: "Shell", label: "Signed with curl", source: shell },
  ];
}

function sdkSample(call: string, body: object = {}): string {
  const [, each, expression = ""] = /^(each )?(.*)$/.exec(call) ?? [];
  const ids = [...new Set(expression.match(/\b[A-Z]+_ID\b/g))].map((name) => `${name} = ""`);
  const answer = `purser.${expression.replace("BODY", literal(body))}`;
  return [
    'import { Purser } from "@purser/sdk";',
    "",
    "// Reads PURSER_BASE_URL, PURSER_API_KEY and PURSER_API_SECRET.",
    "const purser = new Purser();",
    ...(ids.length > 0 ? [`const { ${ids.join(", ")} } = process.env;`] : []),
    each === undefined
      ? `console.log(await ${answer});`
      : `for await (const item of ${answer}) console.log(item);`,
  ].join("\n");
}

/** The body as an object literal: `{ name: "My App" }`. */
function literal(body: object): string {
  return JSON.stringify(body, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/"(\w+)":/g, "$1:");
}

function shellSample(method: string, url: string, body: object | undefined): string {
  const path = url.replace(/:(\w+)/g, (_, name: string) => NAMES[name] ?? `$${name.toUpperCase()}`);
  return [
    `METHOD=${method} REQUEST_PATH="${path}"`,
    `BODY='${body === undefined ? "" : JSON.stringify(body)}'`,
    "",
    "sha256() { openssl dgst -sha256 -r \"$@\" | cut -d' ' -f1; }",
    'KEY=$(printf %s "$PURSER_API_SECRET" | sha256) NOW=$(date +%s)',
    'SIGNATURE=$(printf %s "$NOW.$METHOD.$REQUEST_PATH.$(printf %s "$BODY" | sha256)" | sha256 -hmac "$KEY")',
    'curl -sS --fail-with-body -X "$METHOD" "$PURSER_BASE_URL$REQUEST_PATH" \\',
    '  -H "Authorization: $PURSER_API_KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\',
    `  -H "X-Request-Signature: $SIGNATURE"${body === undefined ? "" : " \\"}`,
    ...(body === undefined
      ? []
      : ["  -H 'Content-Type: application/json' --data-binary \"$BODY\""]),
  ].join("\n");
}
