import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { WalletFreezeRequest } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";

const REASONS = [
  ...(["suspected_compromise", "anomaly", "policy_violation", "compliance", "compliance_review"] as const),
  ...(["sanctions_match", "legal_order", "user_request", "other"] as const),
];

export function useFreezeForm() {
  const texts = { note: "", reference: "", review: "" };
  const reason = "suspected_compromise" as WalletFreezeRequest["reason"];
  return useForm({ initialValues: { ...texts, reason, refusesDeposits: true, allWallets: false } });
}

type FreezeForm = ReturnType<typeof useFreezeForm>;

export function freezeOf({ note, reference, review, ...values }: FreezeForm["values"]): WalletFreezeRequest {
  return {
    reason: values.reason,
    mode: values.refusesDeposits ? "full" : "outgoing_only",
    scope: values.allWallets ? "agent" : "wallet",
    ...(note !== "" && { note }),
    ...(reference !== "" && { reference }),
    ...(review !== "" && { expires_at: new Date(`${review}T00:00`).toISOString() }),
  };
}

export function FreezeFields({ form }: { readonly form: FreezeForm }) {
  const reasons = REASONS.map((value) => ({ value, label: formatName(value) }));
  const isOther = form.values.reason === "other";
  const review = { label: "Review on", description: "A reminder. The freeze does not end then.", type: "date" };
  const checkbox = { type: "checkbox" } as const;
  return (
    <>
      <Select label="Reason" required allowDeselect={false} data={reasons} {...form.getInputProps("reason")} />
      <Textarea label="Note" required={isOther} maxLength={1_000} {...form.getInputProps("note")} />
      <TextInput label="Reference" placeholder="A case number" maxLength={200} {...form.getInputProps("reference")} />
      <TextInput {...review} {...form.getInputProps("review")} />
      <Switch label="Also refuse money of your account" {...form.getInputProps("refusesDeposits", checkbox)} />
      <Switch label="Freeze all wallets of this agent" {...form.getInputProps("allWallets", checkbox)} />
    </>
  );
}
