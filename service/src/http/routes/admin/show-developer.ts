import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { isId } from "../../../foundation/ids.ts";
import { Nullable } from "../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { recordAdminAccess } from "../../../modules/admins/index.ts";
import { readPendingDecision, readProfile } from "../../../modules/developers/index.ts";
import { networkOf } from "../../auth/client-network.ts";
import { adminOf, type Server } from "../../route.ts";
import { DeveloperOut, presentDeveloper } from "../developers/presenter.ts";
import { PendingDecisionOut, presentPendingDecision } from "./developer-out.ts";

const ShownDeveloperOut = Type.Object(
  { ...DeveloperOut.properties, waiting_kyb_decision: Nullable(PendingDecisionOut) },
  { $id: "ShownDeveloper" },
);

export function showDeveloperRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/admin/developers/:developer_id",
    config: { auth: "admin" },
    schema: {
      operationId: "showDeveloper",
      tags: ["Admin"],
      summary: "A developer, with the decision that waits for a second admin",
      description: "That an admin has looked is noted in the operators' trail.",
      params: Type.Object({ developer_id: Type.String() }),
      response: { 200: ShownDeveloperOut, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const { developer_id: developerId } = request.params;
      if (!isId("dev", developerId)) throw new AppError("developer_not_found");
      await recordAdminAccess(app, {
        adminId: adminOf(request).adminId,
        network: networkOf(request.ip),
        requestId: request.id,
        action: "developer.shown",
        subject: { type: "developer", id: developerId },
        facts: {},
      });
      const developer = await readProfile(app, developerId);
      const waiting = await readPendingDecision(app, developerId);
      return {
        ...presentDeveloper(app, developer),
        waiting_kyb_decision: waiting === undefined ? null : presentPendingDecision(waiting),
      };
    },
  });
}
