import type { Tx } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import { type Belonging, findRunningRevocation, lockCreations, type Owner } from "./queries.ts";

/**
 * Call it first in a transaction that creates an agent, a project or a key, or that lets one act again. Throws `conflict`
 * while a kill switch runs that covers it. A kill switch that starts later waits for the end of the transaction, and then
 * finds what was created.
 */
export async function assertNotRevoked(
  tx: Tx,
  owner: Owner,
  { agentIds = [], projectIds = [] }: Partial<Belonging> = {},
): Promise<void> {
  await lockCreations(tx, owner, "shared");
  const belonging = { agentIds: agentIds.map((id) => id.toLowerCase()), projectIds };
  const killSwitchId = await findRunningRevocation(tx, owner, belonging);
  if (killSwitchId === undefined) return;
  throw new AppError("conflict", {
    detail: `The kill switch ${killSwitchId} is running. Wait until it has ended.`,
  });
}
