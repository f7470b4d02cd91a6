import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { run } from "../../../test/database.ts";
import { useHarness } from "../../../test/harness.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import { openVault } from "../../vault/vault.ts";
import { openProviderCredentials } from "./provider-keys.ts";
import { providerSecretContext } from "./sealed-columns.ts";

const PATH = "/developers/provider-keys";
const HELIUS = { api_key: "sandbox-acme" };

describe("encrypted values of provider keys", () => {
  const harness = useHarness();

  const secretsOf = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      tx.selectFrom("providerKeySecrets").selectAll().where("tenantId", "=", tenantId).execute(),
    );

  const opened = (tenantId: TenantId, provider: KeyedProvider = "helius") =>
    openProviderCredentials(harness.app, { tenantId, mode: "live", provider });

  const whereClause = (row: { tenant?: string; mode?: string; provider?: string; field?: string }) =>
    Object.entries({
      tenant_id: row.tenant,
      mode: row.mode,
      provider: row.provider,
      field: row.field,
    })
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name} = '${value}'`]))
      .join(" and ");

  /** Swaps two encrypted values as a database superuser. */
  async function swap(one: string, other: string): Promise<void> {
    await run(
      harness.database.superuserUrl,
      `begin; set local session_replication_role = replica;
         update provider_key_secrets as own set sealed = other.sealed from provider_key_secrets as other
         where ((${one.replaceAll(/(\w+) =/g, "own.$1 =")}) and (${other.replaceAll(/(\w+) =/g, "other.$1 =")}))
            or ((${other.replaceAll(/(\w+) =/g, "own.$1 =")}) and (${one.replaceAll(/(\w+) =/g, "other.$1 =")}));
         commit`,
    );
  }

  async function arrange() {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const other = await harness.seedTenant();
    for (const client of [tenant, test, other]) {
      await client.put(`${PATH}/helius`, { credentials: HELIUS, verify: "skip" });
      await client.put(`${PATH}/bridge`, { credentials: HELIUS, verify: "skip" });
      await client.put(`${PATH}/fireblocks`, {
        credentials: { api_key: "a", api_secret_pem: "b" },
        verify: "skip",
      });
    }
    return {
      own: tenant.tenantId,
      other: other.tenantId,
      put: tenant.put,
      remove: tenant.delete,
    };
  }

  it("cannot be decrypted for a different tenant, provider, field or mode", async () => {
    const { own, other } = await arrange();
    const base = { tenant: own, mode: "live", provider: "helius", field: "api_key" };
    const swaps = [
      [base, { ...base, tenant: other }],
      [base, { ...base, mode: "test" }],
      [base, { ...base, provider: "bridge" }],
      [
        { ...base, provider: "fireblocks" },
        { ...base, provider: "fireblocks", field: "api_secret_pem" },
      ],
    ] as const;
    for (const [one, another] of swaps) {
      const provider = one.provider === "fireblocks" ? "fireblocks" : "helius";
      await swap(whereClause(one), whereClause(another));
      await expect(opened(own, provider)).rejects.toThrow();
      await swap(whereClause(one), whereClause(another));
      await expect(opened(own, provider)).resolves.toBeDefined();
    }
  });

  it("cannot be decrypted if an old value is restored after a later save", async () => {
    const { own, put } = await arrange();
    const [before] = (await secretsOf(own)).filter(({ mode, provider }) => mode === "live" && provider === "helius");
    await put(`${PATH}/helius`, { credentials: { api_key: "sandbox-new" }, verify: "skip" });

    await run(
      harness.database.superuserUrl,
      `update provider_key_secrets set sealed = '\\x${before?.sealed.toString("hex")}'
         where ${whereClause({ tenant: own, mode: "live", provider: "helius" })}`,
    );

    await expect(opened(own)).rejects.toThrow();
  });

  it("cannot be read if an old value is restored with its old version after a later save or deletion", async () => {
    const { own, put, remove } = await arrange();
    const live = whereClause({ tenant: own, mode: "live", provider: "helius" });
    const [before] = (await secretsOf(own)).filter(({ mode, provider }) => mode === "live" && provider === "helius");
    const row = `'${own}', 'live', 'helius', 'api_key', 1, '\\x${before?.sealed.toString("hex")}'`;
    const restore = () =>
      run(
        harness.database.superuserUrl,
        `delete from provider_key_secrets where ${live};
           insert into provider_key_secrets (tenant_id, mode, provider, field, version, sealed) values (${row})`,
      );

    await restore();
    await expect(opened(own)).resolves.toEqual(HELIUS);
    await put(`${PATH}/helius`, { credentials: { api_key: "sandbox-new" }, verify: "skip" });
    await restore();
    await expect(opened(own)).rejects.toThrow();
    await remove(`${PATH}/helius`);
    await restore();
    await expect(opened(own)).resolves.toBeUndefined();
  });

  it("cannot be decrypted if any bit of ciphertext, tag, IV or header is flipped", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const api_key = randomBytes(128).toString("hex");
    await put(`${PATH}/helius`, { credentials: { api_key }, verify: "skip" });
    const [stored] = await secretsOf(tenantId);
    const vault = await openVault(harness.app, tenantId);
    const context = providerSecretContext({
      mode: "live",
      provider: "helius",
      field: "api_key",
      version: 1,
    });
    const sealed = stored?.sealed ?? Buffer.alloc(0);
    expect(vault.open(context, sealed).toString()).toBe(api_key);

    let rejected = 0;
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      try {
        vault.open(context, flipped);
      } catch {
        rejected += 1;
      }
    }

    expect(sealed.length).toBeGreaterThan(256);
    expect(rejected).toBe(sealed.length * 8);
  });

  it("never appear in plain text in responses, logs or tables (1,000 random values)", async () => {
    const { tenantId, put, get } = await harness.seedTenant();
    const canaries = Array.from({ length: 1_000 }, () => `canary${randomBytes(16).toString("hex")}`);
    let output = "";
    for (let first = 0; first < canaries.length; first += 50) {
      const [api_key, api_secret_pem, vault_account_id, ...chains] = canaries.slice(first, first + 50);
      const responses = [
        await put(`${PATH}/fireblocks`, {
          credentials: { api_key, api_secret_pem, vault_account_id },
          verify: "skip",
        }),
        await put(`${PATH}/pimlico`, { credentials: { api_key, chains }, verify: "skip" }),
        await put(`${PATH}/helius`, { credentials: { api_key, rpc_url: api_secret_pem } }),
        await put(`${PATH}/bridge`, {
          credentials: { api_key, webhook_public_key: api_secret_pem, vault_account_id },
        }),
        await put(`${PATH}/bridge`, { credentials: { api_key }, verify: "report" }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 422, 200]);
      output += responses.map(({ text, headers }) => text + JSON.stringify(headers)).join();
    }
    output += (await get(PATH)).text;
    output += harness.logLines.join("");
    output += await dump(harness.database.superuserUrl);

    // These texts are not secret and must be in the output. If one is missing, the dump is incomplete and could miss
    // leaked values.
    for (const text of [tenantId, "fireblocks", "hmac-sha256:"]) expect(output).toContain(text);
    expect(canaries.filter((canary) => output.includes(canary))).toEqual([]);
  });
});

/** Returns all rows of all tables as text. Binary columns are included both as hex and as decoded bytes. */
async function dump(superuserUrl: string): Promise<string> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  let text = "";
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) {
      text += row;
      for (const [, hex] of row.matchAll(/\\\\x([0-9a-f]+)/g)) {
        text += Buffer.from(hex ?? "", "hex").toString("latin1");
      }
    }
  }
  await client.end();
  return text;
}
