import type { Tx } from "../db/database.ts";
import type { ProviderResource } from "../ports/service-provider.ts";
import { callVendor, SagaFailure } from "./call-vendor.ts";
import { operationRows } from "./queries.ts";
import type { SagaRun } from "./saga.ts";

/** How long to wait until a resource is ready. */
const READY_WITHIN_MS = 30 * 60_000;

/** A resource as it can be stored in a checkpoint: without its credentials. */
type Looked<Ready> = Exclude<ProviderResource, { readonly status: "ready" }> | Ready;

/**
 * Waits until a provider's resource is ready. Meanwhile the operation shows how long the provider's work typically takes, and
 * its callers get their response. Throws SagaFailure if the resource fails, or is not ready within 30 minutes.
 */
export async function waitUntilReady<Ready extends { readonly status: "ready" }>(
  run: SagaRun<unknown>,
  step: string,
  {
    first,
    look,
    save,
    what,
  }: {
    readonly first: Looked<Ready>;
    readonly look: () => Promise<Looked<Ready>>;
    /** Called before the wait, with the id of the resource. */
    readonly save?: (tx: Tx, resourceId: string) => Promise<void>;
    /** The subject of the error's detail, for example `The resource at neon`. */
    readonly what: string;
  },
): Promise<Ready> {
  const { app, context, key } = run;
  const failed = (how: string) => new SagaFailure({ code: "provider_error", detail: `${what} ${how}.` });
  let resource = first;
  let waitedMs = 0;
  while (resource.status === "pending") {
    const { resourceId, expectedSeconds, pollAfterMs } = resource;
    if (waitedMs === 0) {
      await context.transaction(`${step}: await`, async (tx) => {
        await save?.(tx, resourceId);
        const change = { expectedCallbackSeconds: expectedSeconds, updatedAt: app.clock.now() };
        await operationRows.update(tx, key, change);
        return null;
      });
      context.releaseCallers();
    }
    if (waitedMs >= READY_WITHIN_MS) throw failed("was not ready within 30 minutes");
    await context.sleep(step, pollAfterMs);
    waitedMs += Math.max(pollAfterMs, 1);
    resource = await callVendor(run, `${step}: look`, look);
  }
  if (resource.status === "failed") throw failed(`failed: ${resource.reason}`);
  return resource;
}
