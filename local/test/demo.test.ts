import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PROJECT_DIR } from "./local-profile.ts";

const RUN_MAX_MS = 90_000;

it.each<[string, readonly string[], readonly string[]]>([
  [
    "npm run demo",
    [],
    [
      "visa ending in 4242",
      "linked as ada@sandbox.example",
      "8 steps succeeded",
      "DATABASE_URL=po••••••",
      "signature and fingerprint valid",
      "rejected by the client",
      "select 1, on a real database",
      "destroyed: password authentication failed",
      "404 project_not_found",
    ],
  ],
  [
    "npm run demo -- agents",
    ["agents"],
    [
      '403 policy_denied:\n     {"rule_id":"default","policy_id":"pol_',
      "3 requests: 1 allowed, 1 asked, 1 refused",
      "plan launch: require_approval by the rule ask_for_launch",
      "202 requires_approval, apr_",
      "“Approval requested: Add neon/postgres",
      "approved by email_link",
      "postgres is active",
      "5.00 USDC, confirmed",
      '403 policy_denied:\n     {"rule_id":"at_most_25","policy_id":"pol_',
      "“Approval requested: Pay 20.00 USDC to 0x",
      "approved: 20.00 USDC, confirmed",
      "403 wallet_frozen",
    ],
  ],
  [
    "npm run demo -- fiat",
    ["fiat"],
    [
      "is verified, the holder is approved",
      "awaiting_funds: send 100.00 USD with the reference BRG",
      "completed: 99.85 USDC",
      "99.85 USDC available",
      "completed: 39.94 USD paid",
      "59.85 USDC available",
      "refunded: The account is closed",
      '403 policy_denied:\n     {"rule_id":"default","policy_id":"pol_',
      "off_ramp 20.13 refunded, off_ramp 40.00 completed, on_ramp 100.00 completed",
    ],
  ],
  [
    "npm run demo -- fiat --live",
    ["fiat", "--live"],
    [
      "completed: 99.85 USDC, transaction 0x",
      "99.85 USDC available",
      "completed: 39.94 USD paid, transaction 0x",
      "59.85 USDC available",
      "refunded: The account is closed, transaction 0x",
      "off_ramp 20.13 refunded, off_ramp 40.00 completed, on_ramp 100.00 completed",
    ],
  ],
  [
    "npm run demo -- wallets",
    ["wallets"],
    [
      "on base, counterfactual",
      "20000.00 USDC available",
      "5.00 USDC, confirmed, transaction 0x",
      "1.00 USDC, confirmed, transaction 0x",
      "10000.01 USDC, failed wallet_limit_exceeded, no transaction",
      "confirmed, transaction 0x",
      "refused: AccountFrozen, reverted, transaction 0x",
      "403 wallet_frozen",
      "active, transaction 0x",
      "refused: StaleEpoch, reverted, transaction 0x",
      "refused: AA24 signature error, reverted, transaction 0x",
      "19981.00 USDC on the chain, 19981.00 in the ledger",
    ],
  ],
])(
  "%s runs every step, prints no secret in full, and removes all data",
  async (_command, words, texts) => {
    const before = await listDemoFolders();
    const { PATH = "", HOME = "" } = process.env;

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(PROJECT_DIR, "scripts/on-node-24.cjs"), "local/src/bin/demo.ts", ...words],
      { env: { PATH, HOME, TMPDIR: tmpdir() }, timeout: RUN_MAX_MS },
    );

    for (const text of texts) expect(stdout).toContain(text);
    expect(stdout).not.toMatch(/postgres(ql)?:\/\/|svc_ss_|npg_|sb_secret|\/approve\//);
    expect(await listDemoFolders()).toEqual(before);
  },
  RUN_MAX_MS,
);

async function listDemoFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("purser-demo-"));
}
