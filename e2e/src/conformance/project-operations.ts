import { submitForm } from "../../../local/src/demo/submit-form.ts";
import { until } from "../until.ts";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation, publicOperation, wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const CALLBACK = "/projects/webhooks/oauth-callback";

/**
 * Defines one call to a project route. Placeholders in braces in the path are replaced with values saved by earlier
 * calls.
 */
function row(
  name: Operation["name"],
  status: number,
  {
    body,
    save,
    credential = "tenant",
  }: {
    readonly body?: object;
    /** Maps the name of each value to save to the value's path in the response body. */
    readonly save?: Readonly<Record<string, string>>;
    readonly credential?: "tenant" | "signed";
  } = {},
): Operation {
  return authenticatedOperation(name, credential, status, callTo(name, body), {
    save: (response, { saved }) => {
      for (const [key, path] of Object.entries(save ?? {})) saved.set(key, text(response, path));
    },
  });
}

function callTo(name: Operation["name"], body?: object) {
  const [method, path = ""] = name.split(" ") as [Call["method"], string];
  return ({ recall }: ConformanceContext): Call => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_match, key: string) => (key === "name" ? "GREETING" : recall(key))),
    ...(body !== undefined && { body }),
  });
}

/** Starts linking a provider and submits a decision on its consent page. Returns the callback's query string. */
async function consent({ recall, live }: ConformanceContext, decision: "allow" | "deny"): Promise<string> {
  const body = { provider: "supabase" };
  const link = await live({
    method: "POST",
    path: `/projects/${recall("project_id")}/link`,
    body,
  });
  const redirect = await submitForm(text(link, "url"), { decision });
  return new URL(redirect.headers.get("location") ?? "").search;
}

function callback(method: "GET" | "POST", decision: "allow" | "deny"): Operation {
  const unknown = `${CALLBACK}?state=${"x".repeat(43)}&code=x`;
  return {
    ...publicOperation(`${method} ${CALLBACK}`, 200, { method, path: CALLBACK }),
    wrongCalls: [wrongCall("an unknown state", 422, { method, path: unknown })],
    call: async (context) => context.anonymous({ method, path: CALLBACK + (await consent(context, decision)) }),
  };
}

const addService = row("POST /projects/{project_id}/services", 202, {
  body: { service: "neon/postgres" },
  save: { service_id: "service.service_id", operation_id: "operation.operation_id" },
});
const getOperation = row("GET /projects/{project_id}/operations/{operation_id}", 200);

/** Operations on one project, from its creation to its deletion. */
export const projectOperations: readonly Operation[] = [
  row("GET /projects/catalog", 200),
  row("POST /projects", 201, { body: { name: "Conformance" }, save: { project_id: "project_id" } }),
  row("GET /projects", 200),
  row("GET /projects/{project_id}", 200),
  row("PATCH /projects/{project_id}", 200, { body: { description: "Conformance" } }),
  row("PUT /projects/{project_id}/variables/{name}", 200, { body: { value: "hello" } }),
  row("GET /projects/{project_id}/variables", 200),
  row("GET /projects/{project_id}/variables/{name}", 200),
  row("GET /projects/{project_id}/env", 200, { credential: "signed" }),
  row("POST /projects/{project_id}/billing/payment-methods", 200, {
    body: { payment_method_id: "pm_card_visa" },
  }),
  callback("GET", "deny"),
  callback("POST", "allow"),
  row("POST /projects/{project_id}/link", 200, {
    body: { provider: "neon" },
    save: { link_id: "link_id", "link's page": "url" },
  }),
  row("GET /projects/{project_id}/links/{link_id}", 200),
  {
    ...addService,
    call: async (context) => {
      await submitForm(context.recall("link's page"), { token: "sandbox-ada" });
      return addService.call(context);
    },
  },
  {
    ...getOperation,
    call: async (context) => {
      const ended = until("the service is added", async () => {
        const response = await getOperation.call(context);
        return text(response, "status") === "succeeded" ? response : undefined;
      });
      return (await ended).value;
    },
  },
  row("GET /operations/{operation_id}", 200),
  row("GET /projects/{project_id}/services", 200),
  row("GET /projects/{project_id}/services/{service_id}", 200),
  row("POST /projects/{project_id}/services/{service_id}/upgrade", 200, {
    body: { plan: "launch" },
  }),
  row("POST /projects/{project_id}/services/{service_id}/rotate", 200, {
    body: { grace_period_seconds: 60 },
  }),
  // The service's provider offers no URL of its dashboard.
  row("POST /projects/{project_id}/services/{service_id}/deep-link", 404),
  row("GET /projects/{project_id}/status", 200),
  row("GET /projects/{project_id}/charges", 200),
  row("GET /projects/{project_id}/audit", 200),
  row("DELETE /projects/{project_id}/services/{service_id}", 200),
  row("GET /projects/{project_id}/links", 200, { save: { link_id: "data.1.link_id" } }),
  row("DELETE /projects/{project_id}/links/{link_id}", 200),
  row("DELETE /projects/{project_id}/variables/{name}", 200),
  row("POST /projects/{project_id}/delete-preview", 200),
  row("DELETE /projects/{project_id}", 200),
];
