import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { TenantVault } from "../../../../vault/open-vault.ts";
import { newServicePassword } from "../new-service-password.ts";
import { findServiceSecret, insertServiceSecret } from "../queries.ts";
import { updateRotation } from "./queries.ts";
import type { RotationContext } from "./rotation-context.ts";

/**
 * Stores a password for the new credential, unless an earlier rotation, whose outcome is unknown, has sent one to the
 * provider. If the new credential is published already, only records that.
 */
export async function prepareRotation(
  tx: Tx,
  { clock, vault }: Pick<App, "clock"> & { readonly vault: TenantVault },
  rotation: RotationContext,
): Promise<void> {
  const { tenantId, serviceId, formerVersion, isPublished } = rotation;
  const version = formerVersion + 1;
  if (isPublished) {
    const mode = rotation.isSingle ? "immediate" : "overlap";
    await updateRotation(tx, rotation, { mode, changed: true, credentialVersion: version });
    return;
  }
  const secret = { tenantId, serviceId, kind: "password" as const, version };
  if ((await findServiceSecret(tx, secret)) !== undefined) return;
  const valueSealed = newServicePassword(vault, serviceId, version);
  await insertServiceSecret(tx, { ...secret, valueSealed, createdAt: clock.now() });
}
