import type { AssertStillOwned } from "../../durable/durable-execution.ts";
import { invariant } from "../../foundation/invariant.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import type { PlanChange } from "../../modules/services/plan-change/plan-change.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { waitUntilReady } from "../../operations/wait-until-ready.ts";
import type { ProviderResource } from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";

/** After other failures, the provider is asked for the plan: it can reject a repeated call that it has executed. */
const WITHOUT_EFFECT: ReadonlySet<VendorFailure> = new Set(["rate_limited", "unavailable", "unauthorized"]);

const STEP = "provider_plan_change";

/** Changes the plan at the provider, and waits until the resource is ready. */
export async function changeAtProvider(run: SagaRun<PlanChange>, commit: Commit<PlanChange>): Promise<void> {
  const first = await callVendor(run, STEP, (assertStillOwned) => changeOnce(run, assertStillOwned));
  const what = `The change of the plan at ${run.state.provider}`;
  await waitUntilReady(run, STEP, { first, look: () => inspect(run), what });
  await commit(async () => ({}));
}

/** Changes the plan back if the resource has the new one. */
export async function changeBack(run: SagaRun<PlanChange>): Promise<null> {
  const { plan, previousPlan } = run.state;
  await changePlan(run, previousPlan, plan);
  return null;
}

/** Notes the time of a call that may have an effect, because only such a call has to be undone. */
async function changeOnce(run: SagaRun<PlanChange>, assertStillOwned: AssertStillOwned): Promise<ProviderResource> {
  const { lastCreation } = run;
  const { endedAtMs } = lastCreation;
  // Another process may have taken over the saga, and may have undone the change.
  await assertStillOwned();
  lastCreation.endedAtMs = performance.now();
  try {
    return await changePlan(run, run.state.plan);
  } catch (error) {
    const hadNoEffect = error instanceof VendorError && WITHOUT_EFFECT.has(error.failure);
    lastCreation.endedAtMs = hadNoEffect ? endedAtMs : performance.now();
    throw error;
  }
}

async function changePlan({ app, state }: SagaRun<PlanChange>, plan: string, from?: string): Promise<ProviderResource> {
  const { config } = state;
  const provider = requireProvider(app, state.provider);
  invariant(provider.changePlan !== undefined, "the request checked that the plan can be changed");
  const access = await openProviderAccess(app, state);
  return provider.changePlan(access, { resourceId: resourceIdOf(state), plan, from, config });
}

async function inspect({ app, state }: SagaRun<PlanChange>): Promise<ProviderResource> {
  const access = await openProviderAccess(app, state);
  return requireProvider(app, state.provider).inspect(access, resourceIdOf(state));
}

function resourceIdOf({ resourceId }: PlanChange): string {
  invariant(resourceId !== null, "an active service has a resource");
  return resourceId;
}
