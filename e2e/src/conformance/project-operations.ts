import { submitForm } from "../../../local/src/demo/submit-form.ts";
import { until } from "../until.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

const CALLBACK = "/projects/webhooks/oauth-callback";

function callback(method: "GET" | "POST", decision: "allow" | "deny"): Operation {
  return row(`${method} ${CALLBACK}`, {
    request: (context) => consent(context, "supabase", decision),
    wrong: [wrong("an unknown state", 422, { request: { path: `${CALLBACK}?state=${"x".repeat(43)}&code=x` } })],
  });
}

/** Starts linking a provider and submits a decision on its consent page. Returns the callback. */
async function consent({ recall, live }: ConformanceContext, provider: string, decision: "allow" | "deny") {
  const path = `/projects/${recall("project_id")}/link`;
  const link = await live({ method: "POST", path, body: { provider } });
  const redirect = await submitForm(text(link, "url"), { decision });
  return { path: CALLBACK + new URL(redirect.headers.get("location") ?? "").search };
}

async function serviceIsAdded({ live }: ConformanceContext, operationId: string): Promise<void> {
  await until("the service is added", async () => {
    const operation = await live({ method: "GET", path: `/operations/${operationId}` });
    return text(operation, "status") === "succeeded" || undefined;
  });
}

/** Adds a service of a provider that offers a URL of its dashboard. */
async function addServiceWithDashboard(context: ConformanceContext): Promise<void> {
  const { anonymous, live, recall, saved } = context;
  await anonymous({ method: "GET", ...(await consent(context, "acme-queue", "allow")) });
  const path = `/projects/${recall("project_id")}/services`;
  const added = await live({ method: "POST", path, body: { service: "acme-queue/queue-small" } });
  await serviceIsAdded(context, text(added, "operation.operation_id"));
  saved.set("service with dashboard", text(added, "service.service_id"));
}

/** Operations on one project, from its creation to its deletion. */
export const projectOperations: readonly Operation[] = [
  row("GET /projects/catalog"),
  row("POST /projects", { request: { body: { name: "Conformance" } }, save: { project_id: "project_id" } }),
  row("GET /projects"),
  row("GET /projects/{project_id}"),
  row("PATCH /projects/{project_id}", { request: { body: { description: "Conformance" } } }),
  row("PUT /projects/{project_id}/variables/{name}", { request: { body: { value: "hello" } } }),
  row("GET /projects/{project_id}/variables"),
  row("GET /projects/{project_id}/variables/{name}"),
  row("GET /projects/{project_id}/env"),
  row("POST /projects/{project_id}/env/compare", {
    request: { headers: { "x-svc-mode": "live" }, body: { environment: "development", values: { API_URL: "x" } } },
    wrong: [wrong("no mode", 422, { request: { body: { environment: "development", values: {} } } })],
  }),
  row("POST /projects/{project_id}/billing/payment-methods", {
    request: { body: { payment_method_id: "pm_card_visa" } },
  }),
  callback("GET", "deny"),
  callback("POST", "allow"),
  row("POST /projects/{project_id}/link", {
    request: { body: { provider: "neon" } },
    save: { link_id: "link_id", "link's page": "url" },
  }),
  row("GET /projects/{project_id}/links/{link_id}"),
  row("POST /projects/{project_id}/services", {
    before: ({ recall }) => submitForm(recall("link's page"), { token: "sandbox-ada" }),
    request: { body: { service: "neon/postgres" } },
    save: { service_id: "service.service_id", operation_id: "operation.operation_id" },
  }),
  row("GET /projects/{project_id}/operations/{operation_id}", {
    before: (context) => serviceIsAdded(context, context.recall("operation_id")),
  }),
  row("GET /operations/{operation_id}"),
  row("GET /projects/{project_id}/services"),
  row("GET /projects/{project_id}/services/{service_id}"),
  row("POST /projects/{project_id}/services/{service_id}/upgrade", { request: { body: { plan: "launch" } } }),
  row("POST /projects/{project_id}/services/{service_id}/rotate", { request: { body: { grace_period_seconds: 60 } } }),
  row("POST /projects/{project_id}/services/{service_id}/deep-link", {
    before: addServiceWithDashboard,
    request: ({ recall }) => ({
      path: `/projects/${recall("project_id")}/services/${recall("service with dashboard") || "unknown"}/deep-link`,
    }),
    wrong: [
      wrong("a service whose provider offers no URL", 404, {
        request: ({ recall }) => ({
          path: `/projects/${recall("project_id")}/services/${recall("service_id")}/deep-link`,
        }),
      }),
    ],
  }),
  row("GET /projects/{project_id}/status"),
  row("GET /projects/{project_id}/charges"),
  row("GET /projects/{project_id}/audit"),
  row("DELETE /projects/{project_id}/services/{service_id}"),
  row("GET /projects/{project_id}/links", { save: { link_id: "data.2.link_id" } }),
  row("DELETE /projects/{project_id}/links/{link_id}"),
  row("DELETE /projects/{project_id}/variables/{name}"),
  row("POST /projects/{project_id}/delete-preview"),
  row("DELETE /projects/{project_id}"),
];
