import { totpCode } from "@purser/service/crypto/totp.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

export const adminOperations: readonly Operation[] = [
  row("POST /admin/login", {
    request: ({ admin: { email, password } }) => ({ body: { email, password } }),
    save: { "admin's first factor": "mfa_token" },
    wrong: [
      wrong("a wrong password", 401, {
        request: ({ admin: { email } }) => ({ body: { email, password: "another password" } }),
      }),
      wrong("a developer's address", 401, {
        request: ({ demo: { email, password } }) => ({ body: { email, password } }),
      }),
    ],
  }),
  row("POST /admin/login/totp", {
    request: ({ admin, recall }) => ({
      body: { mfa_token: recall("admin's first factor"), code: totpCode(admin.totpSecret, new Date()) },
    }),
    save: { "admin token": "access_token" },
    wrong: [
      wrong("an unknown token", 401, {
        request: ({ admin }) => ({
          body: { mfa_token: "x".repeat(43), code: totpCode(admin.totpSecret, new Date()) },
        }),
      }),
    ],
  }),
  row("POST /developers/dashboard/kyb", {
    request: { body: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "GB" } },
    wrong: [
      wrong("an unknown country", 422, {
        request: { body: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "ZZ" } },
      }),
    ],
  }),
  row("GET /developers/dashboard/kyb"),
  row("POST /developers/verify-kyb", {
    request: ({ recall }) => ({ body: { developer_id: recall("developer_id"), status: "verified" } }),
  }),
  row("GET /admin/developers"),
  row("GET /admin/developers/{developer_id}"),
  row("POST /admin/wallets/{wallet_id}/freeze", { request: { body: { reason: "compliance_review" } } }),
  row("POST /admin/wallets/{wallet_id}/unfreeze", { request: { body: {} } }),
  row("POST /admin/logout"),
];
