import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "./copy-text.tsx";
import { formatName } from "./format.ts";
import { AppLink } from "./navigation.tsx";

/** The names of objects that others refer to by their ids, as options of a `Select`. Others than the first 100 show their ids. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

export function useAgents(): readonly (Option & { readonly isActive: boolean })[] {
  const { data } = hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } });
  return (data?.data ?? []).map(({ agent_id: value, name: label, status }) => {
    return { value, label, isActive: status === "active" };
  });
}

export function useWallets(): readonly Option[] {
  const { data } = hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } });
  return (data?.data ?? []).map((wallet) => ({ value: wallet.wallet_id, label: nameOfWallet(wallet) }));
}

export function useProjects(): readonly Option[] {
  const { data } = hooks.useQuery("get", "/projects", { params: { query: { per_page: 100 } } });
  return (data?.data ?? []).map(({ project_id: value, name: label }) => ({ value, label }));
}

function nameOfWallet({ name, address, network }: Wallet): string {
  return `${name ?? shorten(address)} on ${formatNetwork(network)}`;
}

export function formatNetwork(network: string): string {
  return formatName(network.replace("-", " "));
}

/** Returns the first and the last characters of an id, an address or a hash. */
export function shorten(id: string): string {
  return id.length <= 15 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}

/** A long id, address or hash in little space, with a button that copies all of it. */
export function Id({ text, what }: { readonly text: string; readonly what: string }) {
  return <CopyText text={text} shown={shorten(text)} what={what} />;
}

export function AgentLink({ id }: { readonly id: string }) {
  return <NameLink to="/agents" id={id} among={useAgents()} />;
}

export function WalletLink({ id }: { readonly id: string }) {
  return <NameLink to="/wallets" id={id} among={useWallets()} />;
}

export function ProjectLink({ id }: { readonly id: string }) {
  return <NameLink to="/projects" id={id} among={useProjects()} />;
}

interface NameLinkProps {
  readonly to: string;
  readonly id: string;
  readonly among?: readonly Option[];
}

/** A link to an object, by its name if it is among these. */
export function NameLink({ to, id, among = [] }: NameLinkProps) {
  return (
    <AppLink to={`${to}/${id}`} size="sm">
      {among.find(({ value }) => value === id)?.label ?? shorten(id)}
    </AppLink>
  );
}
