import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type DueWork, type Finish, scheduleWork } from "../../due-work/due-work.ts";
import type { DueItem } from "../../due-work/queries.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import {
  beginRetirement,
  endAttempt,
  type FormerCredential,
  finishRetirement,
  RETIREMENT,
  type RotationContext,
} from "../../modules/services/rotation/rotation.ts";
import { openStoredEnv } from "../../modules/services/service-secrets.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { isFailure, VendorError } from "../../ports/vendor-error.ts";
import { noteIfMissing } from "../check-inventory.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";

const STEP = "provider_retirement";
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** A rotation that runs has usually retired the credential by then. */
const LATER_MS = 60 * SECOND_MS;

/** Ends the former credentials at the provider, and deletes them. */
export async function retireCredentials(run: SagaRun<RotationContext>, commit: Commit<RotationContext>): Promise<void> {
  const { app, context, actor, state } = run;
  await retireFormerCredential(run, STEP, state);
  // The workflows that issued the former credentials have stored them, encrypted.
  await context.call(`${STEP}: forget`, () => deleteProvisioningHistory(app, state));
  await commit(async (tx) => {
    await finishRetirement(tx, app, actor, state);
    return {};
  });
}

/** Retires former credentials whose grace period has ended. What fails for a day is reported, and tried for another day. */
export const retireDueCredentials: DueWork = {
  ...RETIREMENT,
  everyMs: SECOND_MS,
  retryMs: { first: 5 * SECOND_MS, max: HOUR_MS },
  stopsAtFailure: true,
  run: retireDueCredential,
  giveUp: {
    afterMs: 24 * HOUR_MS,
    finish:
      async ({ clock }, item) =>
      (tx) =>
        scheduleWork(tx, RETIREMENT, { ...item, dueAt: clock.now() }),
  },
};

async function retireDueCredential(app: App, { tenantId, subject }: DueItem): Promise<Finish | undefined> {
  const key = { tenantId, serviceId: subject as ServiceId };
  const retirement = await withTransaction(app.db, tenantId, (tx) => beginRetirement(tx, app, key));
  if (retirement === "nothing") return undefined;
  if (retirement === "later") {
    const dueAt = new Date(app.clock.now().getTime() + LATER_MS);
    return (tx) => scheduleWork(tx, RETIREMENT, { tenantId, subject, dueAt });
  }
  try {
    await retire(app, retirement);
  } catch (error) {
    // A call whose outcome is unknown may still take effect, so no rotation starts until the attempt's time is over.
    const mayTakeEffect = error instanceof VendorError && error.failure === "unknown";
    if (!mayTakeEffect) await withTransaction(app.db, tenantId, (tx) => endAttempt(tx, app, retirement));
    throw error;
  }
  // The workflows that issued the former credentials have stored them, encrypted.
  await deleteProvisioningHistory(app, key);
  return (tx) => finishRetirement(tx, app, retirement.actor, retirement);
}

/** Ends a former credential at the provider as a step of a saga. */
export async function retireFormerCredential(
  run: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  credential: FormerCredential,
): Promise<void> {
  const retireOnce = async () => {
    await retire(run.app, credential);
    return null;
  };
  await callVendor(run, `${step}: retire`, retireOnce, { patience: "long" });
}

/** Ends the credential at the provider, and checks that the provider refuses it. Throws VendorError. */
async function retire(app: App, credential: FormerCredential): Promise<void> {
  const { resourceId, config, formerVersion } = credential;
  const access = await openProviderAccess(app, credential);
  const former = await openStoredEnv(app, credential, formerVersion);
  const current = await openStoredEnv(app, credential, formerVersion + 1);
  const provider = requireProvider(app, credential.provider);
  const isAccepted = async () => (await provider.checkEnv?.(former)) ?? false;
  try {
    await provider.retire?.(access, { resourceId, config, former, current });
  } catch (error) {
    if (!isFailure(error, "not_found") || (await isAccepted().catch(() => false))) throw error;
    // The resource no longer exists.
    return noteIfMissing(app, provider, access, credential);
  }
  if (!(await isAccepted())) return;
  const vendorMessage = "the former credentials are still accepted";
  throw new VendorError("unavailable", { vendor: credential.provider, operation: "checkEnv", vendorMessage });
}
