import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { bearerCaller, unauthenticatedCaller } from "../../conformance/callers.ts";
import { text } from "../../conformance/context.ts";
import type { Environment } from "../../server-process.ts";
import { withClient } from "./backup.ts";

const ADMIN = fileURLToPath(new URL("../../../../service/src/bin/admin.ts", import.meta.url));

const PAGE = new URL("../../../../docs/operate/restore.md", import.meta.url);
const [beforeStart = "", unsent = "", compareWallets = ""] = [
  ...readFileSync(PAGE, "utf8").matchAll(/```sql\n(.*?)```/gs),
].map(([, statements = ""]) => statements);

/** The page's statements before the start, and for the comparison of wallets with their chains. */
export { beforeStart as BEFORE_START, compareWallets as COMPARE_WALLETS };

/** Runs `npm run admin`, and returns what it prints. */
export async function runAdmin(environment: Environment, ...args: readonly string[]): Promise<string> {
  // The service uses its own file.
  const env = { ...environment, PURSER_CLAIMS_FILE: `${environment["PURSER_CLAIMS_FILE"]}-of-admin` };
  const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...args], { env });
  return stdout;
}

/** Freezes and unfreezes the wallets as an admin. What waits in them is canceled. */
export async function cancelUnsent(
  environment: Environment,
  { url, superuserUrl }: { readonly url: string; readonly superuserUrl: string },
): Promise<readonly string[]> {
  const call = await logInAsAdmin(environment, url);
  const { rows } = await withClient(superuserUrl, (client) => client.query<{ wallet_id: string }>(unsent));
  const walletIds = rows.map(({ wallet_id: walletId }) => walletId);
  for (const walletId of walletIds) {
    for (const [action, body] of Object.entries({ freeze: { reason: "compliance_review" }, unfreeze: {} })) {
      const { status, text: answer } = await call({
        method: "POST",
        path: `/admin/wallets/${walletId}/${action}`,
        body,
      });
      if (status >= 300) throw new Error(`${action} of ${walletId}: ${status} ${answer}`);
    }
  }
  return walletIds;
}

async function logInAsAdmin(environment: Environment, url: string) {
  const email = "operator@example.com";
  const created = await runAdmin(environment, "create", "--email", email);
  const printedOf = (name: string) => new RegExp(`^${name} +(\\S+)$`, "m").exec(created)?.[1] ?? "";
  const call = unauthenticatedCaller(url);
  const begun = await call({ method: "POST", path: "/admin/login", body: { email, password: printedOf("password") } });
  const body = { mfa_token: text(begun, "mfa_token"), code: totpCode(printedOf("totp secret"), new Date()) };
  const ended = await call({ method: "POST", path: "/admin/login/totp", body });
  return bearerCaller(url, text(ended, "access_token"));
}
