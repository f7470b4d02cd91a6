import { Select, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Wallet, WalletBalance } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatNetwork } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useAgents } from "../ui/names.tsx";
import { AppLink, useGo } from "../ui/navigation.tsx";

const MAIN_NETWORKS = ["base", "ethereum", "arbitrum", "optimism", "polygon"] as const;
const TEST_NETWORKS = [
  ...(["base-sepolia", "ethereum-sepolia", "arbitrum-sepolia"] as const),
  ...(["optimism-sepolia", "polygon-amoy"] as const),
];
const OPTIONS = [...MAIN_NETWORKS, ...TEST_NETWORKS].map((value) => ({ value, label: formatNetwork(value) }));

interface NewWallet {
  readonly agent_id: string;
  readonly network: Wallet["network"];
  readonly name: string;
}

export function CreateWallet() {
  const go = useGo();
  const agents = useAgents().filter(({ status }) => status === "active");
  const form = useForm<NewWallet>({ initialValues: { agent_id: "", network: "base", name: "" } });
  const create = async () => {
    const { name, ...rest } = form.values;
    const { data } = await api.POST("/wallets/create", { body: { ...rest, ...(name !== "" && { name }) } });
    form.reset();
    if (data !== undefined) go(`/wallets/${data.wallet_id}`);
  };
  return (
    <ActionDialog title="Create wallet" action="Create wallet" run={create}>
      {agents.length === 0 && (
        <Text size="sm">
          A wallet belongs to an agent.{" "}
          <AppLink to="/agents" underline="always">
            Create an agent
          </AppLink>{" "}
          first.
        </Text>
      )}
      <Select label="Agent" required searchable data-autofocus data={agents} {...form.getInputProps("agent_id")} />
      <Select label="Network" required allowDeselect={false} data={OPTIONS} {...form.getInputProps("network")} />
      <TextInput label="Name" description={NAME_RULE} maxLength={36} {...form.getInputProps("name")} />
    </ActionDialog>
  );
}

const NAME_RULE = "2 to 36 letters, digits and hyphens. Optional.";

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
