import type { AnchorProps } from "@mantine/core";
import type { Agent, ApiKey, AuditEntry, Policy, Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "./copy-text.tsx";
import { formatName, formatNetwork, shorten } from "./format.ts";
import { AppLink } from "./navigation.tsx";

/** The names of objects that others refer to by their ids, as options of a `Select`. Others than the first 100 show their ids. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** Returns labels by their values as options. */
export function optionsOf(labels: Readonly<Record<string, string>>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export function useAgents(enabled = true): readonly (Agent & Option)[] {
  const { data } = hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } }, { enabled });
  return (data?.data ?? []).map((agent) => ({ ...agent, value: agent.agent_id, label: agent.name }));
}

/** The newest 100 keys, of both modes. */
export function useKeys(): readonly ApiKey[] {
  return hooks.useQuery("get", "/developers/me/keys", { params: { query: { limit: 100 } } }).data?.data ?? [];
}

/** The name of a key, or its id if it is not among these. */
export function KeyName({ id }: { id: string }) {
  return <span title={id}>{useKeys().find(({ key_id }) => key_id === id)?.name ?? shorten(id)}</span>;
}

/** Returns a function that tells the name of an agent, or its id if it is not among the newest 100. */
export function useAgentName(): (agentId: string) => string {
  const agents = useAgents();
  return (agentId) => agents.find(({ value }) => value === agentId)?.label ?? agentId;
}

export function useWallets(enabled = true): readonly Option[] {
  const { data } = hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } }, { enabled });
  const nameOf = useWalletName(enabled);
  return (data?.data ?? []).map((wallet) => ({ value: wallet.wallet_id, label: nameOf(wallet) }));
}

export function useProjects(enabled = true): readonly Option[] {
  const { data } = hooks.useQuery("get", "/projects", { params: { query: { per_page: 100 } } }, { enabled });
  return (data?.data ?? []).map(({ project_id: value, name: label }) => ({ value, label }));
}

/** All policies of the mode: an account has at most 200. Undefined until all are there. */
export function usePolicies(enabled = true): readonly (Policy & Option)[] | undefined {
  const page = (cursor: string | undefined) => ({ params: { query: { limit: 100, cursor } } });
  const first = hooks.useQuery("get", "/policies", page(undefined), { enabled }).data;
  const cursor = first?.next_cursor ?? undefined;
  const rest = hooks.useQuery("get", "/policies", page(cursor), { enabled: cursor !== undefined }).data;
  if (first === undefined || (cursor !== undefined && rest === undefined)) return undefined;
  // Without a cursor, both queries are the same one.
  const policies = [...first.data, ...(cursor === undefined ? [] : (rest?.data ?? []))];
  return policies.map((policy) => ({ ...policy, value: policy.policy_id, label: policy.name }));
}

/** Returns a function that tells the name of a wallet, or whose it is: `Researcher's wallet on Base`. */
export function useWalletName(enabled = true): (wallet: Wallet) => string {
  const agents = useAgents(enabled);
  return ({ name, agent_id, address, network }) => {
    const agent = agents.find(({ value }) => value === agent_id)?.label;
    return `${name ?? (agent === undefined ? shorten(address) : `${agent}'s wallet`)} on ${formatNetwork(network)}`;
  };
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

interface NameLinkProps extends Pick<AnchorProps, "underline"> {
  readonly to: string;
  readonly id: string;
  readonly among?: readonly Option[] | undefined;
}

/** A link to an object, by its name if it is among these. In a sentence, it is underlined. */
export function NameLink({ to, id, among = [], ...props }: NameLinkProps) {
  return (
    <AppLink to={`${to}/${id}`} size="sm" {...props}>
      {among.find(({ value }) => value === id)?.label ?? shorten(id)}
    </AppLink>
  );
}

/** Returns who has acted, in words. */
export function actorText({ actor: { type, key_id } }: AuditEntry): string {
  if (type === "agent") return "An agent";
  if (type === "admin") return "Purser's operators";
  if (type === "system") return "Purser";
  return key_id === null ? "You, in a browser" : `Your key ${shorten(key_id)}`;
}

/** Who has acted, with the name of the key or of the agent. */
export function ActorName({ entry }: { readonly entry: AuditEntry }) {
  const { type, id, key_id } = entry.actor;
  if (type === "agent" && id !== null) return <AgentLink id={id} />;
  if (type !== "developer" || key_id === null) return actorText(entry);
  return (
    <>
      Your key <KeyName id={key_id} />
    </>
  );
}

/** Returns what was done, in words: `project.created` becomes `Project created`. */
export function actionText({ action }: AuditEntry): string {
  return formatName(action.replaceAll(".", " "));
}
