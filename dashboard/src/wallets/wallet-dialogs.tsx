import { Select, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Wallet, WalletBalance } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { NAME_RULE } from "./create-wallet.tsx";

export function FundWallet({ wallet: { wallet_id, balances } }: { readonly wallet: Wallet }) {
  const form = useForm({ initialValues: { amount: "100.00", token: "USDC" as WalletBalance["token"] } });
  const fund = () => api.POST("/wallets/{wallet_id}/fund", { params: { path: { wallet_id } }, body: form.values });
  const tokens = balances.map(({ token }) => token);
  return (
    <ActionDialog title="Fund wallet" action="Add test tokens" run={fund}>
      <Text size="sm">Adds up to 10,000 test tokens at a time. They are worth nothing.</Text>
      <TextInput label="Amount" inputMode="decimal" required data-autofocus {...form.getInputProps("amount")} />
      <Select label="Token" allowDeselect={false} data={tokens} {...form.getInputProps("token")} />
    </ActionDialog>
  );
}

/** Changes the wallet's name and metadata. */
export function EditWallet({ wallet: { wallet_id, name, metadata } }: { readonly wallet: Wallet }) {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`);
  const form = useForm({ initialValues: { name: name ?? "", pairs: pairs.join("\n") } });
  const save = () => {
    const removed = Object.fromEntries(Object.keys(metadata).map((key) => [key, null]));
    const body = { name: form.values.name || null, metadata: { ...removed, ...parse(form.values.pairs) } };
    return api.PATCH("/wallets/{wallet_id}", { params: { path: { wallet_id } }, body });
  };
  return (
    <ActionDialog title="Edit wallet" button="Edit" buttonProps={{ variant: "default" }} action="Save" run={save}>
      <TextInput label="Name" description={NAME_RULE} maxLength={36} {...form.getInputProps("name")} />
      <Textarea
        {...{
          label: "Metadata",
          description: "One pair on each line, such as team: growth",
          autosize: true,
          minRows: 3,
        }}
        {...form.getInputProps("pairs")}
      />
    </ActionDialog>
  );
}

function parse(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/^([^:\n]+)(?::(.*))?$/gm)];
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key.trim(), value.trim()]));
}
