import type { FastifyRequest } from "fastify";
import type { App } from "../../../app.ts";
import { recordAdminAccess } from "../../../modules/admins/admins.ts";
import { clientNetworkOf } from "../../auth/client-network.ts";
import { adminOf } from "../../auth/principal.ts";

type Access = Parameters<typeof recordAdminAccess>[1];

/** Records what the admin reads, before it is returned. `subject`: default, the admin. */
export async function recordAccess(
  app: App,
  request: FastifyRequest,
  { action, subject, facts = {} }: Pick<Access, "action"> & Partial<Pick<Access, "subject" | "facts">>,
): Promise<void> {
  const { adminId } = adminOf(request);
  await recordAdminAccess(app, {
    ...{ adminId, network: clientNetworkOf(request.ip), requestId: request.id },
    ...{ action, subject: subject ?? { type: "admin", id: adminId }, facts },
  });
}
