import { totpCode } from "@purser/service/crypto/totp.ts";
import { bearerCaller, type Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation, publicOperation, wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";
import { type CallOf, callOf } from "./wrong-credentials.ts";

const TOTP = "/developers/dashboard/mfa/totp";
const DEVICE = "/developers/oauth/device";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const UNKNOWN_TOKEN = "x".repeat(43);

const post = (path: string, body?: object): Call => ({
  method: "POST",
  path,
  ...(body !== undefined && { body }),
});
const device = (deviceCode: string) => post(`${DEVICE}/token`, { grant_type: DEVICE_GRANT, device_code: deviceCode });

/**
 * Defines an operation that is called as the developer who signed up in an earlier operation. The demo developer's
 * account therefore stays unchanged.
 */
function newcomerOperation(
  name: Operation["name"],
  status: number,
  call: CallOf,
  save: (context: ConformanceContext, response: Awaited<ReturnType<Operation["call"]>>) => void = () => {},
): Operation {
  return {
    ...authenticatedOperation(name, "dashboard", status, call),
    call: async (context) => {
      const response = await bearerCaller(context.baseUrl, context.recall("newcomer's token"))(callOf(call, context));
      if (response.status === status) save(context, response);
      return response;
    },
  };
}

export const secondFactorOperations: readonly Operation[] = [
  newcomerOperation("POST /developers/dashboard/mfa/totp", 200, post(TOTP), ({ saved }, response) => {
    saved.set("totp secret", text(response, "secret"));
  }),
  newcomerOperation(
    "POST /developers/dashboard/mfa/totp/confirm",
    200,
    ({ recall }) => post(`${TOTP}/confirm`, { code: totpOf(recall("totp secret")) }),
    ({ saved }, response) => {
      saved.set("recovery code 1", text(response, "recovery_codes.0"));
      saved.set("recovery code 2", text(response, "recovery_codes.1"));
    },
  ),
  {
    name: "POST /developers/login/totp",
    credential: "public",
    status: 200,
    wrongCalls: [
      wrongCall("an unknown token", 401, ({ recall }) =>
        post("/developers/login/totp", {
          mfa_token: UNKNOWN_TOKEN,
          code: recall("recovery code 1"),
        }),
      ),
    ],
    call: async ({ anonymous, newcomer, recall, saved }) => {
      const first = await anonymous(post("/developers/login", newcomer));
      const mfaToken = text(first, "mfa_token");
      const response = await anonymous(
        post("/developers/login/totp", { mfa_token: mfaToken, code: recall("recovery code 1") }),
      );
      if (response.status === 200) saved.set("newcomer's token", text(response, "access_token"));
      return response;
    },
  },
  newcomerOperation("POST /developers/dashboard/mfa/totp/disable", 204, ({ recall }) =>
    post(`${TOTP}/disable`, { code: recall("recovery code 2") }),
  ),
  publicOperation("POST /developers/oauth/device", 200, post(DEVICE, { client_name: "conformance" }), {
    save: (response, { saved }) => {
      saved.set("device code", text(response, "device_code"));
      saved.set("user code", text(response, "user_code"));
    },
  }),
  newcomerOperation("POST /developers/oauth/device/approve", 200, ({ recall }) =>
    post(`${DEVICE}/approve`, { user_code: recall("user code") }),
  ),
  publicOperation("POST /developers/oauth/device/token", 200, ({ recall }) => device(recall("device code")), {
    moreWrongCalls: [wrongCall("an unknown device code", 400, device(UNKNOWN_TOKEN))],
  }),
];

function totpOf(secret: string): string {
  return totpCode(secret, new Date());
}
