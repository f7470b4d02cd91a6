import type { App } from "../../../app.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import type { DecideDeviceLogin, DecidedDeviceLogin } from "./approve-device-login.ts";
import { decideDeviceLogin } from "./queries.ts";
import { requirePendingDevice, unknownUserCode } from "./require-pending-device.ts";

/**
 * Denies a device that is waiting for approval. The device's next poll fails with `access_denied`. Throws the errors of
 * `requirePendingDevice`.
 */
export async function denyDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { actor, userCode }: DecideDeviceLogin,
  saveResponse: SaveResponse<DecidedDeviceLogin>,
): Promise<DecidedDeviceLogin> {
  const { tenantId } = actor;
  const at = app.clock.now();
  const { deviceCodeHash, clientName, network } = await requirePendingDevice(app, {
    tenantId,
    userCode,
  });
  return withTransaction(app.db, tenantId, async (tx) => {
    const decision = { status: "denied", tenantId } as const;
    if (!(await decideDeviceLogin(tx, { deviceCodeHash, at, decision }))) {
      throw unknownUserCode();
    }
    await appendAuditEntry(tx, actor, {
      action: "device_login.denied",
      subject: { type: "developer", id: tenantId },
      facts: { client_name: clientName, network },
      occurredAt: at,
    });
    const denied = { clientName, key: null };
    await saveResponse(tx, denied);
    return denied;
  });
}
