import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { WalletFreezeRequest } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";

interface FreezeValues {
  readonly reason: WalletFreezeRequest["reason"];
  readonly note: string;
  readonly reference: string;
  readonly blocksDeposits: boolean;
  readonly allWallets: boolean;
  /** A day of the browser's time zone. */
  readonly review: string;
}

export const NEW_FREEZE: FreezeValues = {
  reason: "suspected_compromise",
  note: "",
  reference: "",
  blocksDeposits: true,
  allWallets: false,
  review: "",
};

const REASONS: readonly FreezeValues["reason"][] = [
  "suspected_compromise",
  "anomaly",
  "policy_violation",
  "compliance",
  "compliance_review",
  "sanctions_match",
  "legal_order",
  "user_request",
  "other",
];

export function freezeOf({ reason, note, reference, blocksDeposits, allWallets, review }: FreezeValues) {
  return {
    reason,
    mode: blocksDeposits ? "full" : "outgoing_only",
    scope: allWallets ? "agent" : "wallet",
    ...(note !== "" && { note }),
    ...(reference !== "" && { reference }),
    ...(review !== "" && { expires_at: new Date(`${review}T00:00`).toISOString() }),
  } as const;
}

export function FreezeFields({
  values,
  change,
}: {
  readonly values: FreezeValues;
  readonly change: (values: FreezeValues) => void;
}) {
  const set = (changed: Partial<FreezeValues>) => change({ ...values, ...changed });
  return (
    <>
      <Select
        label="Reason"
        required
        allowDeselect={false}
        data={REASONS.map((value) => ({ value, label: formatName(value) }))}
        value={values.reason}
        onChange={(reason) => reason !== null && set({ reason })}
      />
      <Textarea
        label="Note"
        required={values.reason === "other"}
        maxLength={1_000}
        value={values.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
      />
      <TextInput
        label="Reference"
        placeholder="A case number"
        maxLength={200}
        value={values.reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
      />
      <TextInput
        label="Review on"
        description="A reminder in the freeze. It does not end then."
        type="date"
        value={values.review}
        onChange={({ currentTarget }) => set({ review: currentTarget.value })}
      />
      <Switch
        label="Also refuse money that comes from your account"
        checked={values.blocksDeposits}
        onChange={({ currentTarget }) => set({ blocksDeposits: currentTarget.checked })}
      />
      <Switch
        label="Freeze all wallets of this agent"
        checked={values.allWallets}
        onChange={({ currentTarget }) => set({ allWallets: currentTarget.checked })}
      />
    </>
  );
}
