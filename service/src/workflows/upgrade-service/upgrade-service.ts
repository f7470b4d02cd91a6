import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { AssertStillOwned } from "../../durable/durable-execution.ts";
import { invariant } from "../../foundation/invariant.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/agents.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import {
  escalatePlanChange,
  failPlanChange,
  finishPlanChange,
  startPendingPlan,
} from "../../modules/services/plan-change/finish-plan-change.ts";
import { loadPlanChange, type PlanChange } from "../../modules/services/plan-change/plan-change.ts";
import { duePlans } from "../../modules/services/plan-change/queries.ts";
import {
  type RequestedPlanChange,
  type RequestPlanChange,
  requestPlanChange,
} from "../../modules/services/plan-change/request-plan-change.ts";
import { releasePlanChange, reservePlanChange } from "../../modules/services/plan-change/reserve-plan-change.ts";
import { checkPlan, checkPlanCostsNoMore } from "../../modules/services/provisioning/provisioning-context.ts";
import { UPGRADE_SERVICE } from "../../modules/services/services.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { type Commit, databaseStep, type REQUIRES_APPROVAL, type SagaRun, vendorStep } from "../../operations/saga.ts";
import { waitUntilReady } from "../../operations/wait-until-ready.ts";
import type { ProviderResource } from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/vault.ts";
import { setUpPayment } from "../add-service/add-service.ts";
import { checkSpending, checkSpendingAgent } from "../check-spending.ts";
import { canReadProject } from "../pull-env.ts";

const operation = "service.upgrade";

/**
 * Decides whether the plan can be changed, and reserves the difference. At the start of a month, everything was decided
 * and reserved before, so only the price is checked. See `checkSpending`.
 */
async function checkPlanChange(
  tx: Tx,
  run: Pick<SagaRun<PlanChange>, "app" | "actor" | "state">,
): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { app, actor, state } = run;
  const { service, previousPlan, plan, operationId, timing } = state;
  if (timing === "turn") {
    checkPlanCostsNoMore(state);
    return undefined;
  }
  checkPlan(state);
  await checkSpendingAgent(tx, run, { operation });
  return checkSpending(tx, run, {
    operation,
    subject: { type: "operation", id: operationId },
    title: (projectName) => `Change ${service} from the plan ${previousPlan} to ${plan} in the project ${projectName}`,
    reserve: (options) => reservePlanChange(tx, app, actor, state, options),
  });
}

/**
 * Changes the plan of a service. If the saga is undone, the service has its former plan at the provider, and nothing is
 * reserved for the new one. A change at the start of the next month is only stored; the saga runs again at that time.
 */
export const upgradeServiceSaga = defineSaga<PlanChange>({
  type: UPGRADE_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The policy step encrypts an email, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadPlanChange(tx, operation),
  steps: [
    databaseStep("policy", checkPlanChange, {
      undo: (tx, { app, state }) => releasePlanChange(tx, app, state),
    }),
    vendorStep("payment_setup", setUpPayment, { isNeeded: ({ payment }) => payment !== null }),
    vendorStep("provider_plan_change", changeAtProvider, {
      isNeeded: ({ timing }) => timing !== "scheduled",
      undo: changeBack,
    }),
    // The "audit" step writes the service's row.
    databaseStep("service_record"),
    databaseStep("audit", (tx, { app, actor, state }) => finishPlanChange(tx, app, actor, state)),
  ],
  onFailed: (tx, { app, actor, state }, { error: { code } }) => failPlanChange(tx, app, actor, { change: state, code }),
  onEscalated: escalatePlanChange,
});

/**
 * Changes the plan of a service: stores the change and its operation, starts the saga, and waits for at most
 * `syncWaitMs`. The operation shows the progress. Throws `agent_not_found` and the errors of `requestPlanChange`.
 */
export async function upgradeService(
  app: App,
  command: RequestPlanChange,
  saveResponse: SaveResponse<RequestedPlanChange>,
): Promise<RequestedPlanChange> {
  const { actor, agentId } = command;
  if (agentId !== null) await requireAgent(app.db, { ...actor, agentId });
  await releaseExpiredHolds(app, actor);
  const kind = upgradeServiceSaga;
  const requested = await requestPlanChange(app, { ...command, kind }, saveResponse);
  const { operationId } = requested;
  if (operationId !== null) {
    await runOperation(app, kind.type, { tenantId: actor.tenantId, operationId });
  }
  return requested;
}

/**
 * Starts the changes to pending plans whose month has begun. Any number of processes can run this at the same time. One
 * service's error does not affect the others.
 */
export async function changePendingPlans(app: App): Promise<void> {
  const at = app.clock.now();
  const providers = [...app.providers.keys()];
  const kind = upgradeServiceSaga;
  await tryEach(duePlans(app.db, at, providers), async (key) => {
    const operationId = await startPendingPlan(app, key, kind);
    if (operationId === undefined) return;
    await runOperation(app, kind.type, { tenantId: key.tenantId, operationId }, 0);
  });
}

/** After other failures, the provider is asked for the plan: it can reject a repeated call that it has executed. */
const WITHOUT_EFFECT: ReadonlySet<VendorFailure> = new Set(["rate_limited", "unavailable", "unauthorized"]);

const STEP = "provider_plan_change";

/** Changes the plan at the provider, and waits until the resource is ready. */
async function changeAtProvider(run: SagaRun<PlanChange>, commit: Commit<PlanChange>): Promise<void> {
  const first = await callVendor(run, STEP, (assertStillOwned) => changeOnce(run, assertStillOwned));
  const what = `The change of the plan at ${run.state.provider}`;
  await waitUntilReady(run, STEP, { first, look: () => inspect(run), what });
  await commit(async () => ({}));
}

/** Changes the plan back if the resource has the new one. */
async function changeBack(run: SagaRun<PlanChange>): Promise<null> {
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
