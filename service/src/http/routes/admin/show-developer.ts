import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { recordAdminAccess } from "../../../modules/admins/index.ts";
import {
  presentShownDeveloper,
  readPendingDecision,
  readProfile,
  ShownDeveloperResource,
} from "../../../modules/developers/index.ts";
import { networkOf } from "../../auth/client-network.ts";
import { pathId } from "../../path-id.ts";
import { adminOf, type Server } from "../../route.ts";

export function showDeveloperRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/admin/developers/:developer_id",
    config: { auth: "admin" },
    schema: {
      operationId: "showDeveloper",
      tags: ["Admin"],
      summary: "Get a developer",
      description:
        "Returns a developer and any KYB decision that needs a second admin's approval. Each call is recorded in the operators' audit trail.",
      params: Type.Object({ developer_id: Type.String() }),
      response: { 200: ShownDeveloperResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
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
}
