import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { DueWork, Finish } from "../../due-work/due-work.ts";
import type { DueItem } from "../../due-work/queries.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { beginRetirement, endAttempt, finishRetirement, RETIREMENT } from "../../modules/projects/index.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { retire } from "../retire-former-credential.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Retires former credentials whose grace period has ended. The next rotation retires what is given up. */
export const retireDueCredentials: DueWork = {
  ...RETIREMENT,
  everyMs: SECOND_MS,
  retryMs: { first: 5 * SECOND_MS, max: HOUR_MS },
  stopsAtFailure: true,
  run: retireDueCredential,
  giveUp: { afterMs: 24 * HOUR_MS, finish: async () => async () => {} },
};

async function retireDueCredential(app: App, { tenantId, subject }: DueItem): Promise<Finish | undefined> {
  const key = { tenantId, serviceId: subject as ServiceId };
  const retirement = await withTransaction(app.db, tenantId, (tx) => beginRetirement(tx, app, key));
  if (retirement === undefined) return undefined;
  try {
    await retire(app, retirement);
  } catch (error) {
    await withTransaction(app.db, tenantId, (tx) => endAttempt(tx, retirement));
    throw error;
  }
  // The workflows that issued the former credentials have stored them, encrypted.
  await deleteProvisioningHistory(app, key);
  return (tx) => finishRetirement(tx, app, retirement.actor, retirement);
}
