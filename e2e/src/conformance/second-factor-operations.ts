import { totpCode } from "@purser/service/crypto/totp.ts";
import { bearing, type Call } from "./callers.ts";
import type { Operation } from "./operation.ts";
import { guarded, open, wrong } from "./rows.ts";
import { text, type World } from "./world.ts";
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
const device = (deviceCode: string) =>
  post(`${DEVICE}/token`, { grant_type: DEVICE_GRANT, device_code: deviceCode });

/** An operation that is called as the newcomer, so that it does not change the demo developer's account. */
function newcomerOperation(
  name: Operation["name"],
  status: number,
  call: CallOf,
  keep: (world: World, answer: Awaited<ReturnType<Operation["call"]>>) => void = () => {},
): Operation {
  return {
    ...guarded(name, "dashboard", status, call),
    call: async (world) => {
      const answer = await bearing(
        world.baseUrl,
        world.recall("newcomer's token"),
      )(callOf(call, world));
      if (answer.status === status) keep(world, answer);
      return answer;
    },
  };
}

export const secondFactorOperations: readonly Operation[] = [
  newcomerOperation("POST /developers/dashboard/mfa/totp", 200, post(TOTP), ({ kept }, answer) => {
    kept.set("totp secret", text(answer, "secret"));
  }),
  newcomerOperation(
    "POST /developers/dashboard/mfa/totp/confirm",
    200,
    ({ recall }) => post(`${TOTP}/confirm`, { code: totpOf(recall("totp secret")) }),
    ({ kept }, answer) => {
      kept.set("recovery code 1", text(answer, "recovery_codes.0"));
      kept.set("recovery code 2", text(answer, "recovery_codes.1"));
    },
  ),
  {
    name: "POST /developers/login/totp",
    credential: "public",
    status: 200,
    wrong: [
      wrong("an unknown token", 401, ({ recall }) =>
        post("/developers/login/totp", {
          mfa_token: UNKNOWN_TOKEN,
          code: recall("recovery code 1"),
        }),
      ),
    ],
    call: async ({ nobody, newcomer, recall, kept }) => {
      const first = await nobody(post("/developers/login", newcomer));
      const mfaToken = text(first, "mfa_token");
      const answer = await nobody(
        post("/developers/login/totp", { mfa_token: mfaToken, code: recall("recovery code 1") }),
      );
      if (answer.status === 200) kept.set("newcomer's token", text(answer, "access_token"));
      return answer;
    },
  },
  newcomerOperation("POST /developers/dashboard/mfa/totp/disable", 204, ({ recall }) =>
    post(`${TOTP}/disable`, { code: recall("recovery code 2") }),
  ),
  open("POST /developers/oauth/device", 200, post(DEVICE, { client_name: "conformance" }), {
    keep: (answer, { kept }) => {
      kept.set("device code", text(answer, "device_code"));
      kept.set("user code", text(answer, "user_code"));
    },
  }),
  newcomerOperation("POST /developers/oauth/device/approve", 200, ({ recall }) =>
    post(`${DEVICE}/approve`, { user_code: recall("user code") }),
  ),
  open("POST /developers/oauth/device/token", 200, ({ recall }) => device(recall("device code")), {
    alsoWrong: [wrong("an unknown device code", 400, device(UNKNOWN_TOKEN))],
  }),
];

function totpOf(secret: string): string {
  return totpCode(secret, new Date());
}
