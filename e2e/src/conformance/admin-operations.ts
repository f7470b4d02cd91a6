import { totpCode } from "@purser/service/crypto/totp.ts";
import type { Operation } from "./operation.ts";
import { guarded, open, wrong } from "./rows.ts";
import { text } from "./world.ts";

const login = (body: object) => ({ method: "POST", path: "/admin/login", body }) as const;
const code = (body: object) => ({ method: "POST", path: "/admin/login/totp", body }) as const;

export const adminOperations: readonly Operation[] = [
  open("POST /admin/login", 200, ({ admin: { email, password } }) => login({ email, password }), {
    keep: (answer, { kept }) => kept.set("admin's first factor", text(answer, "mfa_token")),
    alsoWrong: [
      wrong("a wrong password", 401, ({ admin: { email } }) =>
        login({ email, password: "another password" }),
      ),
      wrong("a developer's address", 401, ({ demo: { email, password } }) =>
        login({ email, password }),
      ),
    ],
  }),
  open(
    "POST /admin/login/totp",
    200,
    ({ admin, recall }) =>
      code({
        mfa_token: recall("admin's first factor"),
        code: totpCode(admin.totpSecret, new Date()),
      }),
    {
      keep: (answer, { kept }) => kept.set("admin token", text(answer, "access_token")),
      alsoWrong: [
        wrong("an unknown token", 401, ({ admin }) =>
          code({ mfa_token: "x".repeat(43), code: totpCode(admin.totpSecret, new Date()) }),
        ),
      ],
    },
  ),
  guarded("POST /developers/verify-kyb", "admin", 200, ({ recall }) => ({
    method: "POST",
    path: "/developers/verify-kyb",
    body: { developer_id: recall("demo developer"), status: "verified" },
  })),
  guarded("GET /admin/developers", "admin", 200, { method: "GET", path: "/admin/developers" }),
  guarded("GET /admin/developers/{developer_id}", "admin", 200, ({ recall }) => ({
    method: "GET",
    path: `/admin/developers/${recall("demo developer")}`,
  })),
  open("POST /admin/logout", 204, { method: "POST", path: "/admin/logout" }),
];
