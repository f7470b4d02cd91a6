import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../test/fiat/conversions.ts";
import { useHarness } from "../../../test/harness.ts";
import { dumpDatabase, encodingsOf } from "../../../test/project-seeds.ts";
import { runDueWork } from "../../due-work/run-due-work.ts";
import { applyVendorEvents } from "../../workflows/apply-vendor-events.ts";

const TENANTS = 20;
/** Calls that fail with personal data in them. */
const FAILURES = [
  { vendor: "bridge", operation: "createKycLink", outcome: "refused" },
  { vendor: "plaid", operation: "identityMatch", outcome: "error_applied" },
  { vendor: "bridge", operation: "createExternalAccount", outcome: "refused" },
] as const;

/** A text of letters that appears nowhere else. */
function canary(): string {
  return randomUUID()
    .replaceAll("-", "")
    .replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "")
    .slice(0, 20);
}

function newHolder() {
  const [name, mailbox, street, city, postal] = [canary(), canary(), canary(), canary(), canary()];
  const canaries = [name, mailbox, street, city, postal];
  const address = { line1: `1 ${street}`, city, state: "CA", postal_code: postal, country: "US" };
  return { canaries, holder: { legal_name: `Ada ${name}`, email: `${mailbox}@example.com`, address } };
}

describe("personal data of bank accounts", () => {
  const harness = useHarness({ vendors: true });
  const { banks, deposit, advance } = conversionsOf(harness);

  /** Does everything that an account can go through, also what is refused. */
  async function use(holder: ReturnType<typeof newHolder>["holder"], turn: number): Promise<void> {
    const tenant = await harness.seedTenant({ mode: "test" });
    const key = () => ({ headers: { "idempotency-key": randomUUID() } });
    const visited = await banks.connect(tenant, { ownerName: holder.legal_name });
    const body = { public_token: visited.publicToken, account_id: visited.accountIds[0], account_holder: holder };
    await tenant.post("/fiat/verify-account", { ...body, account_holder: { ...holder, phone: "none" } }, key());
    await tenant.post("/fiat/verify-account", { ...body, unknown: holder }, key());
    const failure = FAILURES[turn % 4];
    if (failure !== undefined) harness.sandbox.force(failure);
    for (let times = 0; times < 2; times += 1) await tenant.post("/fiat/verify-account", body, key());
    await banks.linkBank(tenant, { user: "other_owner" }, holder);
    await banks.linkBank(tenant, {}, { ...holder, legal_name: "Ada Lovelace" });
    await banks.advance();
    const { data } = (await tenant.get("/fiat/accounts")).body;
    expect(data).toHaveLength(1);
    const { body: wallet } = await tenant.post("/wallets/create", { agent_id: randomUUID(), network: "base" });
    const ramp = { source_account_id: data[0].account_id, wallet_id: wallet.wallet_id, amount: "25.00" };
    const converted = await tenant.post("/fiat/on-ramp", ramp, key());
    if (converted.status === 200) await deposit(converted.body);
    await advance(5);
    if (turn % 2 === 0) await tenant.delete(`/fiat/accounts/${data[0].account_id}`, key());
    await banks.advance();
  }

  it("100 canaries are in no log, event, audit entry, stored response, file or table outside the schema pii", async () => {
    const holders = Array.from({ length: TENANTS }, newHolder);

    for (const [turn, { holder }] of holders.entries()) await use(holder, turn);
    for (const webhook of harness.webhooks.splice(0)) await harness.deliver(webhook);
    await runDueWork(harness.app, applyVendorEvents);

    const canaries = holders.flatMap((each) => each.canaries);
    expect(canaries).toHaveLength(100);
    const files = await Promise.all(
      ["claims.jsonl", "anchor.jsonl"].map((name) => readFile(join(harness.folder, name), "utf8").catch(() => "")),
    );
    const dump = await dumpDatabase(harness.database.superuserUrl, ["public", "dbos"]);
    const texts = [...harness.logLines, ...files, dump, ...harness.mails.map((mail) => JSON.stringify(mail))].join(
      "\n",
    );
    expect(dump).toContain("public.fiat_accounts");
    const found = canaries.filter((each) => encodingsOf(each).some((encoded) => texts.includes(encoded)));
    expect(found).toEqual([]);
    // Bank numbers and tokens too.
    expect(texts).not.toMatch(/011401533|access-(?:sandbox|production)-|public-sandbox-/);
  }, 60_000);
});
