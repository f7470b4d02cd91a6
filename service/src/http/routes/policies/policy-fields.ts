import { type Static, type TString, Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import { NAME_TEXT, OneOf, Text } from "../../../foundation/wire/fields.ts";

/** The maximum number of agents, of wallets and of projects that a policy names. */
const SUBJECTS_MAX = 1_000;

export const PolicyName = Type.String({
  ...NAME_TEXT,
  description: "1 to 100 characters on one line, without leading or trailing spaces.",
  examples: ["buyer"],
});

export const AgentId = Text("The UUID of an agent.", {
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
});
export const WalletId = Text("The id of a wallet.", { pattern: "^wal_[0-7][0-9a-hjkmnp-tv-z]{25}$" });
export const ProjectId = Text("The id of a project.", { pattern: "^proj_[0-7][0-9a-hjkmnp-tv-z]{25}$" });

const listOf = <Id extends TString>(id: Id) =>
  Type.Optional(Type.Array(id, { maxItems: SUBJECTS_MAX, uniqueItems: true }));

export const AppliesTo = Type.Object(
  { agent_ids: listOf(AgentId), wallet_ids: listOf(WalletId), project_ids: listOf(ProjectId) },
  {
    additionalProperties: false,
    description:
      "The agents, wallets and projects to which the policy applies, up to 1,000 of each. They do not have to exist yet.",
  },
);

export const DefaultEffect = OneOf(
  ["deny"],
  "What happens to an operation that no rule allows. Only `deny` is supported.",
);

/** Returns the ids that the request names. An absent list is undefined. */
export function subjectsOf({ agent_ids, wallet_ids, project_ids }: Static<typeof AppliesTo>) {
  const agentIds = agent_ids?.map((id) => id.toLowerCase());
  if (agentIds !== undefined && new Set(agentIds).size < agentIds.length) {
    const detail = "contains the same agent more than once";
    throw invalidField("/body/applies_to/agent_ids", "uniqueItems", detail);
  }
  return { agentIds, walletIds: wallet_ids, projectIds: project_ids };
}
