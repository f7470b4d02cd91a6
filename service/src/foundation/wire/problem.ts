import { Type } from "typebox";

/** An RFC 9457 problem (`application/problem+json`) with the members in docs/api.md, section 4. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: "URI reference of the problem type: `/errors/` followed by the `code`.",
    }),
    title: Type.String({
      description:
        "Short human-readable summary. It is the same for all problems with the same code.",
    }),
    status: Type.Integer({ description: "HTTP status code." }),
    detail: Type.String({
      description: "Human-readable explanation. The text can change; do not parse it.",
    }),
    code: Type.String({
      description: "Stable error code. Use it, not the texts, to decide how to handle the error.",
    }),
    request_id: Type.String({
      description:
        "The request id, also sent in the `X-Request-Id` header. Include it when you contact support.",
    }),
    retryable: Type.Boolean({
      description:
        "Whether the same request can succeed later. If true, the response includes the `Retry-After` header.",
    }),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({
          description:
            "JSON pointer to the value. The first part is the location in the request, for example `/body/name`.",
        }),
        code: Type.String({ description: "The rule that the value violates, such as `format`." }),
        detail: Type.String({
          description: "Human-readable explanation of what is wrong with the field.",
        }),
      }),
      {
        description:
          "The invalid values, at most 50. Empty if the problem is not caused by invalid values.",
      },
    ),
  },
  { $id: "Problem", description: "An error in the Problem Details format (RFC 9457)." },
);

/** A problem that also has the OAuth member `error`. */
export const oauthProblem = (errors: readonly string[]) =>
  Type.Object({ ...Problem.properties, error: Type.Enum([...errors]) });

/** The errors that every public route can return. */
export const publicErrors = { 422: Problem, 429: Problem, 503: Problem } as const;

/** The errors that every route with a credential can return. A route spreads these and adds its own. */
export const credentialErrors = { 401: Problem, 403: Problem, ...publicErrors } as const;
