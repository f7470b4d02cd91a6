import { totpCode } from "@purser/service/crypto/totp.ts";
import { asNewcomer } from "./account-operations.ts";
import { text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const UNKNOWN_TOKEN = "x".repeat(43);

const device = (deviceCode: string) => ({ body: { grant_type: DEVICE_GRANT, device_code: deviceCode } });

export const secondFactorOperations: readonly Operation[] = [
  row("POST /developers/dashboard/mfa/totp", {
    as: asNewcomer,
    request: ({ newcomer: { password } }) => ({ body: { password } }),
    save: { "totp secret": "secret" },
  }),
  row("POST /developers/dashboard/mfa/totp/confirm", {
    as: asNewcomer,
    request: ({ recall }) => ({ body: { code: totpCode(recall("totp secret"), new Date()) } }),
    save: { "recovery code 1": "recovery_codes.0", "recovery code 2": "recovery_codes.1" },
  }),
  row("POST /developers/login/totp", {
    request: async ({ anonymous, newcomer, recall }) => {
      const first = await anonymous({ method: "POST", path: "/developers/login", body: newcomer });
      return { body: { mfa_token: text(first, "mfa_token"), code: recall("recovery code 1") } };
    },
    save: { "newcomer's token": "access_token" },
    wrong: [
      wrong("an unknown token", 401, {
        request: ({ recall }) => ({ body: { mfa_token: UNKNOWN_TOKEN, code: recall("recovery code 1") } }),
      }),
      wrong("no token", 401, { request: ({ recall }) => ({ body: { code: recall("recovery code 1") } }) }),
    ],
  }),
  row("POST /developers/dashboard/mfa/totp/disable", {
    as: asNewcomer,
    request: ({ recall }) => ({ body: { code: recall("recovery code 2") } }),
  }),
  row("POST /developers/oauth/device", {
    request: { body: { client_name: "conformance" } },
    save: { "device code": "device_code", "user code": "user_code" },
  }),
  row("GET /developers/dashboard/device", {
    as: asNewcomer,
    request: ({ recall }) => ({ path: `/developers/dashboard/device?user_code=${recall("user code")}` }),
    wrong: [
      wrong("an unknown code", 422, { request: { path: "/developers/dashboard/device?user_code=BBBB-BBBB" } }),
      wrong("no code", 422, { request: {} }),
    ],
  }),
  row("POST /developers/oauth/device/approve", {
    as: asNewcomer,
    request: ({ recall }) => ({ body: { user_code: recall("user code") } }),
  }),
  row("POST /developers/oauth/device/token", {
    request: ({ recall }) => device(recall("device code")),
    wrong: [wrong("an unknown device code", 400, { request: device(UNKNOWN_TOKEN) })],
  }),
];
