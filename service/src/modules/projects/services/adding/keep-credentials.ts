import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { insertServiceSecret } from "../queries.ts";
import { type Addition, FIRST_CREDENTIAL } from "./addition.ts";

/** Keeps what a program needs to use the resource, sealed. */
export async function keepCredentials(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId }: Pick<Addition, "tenantId" | "serviceId">,
  valueSealed: Buffer,
): Promise<void> {
  const place = { tenantId, serviceId, kind: "env" as const, version: FIRST_CREDENTIAL };
  await insertServiceSecret(tx, { ...place, valueSealed, createdAt: clock.now() });
}
