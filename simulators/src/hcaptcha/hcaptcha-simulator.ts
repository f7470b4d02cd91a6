import { type Static, Type } from "typebox";
import { readSandboxToken, spendToken } from "../captcha/sandbox-token.ts";
import { siteverifyErrors, unsolved, verdict } from "../captcha/siteverify-errors.ts";
import type {
  VendorAnswer,
  VendorContext,
  VendorRoute,
  VendorSimulator,
} from "../kit/vendor-simulator.ts";

const SPENT = "already-seen-response";

/** What hCaptcha publishes for tests: the three go together, and always pass. */
const DUMMY = {
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

/** hCaptcha's check of its tokens, with the dummies that it documents. */
export function hcaptchaSimulator(keys: HcaptchaKeys): VendorSimulator {
  const siteverify: VendorRoute = {
    operation: "hcaptchaSiteverify",
    method: "POST",
    url: "/siteverify",
    body: Body,
    // Whoever asks is told by a verdict whether they may.
    auth: async () => "anybody",
    handle: async ({ body }, context) => {
      const asked = body as Body;
      if (asked.secret === DUMMY.secretKey) return dummyVerdict(asked, context);
      return asked.secret === keys.secretKey
        ? judge(asked, keys, context)
        : unsolved("invalid-input-secret");
    },
  };
  return {
    vendor: "hcaptcha",
    displayName: "hCaptcha",
    contractFile: "handwritten/identity-and-captcha.yaml",
    contractPrefix: "",
    bodies: "form",
    magicValues: [
      { value: "response sandbox:HOSTNAME::ANYTHING", effect: "is solved there, and good once" },
      { value: "response sandbox-expired", effect: "is too old" },
      { value: `secret ${DUMMY.secretKey}`, effect: `takes ${DUMMY.response}, always` },
    ],
    errors: siteverifyErrors(SPENT),
    routes: [siteverify],
  };
}

function dummyVerdict({ response, sitekey }: Body, context: VendorContext): VendorAnswer {
  if (sitekey !== undefined && sitekey !== DUMMY.siteKey)
    return unsolved("sitekey-secret-mismatch");
  if (response !== DUMMY.response) return unsolved("invalid-input-response");
  return solved("dummy-key-pass", context);
}

async function judge(
  { response, sitekey }: Body,
  { siteKey }: HcaptchaKeys,
  context: VendorContext,
): Promise<VendorAnswer> {
  if (sitekey !== undefined && sitekey !== siteKey) return unsolved("sitekey-secret-mismatch");
  if (response === DUMMY.response) return unsolved("not-using-dummy-secret");
  if (response === "sandbox-expired") return unsolved("expired-input-response");
  const token = readSandboxToken(response);
  if (token === undefined) return unsolved("invalid-input-response");
  if (!(await spendToken(context, response))) return unsolved(SPENT);
  return solved(token.hostname, context);
}

function solved(hostname: string, { now }: VendorContext): VendorAnswer {
  return verdict({ success: true, challenge_ts: now().toISOString(), hostname, credit: false });
}
