import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { AssertStillOwned } from "../../durable/durable-execution.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { lockPolicyRevision } from "../../modules/decisions/queries.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
} from "../../modules/services/rotation/request-rotation.ts";
import {
  escalateRotation,
  failRotation,
  keepCredential,
  prepareRotation,
  publishRotation,
} from "../../modules/services/rotation/rotate-steps.ts";
import {
  finishRetirement,
  loadRotationContext,
  type RotationContext,
} from "../../modules/services/rotation/rotation.ts";
import { openServiceEnv, sealServiceEnv, serviceEnvProblem } from "../../modules/services/service-env.ts";
import { openServicePassword, openStoredEnv } from "../../modules/services/service-secrets.ts";
import { ROTATE_SERVICE } from "../../modules/services/services.ts";
import { callOnceSettled, callVendor, SagaFailure } from "../../operations/call-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { type Commit, databaseStep, type SagaRun, vendorStep } from "../../operations/saga.ts";
import type { RotatedCredentials } from "../../ports/service-provider.ts";
import { isFailure, VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/vault.ts";
import { noteIfMissing } from "../check-inventory.ts";
import { canReadProject, requirePullPermission } from "../pull-env.ts";
import { retireCredentials, retireFormerCredential } from "./retire-credentials.ts";

/**
 * Rotates a service's credentials: issues new ones, uses them once, and publishes them. If it fails before the publication,
 * the former credentials remain valid and published. Without a grace period, it then retires the former ones. With one, or
 * if it cannot retire them, `retireDueCredentials` does so later.
 */
export const rotateServiceSaga = defineSaga<RotationContext>({
  type: ROTATE_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The first step encrypts a password, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadRotationContext(tx, operation),
  steps: [
    databaseStep("credential_preparation", async (tx, { app, state }) => {
      const vault = await openVault(app, state.tenantId);
      await prepareRotation(tx, { ...app, vault }, state);
    }),
    // Its last transaction publishes the credentials.
    vendorStep("provider_rotation", issueCredentials, {
      isNeeded: ({ isPublished }) => !isPublished,
    }),
    vendorStep("provider_retirement", retireCredentials, {
      isNeeded: ({ isPublished, retiresFormer }) => isPublished && retiresFormer,
    }),
    // The steps before write the audit entries.
    databaseStep("audit"),
  ],
  // The provider may have ended the former credential, or may still do so.
  isFinal: ({ isPublished }, { mayStillHappen }) => isPublished || mayStillHappen,
  onFailed: (tx, { app, actor, state }, { error: { code } }) => failRotation(tx, app, actor, state, code),
  onEscalated: escalateRotation,
});

export interface RotateService extends Omit<RequestRotation, "kind" | "beforeLocks" | "authorize"> {
  /** The agent that acts, in lowercase. Null if the developer does. */
  readonly agentId: string | null;
}

/**
 * Rotates a service's credentials and waits for at most `syncWaitMs`, but not for the end of the grace period. Throws
 * the errors of `requestRotation`, and those of `requirePullPermission`: rotating replaces what env bundles contain.
 */
export async function rotateService(
  app: App,
  { agentId, ...command }: RotateService,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  const { actor, key: projectKey } = command;
  const kind = rotateServiceSaga;
  const beforeLocks = async (tx: Tx) => {
    if (agentId !== null) await lockPolicyRevision(tx, actor);
  };
  const authorize = (tx: Tx) => requirePullPermission(tx, app, { actor, agentId }, projectKey.projectId);
  const requested = await requestRotation(app, { ...command, kind, beforeLocks, authorize }, saveResponse);
  const key = { tenantId: projectKey.tenantId, operationId: requested.operationId };
  await runOperation(app, kind.type, key);
  return requested;
}

const STEP = "provider_rotation";

/** New credentials, encrypted because the workflow engine stores the step's result. */
interface Issued extends Pick<RotatedCredentials, "mode"> {
  /** Base64. */
  readonly sealed: string;
  /** False if the provider returned the former credentials. */
  readonly isNew: boolean;
}

/** Issues new credentials, uses them once, and publishes them. Does not publish credentials that are not new. */
async function issueCredentials(run: SagaRun<RotationContext>, commit: Commit<RotationContext>): Promise<void> {
  const { app, actor, state } = run;
  if (state.retiresOlder) await retireOlder(run);
  const issued = await issueUsable(run).catch((error: unknown) => throwIssueFailure(run, error));
  await commit(async (tx) => {
    if (!issued.isNew) {
      await keepCredential(tx, app, actor, state);
      return {};
    }
    const valueSealed = Buffer.from(issued.sealed, "base64");
    const { mode, isVerified } = issued;
    const retiresFormer = await publishRotation(tx, app, actor, state, { valueSealed, mode, isVerified });
    return { isPublished: true, retiresFormer };
  });
}

/** Retires the credentials before the former ones. The provider may keep only two at a time. */
async function retireOlder(run: SagaRun<RotationContext>): Promise<void> {
  const { app, context, actor, state } = run;
  const older = { ...state, formerVersion: state.formerVersion - 1 };
  await retireFormerCredential(run, `${STEP}: older`, older);
  await context.transaction(`${STEP}: older retired`, async (tx) => {
    await finishRetirement(tx, app, actor, older);
    return null;
  });
}

/** Throws SagaFailure if the provider does not issue credentials that it accepts. */
async function issueUsable(run: SagaRun<RotationContext>): Promise<Issued & { readonly isVerified: boolean }> {
  const issued = await callVendor(run, `${STEP}: issue`, (assertStillOwned) => issue(run, assertStillOwned));
  return { ...issued, isVerified: issued.isNew && (await useOnce(run, issued)) };
}

/**
 * Rethrows the failure. If the provider may have executed a call, and the catalog says that it allows several credentials,
 * looks whether it has ended the former ones nevertheless. Only if they are still accepted, the rotation can be undone.
 */
async function throwIssueFailure(run: SagaRun<RotationContext>, failure: unknown): Promise<never> {
  const { app, state } = run;
  if (!(failure instanceof SagaFailure) || !failure.mayHaveHappened || state.isSingle) throw failure;
  const { checkEnv } = requireProvider(app, state.provider);
  const isFormerAccepted = await callVendor(
    run,
    `${STEP}: former`,
    async () => (await checkEnv?.(await openStoredEnv(app, state, state.formerVersion))) ?? false,
  ).catch((error: unknown) => {
    if (error instanceof SagaFailure) return false;
    throw error;
  });
  throw new SagaFailure(failure.error, !isFormerAccepted);
}

async function issue(run: SagaRun<RotationContext>, assertStillOwned: AssertStillOwned): Promise<Issued> {
  const { app, state: rotation } = run;
  const { tenantId, serviceId, provider: name, resourceId, config, formerVersion } = rotation;
  const provider = requireProvider(app, name);
  const version = formerVersion + 1;
  const access = await openProviderAccess(app, rotation);
  const former = await openStoredEnv(app, rotation, formerVersion);
  const password = await openServicePassword(app, provider, rotation, version);
  const rotationId = `${serviceId}-${version}`;
  const order = { resourceId, config, rotationId, env: former, password };
  const call = async () => {
    try {
      return await provider.rotate?.(access, order);
    } catch (error) {
      if (isFailure(error, "not_found")) await noteIfMissing(app, provider, access, rotation);
      throw error;
    }
  };
  const rotated = provider.isRotationIdempotent
    ? await call()
    : await callOnceSettled(run, assertStillOwned, { vendor: name, call });
  const problem = rotated === undefined ? "cannot rotate credentials" : serviceEnvProblem(rotation, rotated.env);
  if (rotated === undefined || problem !== undefined) {
    const failure = { vendor: name, operation: "rotate", vendorMessage: problem ?? "" };
    // The former credentials may have ended, so the rotation must not be undone as if it had not happened.
    throw new VendorError(rotated?.mode === "immediate" ? "unknown" : "refused", failure);
  }
  const vault = await openVault(app, tenantId);
  const sealed = sealServiceEnv(vault, { serviceId, version }, rotated.env).toString("base64");
  const isNew = canonicalJson(rotated.env) !== canonicalJson(former);
  return { sealed, mode: rotated.mode, isNew };
}

/**
 * Uses the new credentials once. Returns false if Purser cannot use the provider's credentials. Throws SagaFailure if they
 * are not accepted. If the former ones have already ended, it returns false instead: the new ones are published in any case.
 */
async function useOnce(run: SagaRun<RotationContext>, { sealed, mode }: Issued): Promise<boolean> {
  const { app, state } = run;
  const { checkEnv } = requireProvider(app, state.provider);
  if (checkEnv === undefined) return false;
  try {
    await callVendor(run, `${STEP}: use`, async () => {
      const vault = await openVault(app, state.tenantId);
      const valueSealed = Buffer.from(sealed, "base64");
      const version = state.formerVersion + 1;
      const env = openServiceEnv(vault, { serviceId: state.serviceId, version, valueSealed });
      // A provider can take some seconds to apply new credentials.
      if (await checkEnv(env)) return null;
      const vendorMessage = "the new credentials are not accepted";
      const context = { vendor: state.provider, operation: "checkEnv", vendorMessage };
      throw new VendorError("unavailable", context);
    });
    return true;
  } catch (error) {
    if (mode === "overlap" || !(error instanceof SagaFailure)) throw error;
    const { operationId } = state;
    app.log.error({ operation: operationId }, "new credentials could not be used once");
    return false;
  }
}
