import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { AssertStillOwned } from "../../durable/durable-execution.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/agents.ts";
import { createCustomer } from "../../modules/charges/billing/payment-setup.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import {
  activateService,
  failService,
  hasCredentials,
  requirePaymentMethod,
  type SealedEnv,
  saveCredentials,
  saveResource,
} from "../../modules/services/provisioning/add-steps.ts";
import {
  checkPlan,
  FIRST_CREDENTIAL,
  loadProvisioningContext,
  type ProvisioningContext,
} from "../../modules/services/provisioning/provisioning-context.ts";
import {
  releaseReservation,
  reserveService,
  settleFreeService,
} from "../../modules/services/provisioning/reserve-service.ts";
import { isResourceOfOther } from "../../modules/services/queries.ts";
import { type RequestedService, type RequestService, requestService } from "../../modules/services/request-service.ts";
import { sealServiceEnv, serviceEnvProblem } from "../../modules/services/service-env.ts";
import { openServicePassword } from "../../modules/services/service-secrets.ts";
import { ADD_SERVICE } from "../../modules/services/services.ts";
import { callVendor, createResourceOnce, SagaFailure } from "../../operations/call-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { type Commit, databaseStep, type REQUIRES_APPROVAL, type SagaRun, vendorStep } from "../../operations/saga.ts";
import { waitUntilReady } from "../../operations/wait-until-ready.ts";
import type { ProviderEnv, ProviderResource } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/vault.ts";
import { checkSpending, checkSpendingAgent } from "../check-spending.ts";
import { canReadProject } from "../pull-env.ts";
import { releaseResource } from "../release-service.ts";

type Run = Pick<SagaRun<ProvisioningContext>, "app" | "actor" | "state">;

const operation = "service.add";

/** Throws the errors of `checkSpendingAgent` if the agent must not add the service. */
function checkAgent(tx: Tx, run: Run): Promise<void> {
  return checkSpendingAgent(tx, run, { operation });
}

/** Decides whether the service can be added, and reserves its cost. See `checkSpending`. */
function checkPolicy(tx: Tx, run: Run): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { app, actor, state } = run;
  const { service, plan, serviceId } = state;
  return checkSpending(tx, run, {
    operation,
    subject: { type: "service", id: serviceId },
    title: (projectName) => `Add ${service} (plan ${plan}) to the project ${projectName}`,
    reserve: (options) => reserveService(tx, app, actor, state, options),
  });
}

/**
 * Adds a service in eight steps (docs/rules/services.md). If the saga succeeds, the service is active. If the saga
 * is undone, no vendor resource, budget reservation or stored credentials remain. If a vendor resource cannot be
 * deleted, the operation becomes `needs_operator`.
 */
export const addServiceSaga = defineSaga<ProvisioningContext>({
  type: ADD_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The policy step encrypts an email, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadProvisioningContext(tx, operation),
  steps: [
    databaseStep("kya_gate", checkAgent),
    databaseStep("policy", checkPolicy, {
      undo: (tx, { app, state }) => releaseReservation(tx, app, state),
    }),
    databaseStep("catalog_validation", async (_tx, { state }) => checkPlan(state)),
    vendorStep("payment_setup", setUpPayment, { isNeeded: ({ payment }) => payment !== null }),
    vendorStep("provider_provisioning", provision, {
      undo: async ({ app, state }) => (state.existingResourceId === null ? releaseResource(app, state) : null),
    }),
    vendorStep("credential_storage", storeCredentials),
    // The "audit" step writes the service's row.
    databaseStep("service_record", async (tx, { app, state }) => {
      await settleFreeService(tx, app, state, "commit");
    }),
    databaseStep("audit", (tx, { app, actor, state }) => activateService(tx, app, actor, state)),
  ],
  onFailed: (tx, { app, actor, state }, { error: { code }, undone }) =>
    failService(tx, app, actor, { provisioning: state, code, undone }),
});

/**
 * Adds a service to a project: stores the service and its operation, starts the saga, and waits for at most
 * `syncWaitMs`. The operation shows the progress. Throws `agent_not_found` and the errors of `requestService`.
 */
export async function addService(
  app: App,
  command: RequestService,
  saveResponse: SaveResponse<RequestedService>,
): Promise<RequestedService> {
  const { actor, agentId } = command;
  if (agentId !== null) await requireAgent(app.db, { ...actor, agentId });
  await releaseExpiredHolds(app, actor);
  const kind = addServiceSaga;
  const requested = await requestService(app, { ...command, kind }, saveResponse);
  const { operationId } = requested;
  await runOperation(app, kind.type, { tenantId: actor.tenantId, operationId });
  return requested;
}

const STEP = "provider_provisioning";

/**
 * Creates the resource at the provider, or uses the existing one that the request specifies, and waits until it is
 * ready.
 */
async function provision(run: SagaRun<ProvisioningContext>, commit: Commit<ProvisioningContext>): Promise<void> {
  const { app, state: provisioning } = run;
  const created = await callVendor(run, STEP, (assertStillOwned) => createOrFind(run, assertStillOwned));
  const { resourceId } = await waitUntilReady<Ready>(run, STEP, {
    first: created,
    look: () => inspect(app, provisioning, created.resourceId),
    save: (tx, id) => saveResource(tx, app, provisioning, id),
    what: `The resource at ${provisioning.provider}`,
  });
  const env = created.status === "ready" ? created.env : undefined;
  await commit(async (tx) => {
    // The names of variables are fixed with the project locked, which every transaction locks before a service.
    if (env !== undefined) await saveCredentials(tx, app, provisioning, env);
    await saveResource(tx, app, provisioning, resourceId);
    return { resourceId };
  });
}

