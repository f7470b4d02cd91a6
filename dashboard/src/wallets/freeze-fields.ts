import type { WalletFreezeRequest } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { type Field, filledIn } from "../ui/forms/fields.tsx";

const REASONS: readonly WalletFreezeRequest["reason"][] = [
  ...(["suspected_compromise", "anomaly", "policy_violation", "compliance", "compliance_review"] as const),
  ...(["sanctions_match", "legal_order", "user_request", "other"] as const),
];

const CHOICES = REASONS.map((value) => ({ value, label: formatName(value) }));

/** Why a wallet is frozen or unfrozen. */
export const WHY_FIELDS: readonly Field<"reason" | "note" | "reference">[] = [
  { name: "reason", label: "Reason", input: "one", required: true, data: CHOICES },
  { name: "note", label: "Note", input: "lines", maxLength: 1_000 },
  { name: "reference", label: "Reference", placeholder: "A case number", maxLength: 200 },
];

type Name = "reason" | "note" | "reference" | "review" | "full" | "all";

export const FREEZE_FIELDS: readonly Field<Name>[] = [
  ...WHY_FIELDS,
  { name: "review", label: "Review on", type: "date", description: "A reminder. The freeze does not end then." },
  { name: "full", label: "Also refuse money of the account's other wallets", input: "check", defaultChecked: true },
  { name: "all", label: "Freeze all wallets of this agent", input: "check" },
];

export function freezeOf({ review, full, all, ...why }: Readonly<Record<Name, string>>): WalletFreezeRequest {
  return {
    ...(filledIn(why) as Pick<WalletFreezeRequest, "reason">),
    mode: full ? "full" : "outgoing_only",
    scope: all ? "agent" : "wallet",
    ...(review !== "" && { expires_at: new Date(`${review}T00:00`).toISOString() }),
  };
}
