import { Type } from "typebox";

/** RFC 9457 `application/problem+json`, with the members that every problem of ours carries (contract, ruling 13). */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: "Stable. Branch on this, not on the words." }),
    request_id: Type.String(),
    retryable: Type.Boolean(),
    errors: Type.Array(
      Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() }),
    ),
  },
  { $id: "Problem", description: "An RFC 9457 problem." },
);

/** A problem in the words of OAuth, whose clients look for `error`. */
export const oauthProblem = (errors: readonly string[]) =>
  Type.Object({ ...Problem.properties, error: Type.Enum([...errors]) });

/** The errors that every public endpoint can answer with. */
export const publicErrors = { 422: Problem, 429: Problem, 503: Problem } as const;

/** The errors that every endpoint behind a credential can answer with. A route spreads these and adds its own. */
export const credentialErrors = { 401: Problem, 403: Problem, ...publicErrors } as const;
