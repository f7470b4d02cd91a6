import type { StablecoinRamp } from "../../../ports/stablecoin-ramp.ts";
import { isFailure } from "../../../ports/vendor-error.ts";

/**
 * Deletes a transfer at the ramp vendor. The answer to an earlier deletion can have been lost, so one that is refused succeeds if
 * the transfer is canceled. Throws `VendorError`: `refused` if the vendor has the money already.
 */
export async function deleteTransfer(ramp: StablecoinRamp, transferId: string): Promise<void> {
  await ramp.deleteTransfer(transferId).catch(async (error: unknown) => {
    if (isFailure(error, "refused") && (await ramp.readTransfer(transferId)).state === "canceled") return;
    throw error;
  });
}
