import type { Purser } from "@purser/sdk";
import { until } from "../../until.ts";

/** The audit chain is complete this long after the last change. */
const CHAINED_WITHIN_MS = 60_000;

/** Verifies the audit chain of each tenant, with all entries. Returns their number. */
export async function verifyAudit(
  tenants: readonly { readonly tenantId: string; readonly auditor: Purser }[],
): Promise<number> {
  let entries = 0;
  for (const { tenantId, auditor } of tenants) {
    const { value: found } = await until(
      "the audit chain is complete and anchored",
      async () => {
        const verified = await auditor.audit.verify();
        if (verified.valid === false) return verified;
        return verified.anchor.status === "matched" ? verified : undefined;
      },
      CHAINED_WITHIN_MS,
    );
    if (found.valid !== true) throw new Error(`The audit chain of ${tenantId} is not valid.`);
    entries += found.entries_checked;
  }
  return entries;
}
