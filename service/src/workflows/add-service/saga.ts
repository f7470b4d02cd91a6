import type { App } from "../../app.ts";
import type { OperationError } from "../../db/schema.ts";
import type { DurableWorkflow } from "../../durable/durable-execution.ts";
import { requireActiveAgent } from "../../modules/agents/index.ts";
import {
  type Addition,
  type AddServiceStep,
  abandonService,
  activateService,
  passCatalogValidation,
  passGate,
  passPolicy,
  passServiceRecord,
  type StepVerdict,
} from "../../modules/projects/index.ts";
import {
  askVendor,
  callOperator,
  errorOf,
  type Saga,
  SagaFailure,
} from "../../operations/ask-vendor.ts";
import type { OperationKey } from "../../operations/queries.ts";
import { leaveToOperator } from "../../operations/track-operation.ts";
import { releaseResource } from "../release-resource.ts";
import { provision } from "./provision.ts";
import { setUpPayment } from "./set-up-payment.ts";
import { storeCredentials } from "./store-credentials.ts";

export const ADD_SERVICE = "service.add";

/** How far the saga has come, as far as undoing it goes. */
interface Progress {
  /** The steps whose effects would have to be undone. */
  readonly done: AddServiceStep[];
  /** The provider's turn has come: follows from the steps alone, as what comes after it must. */
  reachedProvider: boolean;
  /** Something of ours is, or may be, at the provider: as far as this execution knows. */
  mayHoldResource: boolean;
}

/**
 * Adds a service in the eight steps of the specification. Whatever dies meanwhile, it ends: with the service there, or with
 * nothing of it left at the vendor, in the budget or in the vault; or, where a vendor does not let go, with a person told.
 */
export function addServiceSaga(app: App): DurableWorkflow {
  return async (context, input) => {
    const saga = { app, context, key: input as OperationKey };
    const { addition, refused } = await context.transaction("kya_gate", (tx) =>
      passGate(tx, app, saga.key, ({ agentId, mode }) =>
        agentId === null
          ? Promise.resolve()
          : requireActiveAgent(tx, { tenantId: input.tenantId, mode, agentId }),
      ),
    );
    const progress: Progress = { done: [], reachedProvider: false, mayHoldResource: false };
    try {
      if (refused !== null) throw new SagaFailure(refused);
      await add(saga, addition, progress);
    } catch (error) {
      const mayStillHappen = error instanceof SagaFailure && error.mayHaveHappened;
      await undo(saga, addition, { ...progress, mayStillHappen }, errorOf(app, saga.key, error));
    }
  };
}

async function add(saga: Saga, addition: Addition, progress: Progress): Promise<void> {
  const { app, context, key } = saga;
  await passing(context.transaction("policy", (tx) => passPolicy(tx, app, key, addition)));
  if (addition.reserves) progress.done.push("policy");
  await passing(
    context.transaction("catalog_validation", (tx) =>
      passCatalogValidation(tx, app, key, addition),
    ),
  );
  await setUpPayment(saga, addition);

  progress.reachedProvider = true;
  // An execution before this one may have ordered, and nobody knows any more.
  progress.mayHoldResource = context.abandonedForMs !== null;
  const resourceId = await provision(saga, addition, () => {
    progress.mayHoldResource = true;
  });
  progress.mayHoldResource = true;
  progress.done.push("provider_provisioning");
  await storeCredentials(saga, addition, resourceId);
  progress.done.push("credential_storage");
  await context.transaction("service_record", (tx) => passServiceRecord(tx, app, key, addition));
  progress.done.push("service_record");
  await context.transaction("audit", (tx) => activateService(tx, app, key, addition));
}

async function passing(step: Promise<StepVerdict>): Promise<void> {
  const { refused } = await step;
  if (refused !== null) throw new SagaFailure(refused);
}

/** Undoes in reverse. The resource goes first, since it is what costs money; the rest is one transaction. */
async function undo(
  saga: Saga,
  addition: Addition,
  {
    done,
    reachedProvider,
    mayHoldResource,
    mayStillHappen,
  }: Progress & { readonly mayStillHappen: boolean },
  error: OperationError,
): Promise<void> {
  const { app, context, key } = saga;
  if (reachedProvider && addition.existingResourceId === null) {
    try {
      const step = "undo provider_provisioning";
      // Where nothing was ordered the provider is not asked: it may be one that lets us do nothing any more.
      const release = async () => (mayHoldResource ? releaseResource(app, key, addition) : null);
      await askVendor(saga, step, release, { patience: "long" });
      if (mayStillHappen) {
        // An order whose answer was lost may be carried out yet: by then it has been, or never will be.
        await context.sleep(step, app.settings.vendorSettleMs);
        await askVendor(saga, step, release, { patience: "long" });
      }
    } catch (failure) {
      const { code } = errorOf(app, key, failure);
      app.log.error({ operation: key.operationId, code }, "an addition could not be undone");
      return callOperator(saga, error, leaveToOperator);
    }
  }
  await context.transaction("undo", (tx) =>
    abandonService(tx, app, key, { addition, error, undone: done }),
  );
}
