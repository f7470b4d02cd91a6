import { randomUUID } from "node:crypto";
import { systemActor } from "@purser/service/audit/actors.ts";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import type { ProjectId, TenantId } from "@purser/service/foundation/ids.ts";
import { createOperation } from "@purser/service/operations/operations.ts";
import { deleteProjectSaga } from "@purser/service/workflows/delete-project/delete-project.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

/** Makes a deletion of a project that needs an operator because its first step could not be undone. */
async function createStuckOperation({ app, live, saved, recall }: ConformanceContext): Promise<void> {
  const project = await live({ method: "POST", path: "/projects", body: { name: `Stuck ${randomUUID()}` } });
  const projectId = text(project, "project_id") as ProjectId;
  const tenantId = recall("developer_id") as TenantId;
  const work = { kind: deleteProjectSaga, subject: { type: "project", id: projectId }, projectId };
  const operationId = await withTransaction(app.db, tenantId, async (tx) => {
    const id = await createOperation(tx, app, systemActor({ tenantId, mode: "live" }), work);
    const error = { code: "provider_error", detail: "The provider rejected the request." };
    await deleteProjectSaga.escalateToOperator(tx, app, { tenantId, operationId: id }, error, "services");
    return id;
  });
  saved.set("operation_id", operationId);
}

export const adminOperations: readonly Operation[] = [
  row("POST /admin/login", {
    request: ({ admin: { email, password } }) => ({ body: { email, password } }),
    save: { "admin's first factor": "mfa_token" },
    wrong: [
      wrong("a wrong password", 401, {
        request: ({ admin: { email } }) => ({ body: { email, password: "another password" } }),
      }),
      wrong("a developer's address", 401, {
        request: ({ demo: { email, password } }) => ({ body: { email, password } }),
      }),
    ],
  }),
  row("POST /admin/login/totp", {
    request: ({ admin, recall }) => ({
      body: { mfa_token: recall("admin's first factor"), code: totpCode(admin.totpSecret, new Date()) },
    }),
    save: { "admin token": "access_token" },
    wrong: [
      wrong("an unknown token", 401, {
        request: ({ admin }) => ({
          body: { mfa_token: "x".repeat(43), code: totpCode(admin.totpSecret, new Date()) },
        }),
      }),
    ],
  }),
  row("POST /developers/dashboard/kyb", {
    request: { body: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "GB" } },
    wrong: [
      wrong("an unknown country", 422, {
        request: { body: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "ZZ" } },
      }),
    ],
  }),
  row("GET /developers/dashboard/kyb"),
  row("POST /developers/verify-kyb", {
    request: ({ recall }) => ({ body: { developer_id: recall("developer_id"), status: "verified" } }),
  }),
  row("GET /admin/developers"),
  row("GET /admin/developers/{developer_id}"),
  row("POST /admin/wallets/{wallet_id}/freeze", { request: { body: { reason: "compliance_review" } } }),
  row("POST /admin/wallets/{wallet_id}/unfreeze", { request: { body: {} } }),
  row("GET /admin/operations", { before: createStuckOperation }),
  row("POST /admin/operations/{operation_id}/compensate", {
    request: { body: { reason: "Deleted at the provider by hand." } },
    wrong: [wrong("no reason", 422, { request: { body: {} } })],
  }),
  row("POST /admin/operations/{operation_id}/retry", { before: createStuckOperation }),
  row("GET /admin/wallets"),
  row("GET /admin/audit"),
  row("GET /admin/health"),
  row("GET /admin/me"),
  row("POST /admin/logout"),
];
