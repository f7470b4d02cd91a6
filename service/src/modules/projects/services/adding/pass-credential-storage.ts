import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { insertServiceSecret, updateServiceRow } from "../queries.ts";
import type { Addition } from "./addition.ts";

export async function passCredentialStorage(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  {
    addition: { serviceId },
    valueSealed,
  }: { readonly addition: Pick<Addition, "serviceId">; readonly valueSealed: Buffer },
): Promise<null> {
  const at = app.clock.now();
  const place = { tenantId: key.tenantId, serviceId };
  const secret = { ...place, kind: "env" as const, version: 1, valueSealed, createdAt: at };
  await insertServiceSecret(tx, secret);
  const change = { credentialVersion: 1, credentialRotatedAt: at, updatedAt: at };
  await updateServiceRow(tx, place, change);
  await passStep(tx, app, key, { step: "credential_storage", next: "service_record" });
  return null;
}
