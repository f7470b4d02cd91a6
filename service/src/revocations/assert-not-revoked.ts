import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { AppError, authenticationFailed } from "../foundation/errors.ts";
import { type Belonging, findRunningRevocation, isKeyRevoked, lockCreations, type Owner } from "./queries.ts";

/**
 * Call it first in a transaction that creates an agent, a project or a key, or that lets one act again. Throws `conflict`
 * while a kill switch runs that covers it. A kill switch that starts later waits for the end of the transaction, and then
 * finds what was created. Throws `authentication_failed` if the caller's API key was revoked since it was checked: the kill
 * switch may have ended, and would not find what is created now.
 */
export async function assertNotRevoked(
  tx: Tx,
  actor: Owner & Partial<Pick<Actor, "actor">>,
  { agentIds = [], projectIds = [] }: Partial<Belonging> = {},
): Promise<void> {
  await lockCreations(tx, actor, "shared");
  const belonging = { agentIds: agentIds.map((id) => id.toLowerCase()), projectIds };
  const killSwitchId = await findRunningRevocation(tx, actor, belonging);
  if (killSwitchId !== undefined) {
    throw new AppError("conflict", {
      detail: `The kill switch ${killSwitchId} is running. Wait until it has ended.`,
    });
  }
  const keyId = actor.actor?.key_id;
  if (keyId && (await isKeyRevoked(tx, actor, keyId))) throw authenticationFailed("the key was revoked meanwhile");
}
