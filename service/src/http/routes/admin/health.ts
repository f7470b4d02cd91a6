import { AdminHealthResource, readHealth } from "../../../workflows/admin-console/read-health.ts";
import { endpoint } from "../../route.ts";
import { recordAccess } from "./record-access.ts";

export const getAdminHealthRoute = endpoint("GET /api/v1/svc/admin/health", {
  operationId: "getAdminHealth",
  summary: "Get the server's health",
  description:
    "Returns what `/readyz` checks, and how much background work, emails and operations wait. It is 200 also if the process is not ready. Each call is recorded in the operators' audit trail.",
  auth: "admin",
  answers: { 200: AdminHealthResource },
  run: async (app, request) => {
    await recordAccess(app, request, { action: "health.read" });
    return readHealth(app);
  },
});
