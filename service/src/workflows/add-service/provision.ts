import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../app.ts";
import {
  type Addition,
  awaitProvider,
  openProviderAccess,
  passProvisioning,
  requireProvider,
} from "../../modules/projects/index.ts";
import { askVendor, type Saga, SagaFailure } from "../../operations/ask-vendor.ts";
import type { OperationKey } from "../../operations/queries.ts";
import type {
  ProviderAccess,
  ProviderResource,
  ServiceProvider,
} from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { passwordFor } from "../password-for.ts";

const STEP = "provider_provisioning";
/** How long a provider may take to bring a resource up. */
const UP_WITHIN_MS = 30 * 60_000;
/** How often what may have been made is looked for, each time after twice the pause, before it is taken for never made. */
const LOOKS_MAX = 4;

/**
 * Has the provider make the resource, waits until it is up, and gives its id. Calls `onOrder` right before the order goes out:
 * what fails by then has left nothing there.
 */
export async function provision(
  saga: Saga,
  addition: Addition,
  onOrder: () => void,
): Promise<string> {
  const { app, context, key } = saga;
  const made = await askVendor(saga, STEP, async (assertStillMine) => {
    await letArrive(saga);
    return makeOrFind(app, key, addition, async () => {
      await assertStillMine();
      onOrder();
    });
  });
  const { resourceId } = await untilUp(saga, addition, made);
  await context.transaction(STEP, (tx) => passProvisioning(tx, app, key, { addition, resourceId }));
  return resourceId;
}

/** An execution that died may have sent an order that the provider has not carried out yet: by then it has. */
async function letArrive({ app, context: { abandonedForMs } }: Saga): Promise<void> {
  if (abandonedForMs === null) return;
  await delay(Math.max(0, app.settings.vendorSettleMs - abandonedForMs));
}

/** Looks before it makes: an attempt before this one may have made it, and its answer, or its process, was lost. */
async function makeOrFind(
  app: App,
  key: OperationKey,
  addition: Addition,
  beforeOrder: () => Promise<void>,
): Promise<ProviderResource> {
  const provider = requireProvider(app, addition.provider);
  const { existingResourceId, resourceName, plan, region, config } = addition;
  const access = await openAccess(app, key, addition);
  if (existingResourceId !== null) return provider.inspect(access, existingResourceId);
  const known = await provider.find(access, resourceName);
  if (known !== undefined) return known;
  const password = await passwordFor(app, provider, { ...addition, tenantId: key.tenantId });
  const order = { resourceName, plan, region, config, password };
  // Whoever took this over has seen as little of the resource as we have, and may have made it since.
  await beforeOrder();
  return makeOnce(app, provider, access, order);
}

async function makeOnce(
  app: App,
  provider: ServiceProvider,
  access: ProviderAccess,
  order: Parameters<ServiceProvider["provision"]>[1],
): Promise<ProviderResource> {
  try {
    return await provider.provision(access, order);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    // "It exists already" is a refusal that may be about what was made a moment ago, and a lost answer tells nothing.
    if (error.failure !== "refused" && error.failure !== "unknown") throw error;
    const find = () => provider.find(access, order.resourceName).catch(() => undefined);
    const made = await (error.failure === "unknown" ? lookPatiently(app, find) : find());
    if (made === undefined) throw error;
    return made;
  }
}

/** What was asked for may come to be long after its answer was given up, and to ask again too soon would make it twice. */
async function lookPatiently(
  { settings }: Pick<App, "settings">,
  find: () => Promise<ProviderResource | undefined>,
): Promise<ProviderResource | undefined> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    await delay(settings.vendorRetryMs * 2 ** look);
    const made = await find();
    if (made !== undefined) return made;
  }
  return undefined;
}

async function untilUp(
  saga: Saga,
  addition: Addition,
  made: ProviderResource,
): Promise<ProviderResource> {
  const { app, context, key } = saga;
  let resource = made;
  let waitedMs = 0;
  while (resource.status === "pending") {
    const { resourceId, expectedSeconds, pollAfterMs } = resource;
    if (waitedMs === 0) {
      await context.transaction(`${STEP}: await`, (tx) =>
        awaitProvider(tx, app, key, { addition, resourceId, expectedSeconds }),
      );
      context.answerNow();
    }
    if (waitedMs >= UP_WITHIN_MS) throw failed(addition, "did not come up within 30 minutes");
    await context.sleep(STEP, pollAfterMs);
    waitedMs += Math.max(pollAfterMs, 1);
    resource = await askVendor(saga, `${STEP}: look`, () =>
      inspect(app, key, addition, resourceId),
    );
  }
  if (resource.status === "failed") throw failed(addition, `failed: ${resource.reason}`);
  return resource;
}

async function inspect(
  app: App,
  key: OperationKey,
  addition: Addition,
  resourceId: string,
): Promise<ProviderResource> {
  const access = await openAccess(app, key, addition);
  return requireProvider(app, addition.provider).inspect(access, resourceId);
}

function openAccess(
  app: App,
  { tenantId }: OperationKey,
  { linkId }: Addition,
): Promise<ProviderAccess> {
  return openProviderAccess(app, { tenantId, linkId });
}

function failed({ provider }: Addition, what: string): SagaFailure {
  return new SagaFailure({
    code: "provider_error",
    detail: `The resource at ${provider} ${what}.`,
  });
}
