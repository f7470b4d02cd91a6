import type { Removal } from "../modules/projects/index.ts";
import { callVendor } from "../operations/call-vendor.ts";
import type { SagaRun } from "../operations/saga.ts";
import { releaseResource } from "./release-resource.ts";
import { retireFormerCredential } from "./retire-former-credential.ts";

/**
 * Deletes a service's resource at its provider. If the resource stays there, ends only the former credential of a rotation,
 * because nothing of Purser does so later.
 */
export async function releaseService(
  run: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  removal: Removal,
): Promise<void> {
  const { stays, former } = removal;
  if (!stays) {
    const release = () => releaseResource(run.app, removal);
    await callVendor(run, step, release, { patience: "long" });
    return;
  }
  if (former !== null) await retireFormerCredential(run, step, former);
}
