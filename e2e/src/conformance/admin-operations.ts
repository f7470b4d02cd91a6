import { totpCode } from "@purser/service/crypto/totp.ts";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation, publicOperation, wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const login = (body: object) => ({ method: "POST", path: "/admin/login", body }) as const;
const code = (body: object) => ({ method: "POST", path: "/admin/login/totp", body }) as const;

function walletCall(verb: string, body: object) {
  return ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/admin/wallets/${recall("wallet")}/${verb}`,
    body,
  });
}

export const adminOperations: readonly Operation[] = [
  publicOperation("POST /admin/login", 200, ({ admin: { email, password } }) => login({ email, password }), {
    save: (response, { saved }) => saved.set("admin's first factor", text(response, "mfa_token")),
    moreWrongCalls: [
      wrongCall("a wrong password", 401, ({ admin: { email } }) => login({ email, password: "another password" })),
      wrongCall("a developer's address", 401, ({ demo: { email, password } }) => login({ email, password })),
    ],
  }),
  publicOperation(
    "POST /admin/login/totp",
    200,
    ({ admin, recall }) =>
      code({
        mfa_token: recall("admin's first factor"),
        code: totpCode(admin.totpSecret, new Date()),
      }),
    {
      save: (response, { saved }) => saved.set("admin token", text(response, "access_token")),
      moreWrongCalls: [
        wrongCall("an unknown token", 401, ({ admin }) =>
          code({ mfa_token: "x".repeat(43), code: totpCode(admin.totpSecret, new Date()) }),
        ),
      ],
    },
  ),
  authenticatedOperation("POST /developers/verify-kyb", "admin", 200, ({ recall }) => ({
    method: "POST",
    path: "/developers/verify-kyb",
    body: { developer_id: recall("demo developer"), status: "verified" },
  })),
  authenticatedOperation("GET /admin/developers", "admin", 200, {
    method: "GET",
    path: "/admin/developers",
  }),
  authenticatedOperation("GET /admin/developers/{developer_id}", "admin", 200, ({ recall }) => ({
    method: "GET",
    path: `/admin/developers/${recall("demo developer")}`,
  })),
  authenticatedOperation(
    "POST /admin/wallets/{wallet_id}/freeze",
    "admin",
    204,
    walletCall("freeze", { reason: "compliance_review" }),
  ),
  authenticatedOperation("POST /admin/wallets/{wallet_id}/unfreeze", "admin", 204, walletCall("unfreeze", {})),
  publicOperation("POST /admin/logout", 204, { method: "POST", path: "/admin/logout" }),
];
