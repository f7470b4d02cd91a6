import { Type } from "typebox";

/** An RFC 9457 problem (`application/problem+json`) with the members in docs/api.md, section 4. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: "URI reference of the problem type: `/errors/` and the code.",
    }),
    title: Type.String({
      description: "Short text for people. The same for every problem of a code.",
    }),
    status: Type.Integer({ description: "HTTP status code." }),
    detail: Type.String({ description: "Explanation for people. Can change; do not parse it." }),
    code: Type.String({ description: "Stable error code. Branch on this, not on the texts." }),
    request_id: Type.String({
      description:
        "The request's id, also sent in the `X-Request-Id` header. Include it when you contact support.",
    }),
    retryable: Type.Boolean({
      description:
        "Whether the same call can succeed later. If true, the response has `Retry-After`.",
    }),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({
          description:
            "JSON pointer of the value, with the part of the request first: `/body/name`.",
        }),
        code: Type.String({ description: "The rule that the value violates, such as `format`." }),
        detail: Type.String({ description: "Explanation for people." }),
      }),
      {
        description:
          "The invalid values, at most 50. Empty if the problem is not about invalid values.",
      },
    ),
  },
  { $id: "Problem", description: "An RFC 9457 problem." },
);

/** A problem that also has the OAuth member `error`. */
export const oauthProblem = (errors: readonly string[]) =>
  Type.Object({ ...Problem.properties, error: Type.Enum([...errors]) });

/** The errors that every public route can return. */
export const publicErrors = { 422: Problem, 429: Problem, 503: Problem } as const;

/** The errors that every route with a credential can return. A route spreads these and adds its own. */
export const credentialErrors = { 401: Problem, 403: Problem, ...publicErrors } as const;
