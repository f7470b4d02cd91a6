import { type Static, Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";

/** The maximum number of agents, of wallets and of projects that a policy names. */
const SUBJECTS_MAX = 1_000;

/** At least one visible character, on one line, without surrounding spaces. */
export const PolicyName = Type.String({
  format: "visible",
  pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}\\p{Zl}\\p{Zp}]*[^\\s\\p{Cc}])?$",
  maxLength: 100,
  description: "1 to 100 characters on one line, without leading or trailing spaces.",
  examples: ["buyer"],
});

const subjectIds = (what: string, pattern: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern, description: `The id of ${what}.` }), {
      maxItems: SUBJECTS_MAX,
      uniqueItems: true,
    }),
  );

const AGENT_ID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const WALLET_ID = "^wal_[0-7][0-9a-hjkmnp-tv-z]{25}$";
const PROJECT_ID = "^proj_[0-7][0-9a-hjkmnp-tv-z]{25}$";

export const AppliesTo = Type.Object(
  {
    agent_ids: subjectIds("an agent, a UUID", AGENT_ID),
    wallet_ids: subjectIds("a wallet", WALLET_ID),
    project_ids: subjectIds("a project", PROJECT_ID),
  },
  {
    additionalProperties: false,
    description:
      "The agents, wallets and projects to which the policy applies, up to 1,000 of each. They do not have to exist yet.",
  },
);

export const DefaultEffect = Type.Enum(["deny"], {
  description: "What happens to an operation that no rule allows. Only `deny` is supported.",
});

/** Returns the ids that the request names. An absent list is undefined. */
export function subjectsOf({ agent_ids, wallet_ids, project_ids }: Static<typeof AppliesTo>) {
  const agentIds = agent_ids?.map((id) => id.toLowerCase());
  if (agentIds !== undefined && new Set(agentIds).size < agentIds.length) {
    const detail = "contains the same agent more than once";
    throw invalidField("/body/applies_to/agent_ids", "uniqueItems", detail);
  }
  return { agentIds, walletIds: wallet_ids, projectIds: project_ids };
}