/** A resource without its credentials, and the encrypted credentials if the provider shows them only at creation. */
type Created = Exclude<ProviderResource, { readonly status: "ready" }> | Ready;

interface Ready {
  readonly status: "ready";
  readonly resourceId: string;
  readonly env?: SealedEnv;
}

/** Returns the resource as it can be stored in a checkpoint. */
async function createOrFind(run: SagaRun<ProvisioningContext>, assertStillOwned: AssertStillOwned): Promise<Created> {
  const resource = await createOrFindOpen(run, assertStillOwned);
  if (resource.status !== "ready") return resource;
  const { env, ...ready } = resource;
  return env === undefined ? ready : { ...ready, env: await sealEnv(run.app, run.state, env) };
}

async function createOrFindOpen(
  run: SagaRun<ProvisioningContext>,
  assertStillOwned: AssertStillOwned,
): Promise<ProviderResource> {
  const { app, state: provisioning } = run;
  const provider = requireProvider(app, provisioning.provider);
  const { existingResourceId, resourceName, service, plan, region, config } = provisioning;
  const access = await openProviderAccess(app, provisioning);
  if (existingResourceId !== null) return provider.inspect(access, existingResourceId);
  const password = await openServicePassword(app, provider, provisioning, FIRST_CREDENTIAL);
  const order = { resourceName, service, plan, region, config, password };
  const resource = await createResourceOnce(run, assertStillOwned, {
    vendor: provisioning.provider,
    find: () => provider.find(access, resourceName),
    create: () => provider.provision(access, order),
  });
  const { resourceId } = resource;
  if (await isResourceOfOther(app.db, { ...provisioning, resourceId })) {
    const detail = `The resource at ${provisioning.provider} has the id of another service's resource.`;
    throw new SagaFailure({ code: "provider_error", detail });
  }
  return resource;
}

async function inspect(app: App, provisioning: ProvisioningContext, resourceId: string): Promise<Created> {
  const access = await openProviderAccess(app, provisioning);
  const resource = await requireProvider(app, provisioning.provider).inspect(access, resourceId);
  // `inspect` returns no credentials. Whatever it returns is stored, so they are removed here too.
  return resource.status === "ready" ? { status: "ready", resourceId } : resource;
}

const PAYMENT_STEP = "payment_setup";

/**
 * Creates the customer at the payment processor if it does not exist, and fails unless there is a payment method that
 * can be charged.
 */
export async function setUpPayment(
  run: SagaRun<Pick<ProvisioningContext, "tenantId" | "projectId" | "mode" | "payment">>,
  commit: Commit<object>,
): Promise<void> {
  const { app, actor, state: provisioning } = run;
  const { tenantId, projectId, mode, payment } = provisioning;
  invariant(payment !== null, "payment is set up only if the plan requires it");
  const { projectName: name, openSetupIntentId } = payment;
  const customerId =
    payment.customerId ??
    (await callVendor(run, `${PAYMENT_STEP}: customer`, () =>
      createCustomer(app, { tenantId, projectId, mode, name }),
    ));
  const hasFinished =
    openSetupIntentId !== null &&
    (await callVendor(run, `${PAYMENT_STEP}: setup`, async () => {
      const { status } = await app.billing[mode].readSetup(openSetupIntentId);
      return status === "succeeded";
    }));
  const succeededSetupId = hasFinished ? openSetupIntentId : null;
  await commit(async (tx) => {
    await requirePaymentMethod(tx, app, actor, { provisioning, customerId, succeededSetupId });
    return {};
  });
}

/**
 * Reads the resource's credentials and stores them, unless the provider has already shown them. The step's result is
 * encrypted, because the workflow engine stores it.
 */
async function storeCredentials(run: SagaRun<ProvisioningContext>, commit: Commit<ProvisioningContext>): Promise<void> {
  const { app, state: provisioning } = run;
  const env = await callVendor(run, "credential_storage: read", () => readSealed(app, provisioning));
  await commit(async (tx) => {
    if (env !== null) await saveCredentials(tx, app, provisioning, env);
    return {};
  });
}

async function readSealed(app: App, provisioning: ProvisioningContext): Promise<SealedEnv | null> {
  const { resourceId, config } = provisioning;
  invariant(resourceId !== null, "credentials are read after the resource was provisioned");
  if (await hasCredentials(app, provisioning)) return null;
  const provider = requireProvider(app, provisioning.provider);
  const access = await openProviderAccess(app, provisioning);
  const password = await openServicePassword(app, provider, provisioning, FIRST_CREDENTIAL);
  const env = await provider.readEnv(access, { resourceId, config, password });
  return sealEnv(app, provisioning, env);
}

/**
 * Encrypts a service's variables, so that a workflow step can return them. Throws VendorError `refused` if they cannot be
 * stored.
 */
async function sealEnv(app: App, provisioning: ProvisioningContext, env: ProviderEnv): Promise<SealedEnv> {
  const { tenantId, serviceId, provider } = provisioning;
  const problem = serviceEnvProblem(provisioning, env);
  if (problem !== undefined) {
    throw new VendorError("refused", {
      vendor: provider,
      operation: "readEnv",
      vendorMessage: problem,
    });
  }
  const vault = await openVault(app, tenantId);
  const sealed = sealServiceEnv(vault, { serviceId, version: FIRST_CREDENTIAL }, env);
  return { sealed: sealed.toString("base64"), names: Object.keys(env).sort() };
}
