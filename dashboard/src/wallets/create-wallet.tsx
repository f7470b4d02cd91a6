import { Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Wallet } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { formatName } from "../ui/format.ts";
import { useAgents } from "../ui/names.tsx";
import { AppLink, useGo } from "../ui/navigation.tsx";

const NETWORKS: readonly Wallet["network"][] = [
  "base",
  "ethereum",
  "arbitrum",
  "optimism",
  "polygon",
  "base-sepolia",
  "ethereum-sepolia",
  "arbitrum-sepolia",
  "optimism-sepolia",
  "polygon-amoy",
];

export function CreateWallet() {
  const go = useGo();
  const agents = useAgents().filter(({ status }) => status === "active");
  const [agentId, setAgentId] = useState<string | null>(null);
  const [network, setNetwork] = useState<Wallet["network"]>("base");
  const [name, setName] = useState("");
  const create = async () => {
    const body = { agent_id: agentId ?? "", network, ...(name !== "" && { name }) };
    const { data } = await api.POST("/wallets/create", { body });
    setName("");
    if (data !== undefined) go(`/wallets/${data.wallet_id}`);
  };
  return (
    <ActionDialog title="Create wallet" action="Create wallet" run={create}>
      {agents.length === 0 && (
        <Text size="sm">
          A wallet belongs to an agent. <AppLink to="/agents">Create an agent</AppLink> first.
        </Text>
      )}
      <Select
        label="Agent"
        required
        searchable
        data={agents.map(({ agent_id, name: label }) => ({ value: agent_id, label }))}
        value={agentId}
        onChange={setAgentId}
        data-autofocus
      />
      <Select
        label="Network"
        required
        allowDeselect={false}
        data={NETWORKS.map((value) => ({ value, label: formatName(value.replace("-", " ")) }))}
        value={network}
        onChange={(value) => value !== null && setNetwork(value)}
      />
      <TextInput
        label="Name"
        description="2 to 36 letters, digits and hyphens. Optional."
        maxLength={36}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ActionDialog>
  );
}
