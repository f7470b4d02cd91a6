import { recordAdminAccess } from "../../../modules/admins/record-admin-access.ts";
import { presentShownDeveloper, ShownDeveloperResource } from "../../../modules/developers/admin-view.ts";
import { readPendingDecision } from "../../../modules/developers/kyb/verify-kyb.ts";
import { readProfile } from "../../../modules/developers/queries.ts";
import { networkOf } from "../../auth/client-network.ts";
import { pathId } from "../../path-id.ts";
import { adminOf, endpoint } from "../../route.ts";

export const showDeveloperRoute = endpoint("GET /api/v1/svc/admin/developers/:developer_id", {
  config: { auth: "admin" },
  schema: {
    operationId: "showDeveloper",
    summary: "Get a developer",
    description:
      "Returns a developer and any KYB decision that needs a second admin's approval. Each call is recorded in the operators' audit trail.",
    response: { 200: ShownDeveloperResource },
  },
  handler: async (app, request) => {
    const developerId = pathId("dev", request.params.developer_id);
    await recordAdminAccess(app, {
      adminId: adminOf(request).adminId,
      network: networkOf(request.ip),
      requestId: request.id,
      action: "developer.shown",
      subject: { type: "developer", id: developerId },
      facts: {},
    });
    const developer = await readProfile(app.db, developerId);
    const pendingDecision = await readPendingDecision(app, developerId);
    return presentShownDeveloper(app, developer, pendingDecision);
  },
});
