import { Type } from "typebox";
import { recordAdminAccess } from "../../../modules/admins/record-admin-access.ts";
import {
  ListedDeveloperResource,
  presentListedDeveloper,
  presentShownDeveloper,
  ShownDeveloperResource,
} from "../../../modules/developers/admin-view.ts";
import { DeveloperResource } from "../../../modules/developers/developer-resource.ts";
import { readPendingDecision } from "../../../modules/developers/kyb/verify-kyb.ts";
import { readProfile, searchDevelopers } from "../../../modules/developers/queries.ts";
import { networkOf } from "../../auth/client-network.ts";
import { adminOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

const Query = Type.Object(
  {
    ...CursorQuery.properties,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 254,
        pattern: "^[!-~]+$",
        description: "A developer's id, or the beginning of an email address.",
      }),
    ),
    kyb_status: Type.Optional(DeveloperResource.properties.kyb.properties.status),
  },
  { additionalProperties: false },
);

export const listDevelopersRoute = endpoint("GET /api/v1/svc/admin/developers", {
  operationId: "listDevelopers",
  summary: "List developers",
  description:
    "Returns developers, newest first. Each call is recorded in the operators' audit trail with the value of `kyb_status`; the search text `q` is not recorded.",
  auth: "admin",
  query: Query,
  answers: { 200: cursorPage(ListedDeveloperResource) },
  run: async (app, request) => {
    const { q: text, kyb_status: kybStatus, cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "dev");
    const { adminId } = adminOf(request);
    await recordAdminAccess(app, {
      adminId,
      network: networkOf(request.ip),
      requestId: request.id,
      action: "developers.listed",
      subject: { type: "admin", id: adminId },
      facts: { searched: text !== undefined, kyb_status: kybStatus ?? null },
    });
    const now = app.clock.now();
    const page = await searchDevelopers(app.db, { text, kybStatus, at: now, after, limit });
    return presentPage(
      page,
      (developer) => presentListedDeveloper(developer, now),
      ({ tenantId }) => tenantId,
    );
  },
});

export const showDeveloperRoute = endpoint("GET /api/v1/svc/admin/developers/:developer_id", {
  operationId: "showDeveloper",
  summary: "Get a developer",
  description:
    "Returns a developer and any KYB decision that needs a second admin's approval. Each call is recorded in the operators' audit trail.",
  auth: "admin",
  answers: { 200: ShownDeveloperResource },
  run: async (app, request) => {
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
