import { Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { AppLink } from "./navigation.tsx";

/** The names of objects that other objects refer to by their ids. Objects after the first 100 are shown by their ids. */

export function useAgents() {
  return hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } }).data?.data ?? [];
}

export function useWallets() {
  return hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } }).data?.data ?? [];
}

export function useProjects() {
  return hooks.useQuery("get", "/projects", { params: { query: { per_page: 100 } } }).data?.data ?? [];
}

/** Returns the first and the last characters of an id, an address or a hash. */
export function shorten(id: string): string {
  return id.length <= 15 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}

export function nameOfWallet({ name, address, network }: Wallet): string {
  return `${name ?? shorten(address)} on ${network}`;
}

export function AgentLink({ id }: { readonly id: string }) {
  const agent = useAgents().find(({ agent_id }) => agent_id === id);
  return <Name to={`/agents/${id}`} name={agent?.name} id={id} />;
}

export function WalletLink({ id }: { readonly id: string }) {
  const wallet = useWallets().find(({ wallet_id }) => wallet_id === id);
  return <Name to={`/wallets/${id}`} name={wallet && nameOfWallet(wallet)} id={id} />;
}

export function ProjectLink({ id }: { readonly id: string }) {
  const project = useProjects().find(({ project_id }) => project_id === id);
  return <Name to={`/projects/${id}`} name={project?.name} id={id} />;
}

function Name({
  to,
  name,
  id,
}: {
  readonly to: string;
  readonly name: string | null | undefined;
  readonly id: string;
}) {
  return (
    <AppLink to={to} size="sm">
      {name ?? <Short text={id} />}
    </AppLink>
  );
}

/** A long id, address or hash in little space; hovering shows all of it. */
export function Short({ text }: { readonly text: string }) {
  return (
    <Text span ff="monospace" size="sm" title={text}>
      {shorten(text)}
    </Text>
  );
}
