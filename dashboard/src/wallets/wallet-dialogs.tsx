import { Text } from "@mantine/core";
import type { Wallet, WalletBalance } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatNetwork } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn } from "../ui/forms/fields.tsx";
import { metadataChange, metadataField } from "../ui/forms/metadata.tsx";
import { useAgents } from "../ui/names.tsx";
import { AppLink, useGo } from "../ui/navigation.tsx";

export const NETWORKS = [
  ...["base", "ethereum", "arbitrum", "optimism", "polygon", "base-sepolia", "ethereum-sepolia"],
  ...["arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"],
].map((value) => ({ value, label: formatNetwork(value) }));
const RULE = "2 to 36 letters, digits and hyphens. Optional.";
const NAME = { name: "name", label: "Name", maxLength: 36, description: RULE } as const;

/** Creates a wallet, for this agent if there is one. */
export function CreateWallet({ agentId, isSmall = false }: { readonly agentId?: string; readonly isSmall?: boolean }) {
  const go = useGo();
  const agents = useAgents().filter(({ status }) => status === "active");
  return (
    <ActionDialog
      {...{ title: "Create wallet", action: "Create wallet", isSmall }}
      fields={[
        {
          name: "agent_id",
          label: "Agent",
          input: "object",
          required: true,
          data: agents,
          defaultValue: agentId ?? null,
        },
        { name: "network", label: "Network", input: "one", required: true, defaultValue: "base", data: NETWORKS },
        NAME,
      ]}
      run={async ({ agent_id, network, name }) => {
        const body = { agent_id, network: network as Wallet["network"], ...filledIn({ name }) };
        const { data } = await api.POST("/wallets/create", { body });
        if (data !== undefined) go(`/wallets/${data.wallet_id}`);
      }}
    >
      {agents.length === 0 && (
        <Text size="sm">
          A wallet belongs to an agent.{" "}
          <AppLink to="/agents" underline="always">
            Create an agent
          </AppLink>{" "}
          first.
        </Text>
      )}
    </ActionDialog>
  );
}

export function FundWallet({ wallet: { wallet_id, balances } }: { wallet: Wallet }) {
  const params = { path: { wallet_id } };
  const tokens = balances.map(({ token }) => token);
  return (
    <ActionDialog
      {...{ title: "Fund wallet", action: "Add test tokens" }}
      text="Adds up to 10,000 test tokens at a time. They are worth nothing."
      fields={[
        { name: "amount", label: "Amount", inputMode: "decimal", required: true, defaultValue: "100.00" },
        { name: "token", label: "Token", input: "one", required: true, data: tokens, defaultValue: "USDC" },
      ]}
      run={({ amount, token }) =>
        api.POST("/wallets/{wallet_id}/fund", { params, body: { amount, token: token as WalletBalance["token"] } })
      }
    />
  );
}

/** Changes the wallet's name and metadata. */
export function EditWallet({ wallet: { wallet_id, name, metadata } }: { wallet: Wallet }) {
  const params = { path: { wallet_id } };
  return (
    <ActionDialog
      {...{ title: "Edit wallet", button: "Edit", action: "Save", buttonProps: { variant: "default" } }}
      fields={[{ ...NAME, defaultValue: name }, metadataField(metadata)]}
      run={(values) => {
        const body = { name: values.name || null, metadata: metadataChange(values.metadata, metadata) };
        return api.PATCH("/wallets/{wallet_id}", { params, body });
      }}
    />
  );
}
