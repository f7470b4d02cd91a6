import { type Static, Type } from "typebox";
import { markTokenUsed, readSandboxToken } from "../captcha/sandbox-token.ts";
import { captchaResponse, failure, siteverifyErrors } from "../captcha/siteverify-errors.ts";
import type { VendorContext, VendorResponse, VendorRoute, VendorSimulator } from "../kit/vendor-simulator.ts";

const USED_TOKEN_CODE = "timeout-or-duplicate";

/** Cloudflare's published test secrets and the error codes of their responses. */
const TEST_SECRETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["1x0000000000000000000000000000000AA", []],
  ["2x0000000000000000000000000000000AA", ["invalid-input-response"]],
  ["3x0000000000000000000000000000000AA", [USED_TOKEN_CODE]],
]);
const TEST_KEY_METADATA = { metadata: { result_with_testing_key: true } };

const Body = Type.Object(
  {
    secret: Type.String(),
    response: Type.String({ maxLength: 2_048 }),
    remoteip: Type.Optional(Type.String()),
    idempotency_key: Type.Optional(Type.String({ format: "uuid" })),
  },
  { additionalProperties: false },
);

/** Simulates Turnstile's siteverify call, including the published test secrets. */
export function turnstileSimulator({ secretKey }: { readonly secretKey: string }): VendorSimulator {
  const siteverify: VendorRoute = {
    operation: "turnstileSiteverify",
    method: "POST",
    url: "/turnstile/v0/siteverify",
    body: Body,
    // `auth` accepts every request, because `handle` checks the secret in the body.
    auth: async () => "anyone",
    handle: async ({ body }, context) => {
      const { secret, response } = body as Static<typeof Body>;
      const codes = TEST_SECRETS.get(secret);
      if (codes !== undefined) return testSecretVerdict(codes, context);
      return secret === secretKey ? checkToken(response, context) : failure("invalid-input-secret");
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
        effect: "is a valid solution for HOSTNAME and ACTION that can be used once",
      },
      { value: "response sandbox-expired", effect: "is an expired solution" },
      {
        value: "secret 1x00…AA, 2x00…AA, 3x00…AA",
        effect: "always pass, always fail, and always report a used token, respectively",
      },
    ],
    errors: siteverifyErrors(USED_TOKEN_CODE),
    routes: [siteverify],
  };
}

function testSecretVerdict(codes: readonly string[], { now }: VendorContext): VendorResponse {
  if (codes.length > 0) return captchaResponse({ success: false, "error-codes": codes, ...TEST_KEY_METADATA });
  const challenge_ts = now().toISOString();
  const hostname = "example.com";
  return captchaResponse({
    success: true,
    "error-codes": [],
    challenge_ts,
    hostname,
    ...TEST_KEY_METADATA,
  });
}

async function checkToken(response: string, context: VendorContext): Promise<VendorResponse> {
  if (response === "sandbox-expired") return failure(USED_TOKEN_CODE);
  const token = readSandboxToken(response);
  if (token === undefined) return failure("invalid-input-response");
  if (!(await markTokenUsed(context, response))) return failure(USED_TOKEN_CODE);
  const challenge_ts = context.now().toISOString();
  return captchaResponse({ success: true, "error-codes": [], challenge_ts, cdata: "", ...token });
}
