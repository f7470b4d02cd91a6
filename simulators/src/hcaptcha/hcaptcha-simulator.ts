import { type Static, Type } from "typebox";
import { markTokenUsed, readSandboxToken } from "../captcha/sandbox-token.ts";
import { captchaResponse, failure, siteverifyErrors } from "../captcha/siteverify-errors.ts";
import type { VendorContext, VendorResponse, VendorRoute, VendorSimulator } from "../kit/vendor-simulator.ts";

const USED_TOKEN_CODE = "already-seen-response";

/** hCaptcha's published test keys. The test secret accepts only the test site key and the test response. */
const TEST_KEYS = {
  siteKey: "10000000-ffff-ffff-ffff-000000000001",
  secretKey: "0x0000000000000000000000000000000000000000",
  response: "10000000-aaaa-bbbb-cccc-000000000001",
};

const Body = Type.Object(
  {
    secret: Type.String(),
    response: Type.String(),
    remoteip: Type.Optional(Type.String()),
    sitekey: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
type Body = Static<typeof Body>;

export interface HcaptchaKeys {
  readonly siteKey: string;
  readonly secretKey: string;
}

/** Simulates hCaptcha's siteverify call, including the published test keys. */
export function hcaptchaSimulator(keys: HcaptchaKeys): VendorSimulator {
  const siteverify: VendorRoute = {
    operation: "hcaptchaSiteverify",
    method: "POST",
    url: "/siteverify",
    body: Body,
    // `auth` accepts every request, because `handle` checks the secret in the body.
    auth: async () => "anyone",
    handle: async ({ body }, context) => {
      const form = body as Body;
      if (form.secret === TEST_KEYS.secretKey) return testKeyVerdict(form, context);
      return form.secret === keys.secretKey ? checkToken(form, keys, context) : failure("invalid-input-secret");
    },
  };
  return {
    vendor: "hcaptcha",
    displayName: "hCaptcha",
    contractFile: "handwritten/identity-and-captcha.yaml",
    contractPrefix: "",
    bodies: "form",
    magicValues: [
      {
        value: "response sandbox:HOSTNAME::ANYTHING",
        effect: "is a valid solution for HOSTNAME that can be used once",
      },
      { value: "response sandbox-expired", effect: "is an expired solution" },
      {
        value: `secret ${TEST_KEYS.secretKey}`,
        effect: `accepts only the response ${TEST_KEYS.response}`,
      },
    ],
    errors: siteverifyErrors(USED_TOKEN_CODE),
    routes: [siteverify],
  };
}

function testKeyVerdict({ response, sitekey }: Body, context: VendorContext): VendorResponse {
  if (sitekey !== undefined && sitekey !== TEST_KEYS.siteKey) return failure("sitekey-secret-mismatch");
  if (response !== TEST_KEYS.response) return failure("invalid-input-response");
  return success("dummy-key-pass", context);
}

async function checkToken(
  { response, sitekey }: Body,
  { siteKey }: HcaptchaKeys,
  context: VendorContext,
): Promise<VendorResponse> {
  if (sitekey !== undefined && sitekey !== siteKey) return failure("sitekey-secret-mismatch");
  if (response === TEST_KEYS.response) return failure("not-using-dummy-secret");
  if (response === "sandbox-expired") return failure("expired-input-response");
  const token = readSandboxToken(response);
  if (token === undefined) return failure("invalid-input-response");
  if (!(await markTokenUsed(context, response))) return failure(USED_TOKEN_CODE);
  return success(token.hostname, context);
}

function success(hostname: string, { now }: VendorContext): VendorResponse {
  return captchaResponse({
    success: true,
    challenge_ts: now().toISOString(),
    hostname,
    credit: false,
  });
}
