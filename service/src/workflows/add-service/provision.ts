import type { App } from "../../app.ts";
import type { AssertStillMine } from "../../durable/durable-execution.ts";
import {
  type Addition,
  keepResource,
  openProviderAccess,
  requireProvider,
} from "../../modules/projects/index.ts";
import { askVendor, SagaFailure } from "../../operations/ask-vendor.ts";
import { expectCallback } from "../../operations/expect-callback.ts";
import { makeOnce } from "../../operations/make-once.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import type { ProviderResource } from "../../ports/service-provider.ts";
import { passwordFor } from "../password-for.ts";

const STEP = "provider_provisioning";
/** How long a provider may take to bring a resource up. */
const UP_WITHIN_MS = 30 * 60_000;

/** Has the provider make the resource, or takes in the one that is there, and waits until it is up. */
export async function provision(run: SagaRun<Addition>, commit: Commit<Addition>): Promise<void> {
  const { app, state: addition } = run;
  const made = await askVendor(run, STEP, (assertStillMine) => makeOrFind(run, assertStillMine));
  const { resourceId } = await untilUp(run, made);
  await commit(async (tx) => {
    await keepResource(tx, app, addition, resourceId);
    return { resourceId };
  });
}

async function makeOrFind(
  run: SagaRun<Addition>,
  assertStillMine: AssertStillMine,
): Promise<ProviderResource> {
  const { app, state: addition } = run;
  const provider = requireProvider(app, addition.provider);
  const { existingResourceId, resourceName, plan, region, config } = addition;
  const access = await openProviderAccess(app, addition);
  if (existingResourceId !== null) return provider.inspect(access, existingResourceId);
  const password = await passwordFor(app, provider, addition);
  const order = { resourceName, plan, region, config, password };
  return makeOnce(run, assertStillMine, {
    vendor: addition.provider,
    find: () => provider.find(access, resourceName),
    make: () => provider.provision(access, order),
  });
}

async function untilUp(run: SagaRun<Addition>, made: ProviderResource): Promise<ProviderResource> {
  const { app, context, key, state: addition } = run;
  let resource = made;
  let waitedMs = 0;
  while (resource.status === "pending") {
    const { resourceId, expectedSeconds, pollAfterMs } = resource;
    if (waitedMs === 0) {
      await context.transaction(`${STEP}: await`, async (tx) => {
        await keepResource(tx, app, addition, resourceId);
        await expectCallback(tx, app, key, expectedSeconds);
        return null;
      });
      context.answerNow();
    }
    if (waitedMs >= UP_WITHIN_MS) throw failed(addition, "did not come up within 30 minutes");
    await context.sleep(STEP, pollAfterMs);
    waitedMs += Math.max(pollAfterMs, 1);
    resource = await askVendor(run, `${STEP}: look`, () => inspect(app, addition, resourceId));
  }
  if (resource.status === "failed") throw failed(addition, `failed: ${resource.reason}`);
  return resource;
}

async function inspect(
  app: App,
  addition: Addition,
  resourceId: string,
): Promise<ProviderResource> {
  const access = await openProviderAccess(app, addition);
  return requireProvider(app, addition.provider).inspect(access, resourceId);
}

function failed({ provider }: Addition, what: string): SagaFailure {
  return new SagaFailure({
    code: "provider_error",
    detail: `The resource at ${provider} ${what}.`,
  });
}
