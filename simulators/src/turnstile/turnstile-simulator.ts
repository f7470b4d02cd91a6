import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type {
  VendorContext,
  VendorErrors,
  VendorResponse,
  VendorRoute,
  VendorSimulator,
} from "../kit/vendor-simulator.ts";
import { addWidget } from "./widget.ts";

const USED_TOKEN_CODE = "timeout-or-duplicate";

/** Cloudflare's published test secrets and the error codes of their responses. */
const TEST_SECRETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["1x0000000000000000000000000000000AA", []],
  ["2x0000000000000000000000000000000AA", ["invalid-input-response"]],
  ["3x0000000000000000000000000000000AA", [USED_TOKEN_CODE]],
]);
const TEST_KEY_METADATA = { metadata: { result_with_testing_key: true } };

const ERRORS: VendorErrors = {
  unauthorized: () => failure("invalid-input-secret"),
  invalid: () => failure("bad-request"),
  notFound: () => ({ status: 404, body: {} }),
  refused: () => failure("invalid-input-response"),
  duplicate: () => failure(USED_TOKEN_CODE),
  rateLimited: () => ({ status: 429, body: {} }),
  serverError: () => ({ status: 500, body: {} }),
};

/** A token is `sandbox:HOSTNAME:ACTION:NONCE` and is accepted once, so clients must choose a new NONCE. */
const TOKEN = /^sandbox:([a-z0-9.-]{1,253}):([\w-]{0,32}):[\w-]{1,64}$/;

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
    errors: ERRORS,
    routes: [siteverify],
    pages: addWidget,
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
  const [, hostname, action] = TOKEN.exec(response) ?? [];
  if (hostname === undefined) return failure("invalid-input-response");
  if (!(await markTokenUsed(context, response))) return failure(USED_TOKEN_CODE);
  const challenge_ts = context.now().toISOString();
  return captchaResponse({ success: true, "error-codes": [], challenge_ts, cdata: "", hostname, action });
}

/** Marks a token as used. Returns false if it was already used. */
function markTokenUsed({ objects }: VendorContext, token: string): Promise<boolean> {
  const id = createHash("sha256").update(token).digest("hex");
  return objects.insert({ type: "token", id, state: "spent", data: {} });
}

/** Returns a siteverify response. Its status is 200 even if the captcha check failed. */
function captchaResponse(body: object): VendorResponse {
  return { status: 200, body };
}

function failure(...codes: readonly string[]): VendorResponse {
  return captchaResponse({ success: false, "error-codes": codes });
}
