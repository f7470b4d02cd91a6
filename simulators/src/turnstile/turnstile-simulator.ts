import { type Static, Type } from "typebox";
import { readSandboxToken, spendToken } from "../captcha/sandbox-token.ts";
import { siteverifyErrors, unsolved, verdict } from "../captcha/siteverify-errors.ts";
import type {
  VendorAnswer,
  VendorContext,
  VendorRoute,
  VendorSimulator,
} from "../kit/vendor-simulator.ts";

const SPENT = "timeout-or-duplicate";

/** The secrets that Cloudflare publishes for tests, each with the verdict that it always gives. */
const DUMMIES: ReadonlyMap<string, readonly string[]> = new Map([
  ["1x0000000000000000000000000000000AA", []],
  ["2x0000000000000000000000000000000AA", ["invalid-input-response"]],
  ["3x0000000000000000000000000000000AA", [SPENT]],
]);
const OF_A_DUMMY = { metadata: { result_with_testing_key: true } };

const Body = Type.Object(
  {
    secret: Type.String(),
    response: Type.String({ maxLength: 2_048 }),
    remoteip: Type.Optional(Type.String()),
    idempotency_key: Type.Optional(Type.String({ format: "uuid" })),
  },
  { additionalProperties: false },
);

/** Cloudflare's check of Turnstile's tokens, with the dummy secrets that it documents. */
export function turnstileSimulator({ secretKey }: { readonly secretKey: string }): VendorSimulator {
  const siteverify: VendorRoute = {
    operation: "turnstileSiteverify",
    method: "POST",
    url: "/turnstile/v0/siteverify",
    body: Body,
    // Whoever asks is told by a verdict whether they may.
    auth: async () => "anybody",
    handle: async ({ body }, context) => {
      const { secret, response } = body as Static<typeof Body>;
      const codes = DUMMIES.get(secret);
      if (codes !== undefined) return dummyVerdict(codes, context);
      return secret === secretKey ? judge(response, context) : unsolved("invalid-input-secret");
    },
  };
  return {
    vendor: "turnstile",
    displayName: "Turnstile",
    contractFile: "handwritten/identity-and-captcha.yaml",
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      {
        value: "response sandbox:HOSTNAME:ACTION:ANYTHING",
        effect: "is solved there, and good once",
      },
      { value: "response sandbox-expired", effect: "is too old" },
      { value: "secret 1x00…AA, 2x00…AA, 3x00…AA", effect: "passes, fails, is spent: always" },
    ],
    errors: siteverifyErrors(SPENT),
    routes: [siteverify],
  };
}

function dummyVerdict(codes: readonly string[], { now }: VendorContext): VendorAnswer {
  if (codes.length > 0) return verdict({ success: false, "error-codes": codes, ...OF_A_DUMMY });
  const challenge_ts = now().toISOString();
  const hostname = "example.com";
  return verdict({ success: true, "error-codes": [], challenge_ts, hostname, ...OF_A_DUMMY });
}

async function judge(response: string, context: VendorContext): Promise<VendorAnswer> {
  if (response === "sandbox-expired") return unsolved(SPENT);
  const token = readSandboxToken(response);
  if (token === undefined) return unsolved("invalid-input-response");
  if (!(await spendToken(context, response))) return unsolved(SPENT);
  const challenge_ts = context.now().toISOString();
  return verdict({ success: true, "error-codes": [], challenge_ts, cdata: "", ...token });
}
