import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { recordEntryAndEvent } from "../../../events/events.ts";
import { formatUsdCents } from "../../../foundation/money.ts";
import { type MaskedConversion, presentConversion } from "./conversion-resource.ts";

/** Writes the audit entry and the event for a conversion's new status, which they are named after. */
export async function recordConversion(tx: Tx, actor: Actor, masked: MaskedConversion, at: Date): Promise<void> {
  const { conversionId, direction, status, walletId, accountId, agentId, projectId, ...rest } = masked.conversion;
  await recordEntryAndEvent(
    tx,
    actor,
    {
      action: `conversion.${status}`,
      subject: { type: "conversion", id: conversionId },
      facts: {
        ...{ direction, wallet_id: walletId, account_id: accountId, agent_id: agentId, project_id: projectId },
        ...{ amount: formatUsdCents(rest.sourceCents), fee: formatUsdCents(rest.feeCents) },
        ...{ provider_reference: rest.transferId, failure: rest.failure?.code ?? null },
      },
      occurredAt: at,
    },
    () => presentConversion(masked, at),
  );
}
