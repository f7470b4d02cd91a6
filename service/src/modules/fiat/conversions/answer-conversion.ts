import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { redactedMessage } from "../../../foundation/redact.ts";
import { advanceAndSchedule } from "./advance-conversion.ts";
import type { MaskedConversion } from "./conversion-resource.ts";
import { conversionRows } from "./queries.ts";
import type { ConversionReference } from "./request-conversion.ts";
import { withMask } from "./require-conversion.ts";

/**
 * Returns a conversion that was just requested. Asks the vendor for it first, for at most `syncWaitMs`: what is not done by then,
 * or fails, the job goes on with.
 */
export async function answerConversion(
  app: App,
  tenantId: TenantId,
  { conversionId }: ConversionReference,
  isReplayed: boolean,
): Promise<MaskedConversion> {
  const key = { tenantId, conversionId };
  if (!isReplayed) {
    const advanced = advanceAndSchedule(app, key).catch((error: unknown) => {
      app.log.warn({ ...key, message: redactedMessage(error) }, "a conversion goes on later");
    });
    await Promise.race([advanced, waitAtMost(app.settings.syncWaitMs)]);
  }
  return withMask(app.db, await conversionRows.get(app.db, key));
}

function waitAtMost(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, timeoutMs).unref());
}
