import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { TenantVault } from "../../../../vault/open-vault.ts";
import { findServiceSecret, insertServiceSecret } from "../queries.ts";
import { newServicePassword } from "../service-secrets.ts";
import type { RotationContext } from "./rotation-context.ts";

/**
 * Stores a password for the new credential, unless an earlier rotation, whose outcome is unknown, has sent one to the
 * provider.
 */
export async function prepareRotation(
  tx: Tx,
  { clock, vault }: Pick<App, "clock"> & { readonly vault: TenantVault },
  { tenantId, serviceId, formerVersion }: RotationContext,
): Promise<void> {
  const version = formerVersion + 1;
  const secret = { tenantId, serviceId, kind: "password" as const, version };
  if ((await findServiceSecret(tx, secret)) !== undefined) return;
  const valueSealed = newServicePassword(vault, serviceId, version);
  await insertServiceSecret(tx, { ...secret, valueSealed, createdAt: clock.now() });
}
