import { NativeSelect, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { AdminWallet, WalletFreezeRequest } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";

const REASONS: readonly WalletFreezeRequest["reason"][] = [
  ...(["compliance_review", "compliance", "sanctions_match", "suspected_compromise", "policy_violation"] as const),
  ...(["anomaly", "legal_order", "user_request", "other"] as const),
];
const REASON_CHOICES = [
  { value: "", label: "Choose a reason", disabled: true },
  ...REASONS.map((reason) => ({ value: reason, label: formatName(reason) })),
];

/** Freezes or unfreezes a wallet. The last characters of its address must be typed, so that it is not another one. */
export function ChangeFreeze({ wallet, isFreeze }: { readonly wallet: AdminWallet; readonly isFreeze: boolean }) {
  const form = useForm({ initialValues: { reason: "", reference: "", note: "", scope: "wallet" } });
  const action = isFreeze ? "Freeze" : "Unfreeze";
  const change = () => {
    const { scope, ...texts } = form.values;
    const why = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")) as WalletFreezeRequest;
    const params = { path: { wallet_id: wallet.wallet_id } };
    if (!isFreeze) return api.POST("/admin/wallets/{wallet_id}/unfreeze", { params, body: why });
    const body = { ...why, ...(scope === "agent" && { scope: "agent" as const }) };
    return api.POST("/admin/wallets/{wallet_id}/freeze", { params, body });
  };
  return (
    <ActionDialog
      title={`${action} ${wallet.wallet_id}`}
      button={action}
      buttonProps={{ size: "compact-sm", variant: "light", ...(isFreeze && { color: "red" }) }}
      action={`${action} the wallet`}
      isDangerous={isFreeze}
      typeToConfirm={wallet.address.slice(-6)}
      run={change}
    >
      <Stack>
        <Text size="sm">{isFreeze ? freezeMeaning(wallet) : unfreezeMeaning(wallet)}</Text>
        <NativeSelect label="Reason" required data-autofocus data={REASON_CHOICES} {...form.getInputProps("reason")} />
        <TextInput label="Reference, such as a case number" maxLength={200} {...form.getInputProps("reference")} />
        <Textarea label="Note" autosize minRows={2} maxLength={1_000} {...form.getInputProps("note")} />
        {isFreeze && (
          <Radio.Group label="What to freeze" {...form.getInputProps("scope")}>
            <Stack gap="xs" mt="xs">
              <Radio value="wallet" label="This wallet" />
              <Radio value="agent" label={`All ${wallet.mode} wallets of its agent`} />
            </Stack>
          </Radio.Group>
        )}
      </Stack>
    </ActionDialog>
  );
}

function freezeMeaning({ mode }: AdminWallet): string {
  return `From now on, no payment leaves this ${mode} wallet, and it gets none from the developer's other wallets. Payments that wait are canceled. The developer sees the reason, and only an admin can unfreeze it.`;
}

function unfreezeMeaning({ freeze }: AdminWallet): string {
  const isOnChain = !["not_frozen", "simulated"].includes(freeze.onchain.status);
  const chain =
    " The account is unfrozen on its chain first. If that takes longer than 20 seconds, you see an error, and Purser goes on: look again in a minute.";
  return `Payments work again. Those that were canceled stay canceled.${isOnChain ? chain : ""}`;
}
