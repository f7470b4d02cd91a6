import type { Operation } from "./table.ts";

/** What the API's document does not say about an operation as a command. The names are those of the SDK's methods. */
export interface CommandFacts {
  /** A field of the body that can be written without its option: `purser link neon`. */
  readonly positional?: string;
  /** Asked before it is executed. */
  readonly question?: string;
  /** The `operationId` that `--dry-run` calls instead. */
  readonly dryRun?: string;
  /** Whether a key pair must name the agent that acts. A session of the dashboard need not. */
  readonly needsAgent?: boolean;
  /** Whether the response has a secret that is shown only once. */
  readonly showsSecretOnce?: boolean;
}

const FACTS: Readonly<Record<string, CommandFacts>> = {
  "projects.create": { positional: "name" },
  "projects.delete": {
    question: "Delete the project with its services and their data?",
    dryRun: "previewProjectDeletion",
  },
  "projects.links.begin": { positional: "provider" },
  "projects.links.revoke": { question: "Revoke the link to the provider?" },
  "projects.billing.attachPaymentMethod": { showsSecretOnce: true },
  "projects.services.add": { positional: "service" },
  "projects.services.deepLink": { showsSecretOnce: true },
  "projects.services.remove": { question: "Remove the service and its data?" },
  "projects.variables.set": { positional: "value" },
  "projects.variables.delete": { question: "Delete the variable?" },
  "agents.create": { positional: "name" },
  "agents.createKey": { showsSecretOnce: true },
  "agents.delete": { question: "Delete the agent?" },
  "agents.revoke": { question: "Revoke the agent for good?" },
  "agents.kyaToken": { showsSecretOnce: true },
  "developers.devices.collect": { showsSecretOnce: true },
  "developers.keys.issue": { showsSecretOnce: true },
  "developers.keys.rotate": { showsSecretOnce: true },
  "developers.keys.revoke": { question: "Revoke the key? Programs that use it stop working at once." },
  "developers.providerKeys.remove": { question: "Delete the provider's credentials?" },
  "fiat.linkAccount": { showsSecretOnce: true },
  "fiat.accounts.remove": { question: "Unlink the bank account?" },
  "killSwitch.trigger": { question: "Stop everything that the kill switch covers?" },
  "webhooks.create": { showsSecretOnce: true },
  "webhooks.rotateSecret": { showsSecretOnce: true },
  "webhooks.delete": { question: "Delete the webhook?" },
  "payments.send": { dryRun: "simulatePayment" },
  "payments.capture": { needsAgent: true },
  "payments.void": { needsAgent: true },
  "payments.refund": { needsAgent: true },
  "policies.delete": { question: "Delete the policy?" },
};

export function factsOf({ sdk }: Operation): CommandFacts {
  return FACTS[sdk.join(".")] ?? {};
}

/** Operations whose commands are written by hand, because their responses are no JSON or must be verified. `listen` streams events. */
export const BY_HAND: ReadonlySet<string> = new Set([
  "projects.env.pull",
  "audit.export",
  "audit.verify",
  "events.stream",
]);

/** Fields that other options replace: `--dry-run` is `simulate`. */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set(["simulate"]);

/** Shorter ways to write groups and commands. */
export const SHORTCUTS: Readonly<Record<string, readonly string[]>> = {
  keys: ["developers", "keys"],
  "provider-keys": ["developers", "providerKeys"],
  services: ["projects", "services"],
  links: ["projects", "links"],
  variables: ["projects", "variables"],
  catalog: ["projects", "catalog"],
  add: ["projects", "services", "add"],
  link: ["projects", "links", "begin"],
  pay: ["payments", "send"],
  freeze: ["wallets", "freeze"],
  unfreeze: ["wallets", "unfreeze"],
  kill: ["killSwitch", "trigger"],
};

type Data = Readonly<Record<string, unknown>>;

const SIMULATED: Readonly<Record<string, string>> = {
  deny: "The payment would be refused.",
  require_approval: "A person would have to approve the payment.",
};

/** What a user probably does after a command. */
const NEXT_STEPS: Readonly<Record<string, (data: Data) => readonly string[]>> = {
  "projects.create": ({ project_id: id }) => [`purser link neon --project ${id}`, `purser init --project ${id}`],
  "projects.links.begin": ({ status, url, link_id: id }) =>
    status === "pending_auth" ? [`A person must open ${url}`, `purser links get ${id}`] : [],
  "projects.services.add": () => ["purser env pull"],
  "projects.services.rotate": () => ["purser env pull"],
  "agents.create": ({ agent_id: id }) => [`purser wallets create --agent-id ${id} --network base`],
  "wallets.create": ({ wallet_id: id, mode }) => (mode === "test" ? [`purser wallets fund ${id} --amount 100.00`] : []),
  "payments.simulate": ({ outcome }) => [
    `Nothing was paid. ${SIMULATED[String(outcome)] ?? "Leave out --dry-run to pay."}`,
  ],
  "projects.deletePreview": () => ["Nothing was deleted. Leave out --dry-run to delete."],
};

export function nextStepsOf({ sdk }: Operation, data: unknown): readonly string[] {
  if (typeof data !== "object" || data === null) return [];
  return [...approvalSteps(data as Data), ...(NEXT_STEPS[sdk.join(".")]?.(data as Data) ?? [])];
}

/** Returns whether a response says that nothing happens before a person has decided. */
export function needsApproval(data: unknown): boolean {
  const { status, operation } = (data ?? {}) as { status?: unknown; operation?: { status?: unknown } | null };
  return status === "requires_approval" || operation?.status === "requires_approval";
}

function approvalSteps({ approval, ...data }: Data): readonly string[] {
  if (!needsApproval(data)) return [];
  const { approval_id: id, approve_page_url: url } = (approval ?? {}) as Readonly<Record<string, string>>;
  return [`A person must decide${url ? ` at ${url}` : ""}`, `purser approvals wait ${id}`];
}
