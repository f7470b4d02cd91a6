import { describe, expect, it } from "vitest";
import { run } from "../../../../test/database.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { verifyChain } from "../../../audit/chains/verify.ts";
import { checkpointChain } from "../../../audit/checkpoints/checkpoint.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { KEYED_PROVIDERS } from "../../../foundation/vocabulary.ts";
import { keyFieldsOf, openProviderCredentials } from "../../../modules/provider-keys/provider-keys.ts";

const PATH = "/developers/provider-keys";
const HELIUS = { api_key: "sandbox-acme" };

describe("PUT /developers/provider-keys/{provider}", () => {
  let kmsAnswers = true;
  const harness = useHarness({
    vendors: true,
    replace: ({ keyEncryptionKey }) => ({
      keyEncryptionKey: {
        ...keyEncryptionKey,
        unwrap: (...given) =>
          kmsAnswers ? keyEncryptionKey.unwrap(...given) : Promise.reject(new Error("no route to the KMS")),
      },
    }),
  });

  const entriesOf = (tenantId: TenantId) =>
    harness.app.db
      .selectFrom("auditLinks as link")
      .innerJoin("auditEntries as entry", "entry.auditId", "link.auditId")
      .select(["link.sequence", "link.hash", "entry.action", "entry.subject", "entry.facts"])
      .where("link.tenantId", "=", tenantId)
      .where("link.chain", "=", "provider_keys")
      .orderBy("link.sequence")
      .execute();

  const eventsOf = (tenantId: TenantId) =>
    harness.app.db.selectFrom("events").select("type").where("tenantId", "=", tenantId).orderBy("sequence").execute();

  const secretsOf = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      tx.selectFrom("providerKeySecrets").selectAll().where("tenantId", "=", tenantId).execute(),
    );

  const opened = (tenantId: TenantId, provider: (typeof KEYED_PROVIDERS)[number] = "helius") =>
    openProviderCredentials(harness.app, { tenantId, mode: "live", provider });

  it("200: pasted keys are stored without quotes, spaces and indentation", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const { api_key = "", api_secret_pem = "" } = harness.sandbox.fireblocks.credentials;
    const pastedPems = [
      `"${api_secret_pem.replaceAll("\n", "\\n")}"`,
      api_secret_pem.replaceAll("\n", "\r\n    "),
      ` ${api_secret_pem.trim()} `,
    ];

    for (const pasted of pastedPems) {
      const credentials = { api_key: ` '${api_key}'\r\n`, api_secret_pem: pasted };
      const { status, body } = await put(`${PATH}/fireblocks`, { credentials });

      expect([status, body.verification?.status]).toEqual([200, "verified"]);
      expect(await opened(tenantId, "fireblocks")).toMatchObject({ api_key, api_secret_pem });
    }
  });

  it.each(KEYED_PROVIDERS)("200: %s accepts the keys; the response has no values", async (provider) => {
    const { tenantId, put, get } = await harness.seedTenant();
    const { credentials } = harness.sandbox[provider];
    const { required, optional } = keyFieldsOf(provider);
    const shape = [...required, ...optional];

    const { status, body, text } = await put(`${PATH}/${provider}`, {
      credentials,
      label: "prod",
    });

    const [entry] = await entriesOf(tenantId);
    expect([status, body]).toEqual([
      200,
      {
        provider,
        kind: expect.any(String),
        configured: true,
        mode: "live",
        label: "prod",
        fields_configured: shape.filter((name) => Object.hasOwn(credentials, name)),
        version: 1,
        verification: {
          status: "verified",
          checked_at: harness.clock.now().toISOString(),
          detail: null,
        },
        expires_at: null,
        last_used_at: null,
        updated_at: harness.clock.now().toISOString(),
        updated_by: tenantId,
        audit_head: entry?.hash,
      },
    ]);
    for (const value of Object.values(credentials)) expect(text).not.toContain(value);
    expect((await get(PATH)).body.data).toContainEqual(body);
    expect(await opened(tenantId, provider)).toEqual(credentials);
    expect(await entriesOf(tenantId)).toMatchObject([
      {
        sequence: 1,
        action: "provider_key.created",
        subject: { type: "provider", id: provider },
        facts: { version: 1 },
      },
    ]);
    expect((await eventsOf(tenantId)).map(({ type }) => type)).toEqual(["provider_key.saved"]);
  });

  it("200: path has the provider's kind", async () => {
    const { put, get } = await harness.seedTenant();

    const { status, body } = await put(`${PATH}/solana_access`, { credentials: HELIUS });

    expect([status, body.provider, body.kind]).toEqual([200, "helius", "solana_access"]);
    const { data } = (await get(PATH)).body;
    expect(data.map((row: AnyBody) => [row.provider, row.configured])).toEqual(
      KEYED_PROVIDERS.map((provider) => [provider, provider === "helius"]),
    );
  });

  it("200: replaces the whole set, so that omitted fields are deleted", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const first = { ...HELIUS, rpc_url: harness.sandbox.helius.url };
    expect((await put(`${PATH}/helius`, { credentials: first, label: "old" })).status).toBe(200);

    const { body } = await put(`${PATH}/helius`, { credentials: HELIUS });

    expect(body).toMatchObject({ version: 2, label: null, fields_configured: ["api_key"] });
    expect(await opened(tenantId)).toEqual(HELIUS);
    expect((await secretsOf(tenantId)).map(({ field, version }) => [field, version])).toEqual([["api_key", 2]]);
    const entries = await entriesOf(tenantId);
    expect(entries.map(({ action }) => action)).toEqual(["provider_key.created", "provider_key.updated"]);
  });

  it("200: equal values have equal HMACs in the audit trail, different values have different ones", async () => {
    const { tenantId, put } = await harness.seedTenant();
    for (const api_key of ["sandbox-one", "sandbox-one", "sandbox-two"]) {
      await put(`${PATH}/helius`, { credentials: { api_key } });
    }

    const hmacs = (await entriesOf(tenantId)).map(({ facts }: AnyBody) => facts.value_hmacs.api_key);

    expect(hmacs[0]).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(hmacs[1]).toBe(hmacs[0]);
    expect(hmacs[2]).not.toBe(hmacs[0]);
  });

  it("200: vendor rejects the keys; they are saved with verification status failed", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const credentials = harness.sandbox.helius.refusedCredentials;

    const { status, body } = await put(`${PATH}/helius`, { credentials });

    expect([status, body.verification.status]).toEqual([200, "failed"]);
    expect(body.verification.detail).toEqual(expect.any(String));
    expect(await opened(tenantId)).toEqual(credentials);
    expect((await eventsOf(tenantId)).map(({ type }) => type)).toEqual([
      "provider_key.saved",
      "provider_key.verification_failed",
    ]);
  });

  it("200: verify is skip; the vendor is not called", async () => {
    const { put } = await harness.seedTenant();
    const before = harness.sandbox.requests("helius").length;

    const { body } = await put(`${PATH}/helius`, { credentials: HELIUS, verify: "skip" });

    expect(body.verification).toEqual({ status: "unverified", checked_at: null, detail: null });
    expect(harness.sandbox.requests("helius")).toHaveLength(before);
  });

  it("200 for verify report, 503 for verify required: vendor does not respond", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const forced = { vendor: "helius", operation: "rpc", outcome: "timeout_lost" } as const;
    harness.sandbox.force({ ...forced, times: 2 });
    const startedMs = performance.now();

    const saved = await put(`${PATH}/helius`, { credentials: HELIUS });
    const refused = await put(`${PATH}/helius`, { credentials: HELIUS, verify: "required" });

    expect([saved.status, saved.body.verification.status]).toEqual([200, "unreachable"]);
    expect([refused.status, refused.body.code]).toEqual([503, "provider_unavailable"]);
    expect(performance.now() - startedMs).toBeLessThan(6_000);
    expect(await entriesOf(tenantId)).toHaveLength(1);
  });

  it("422: verify is required and the vendor rejects the keys; nothing is saved", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const credentials = harness.sandbox.helius.refusedCredentials;

    const { status, body } = await put(`${PATH}/helius`, { credentials, verify: "required" });

    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: "/body/credentials", code: "provider_refused", detail: expect.any(String) }],
    ]);
    expect(await opened(tenantId)).toBeUndefined();
    expect(await entriesOf(tenantId)).toEqual([]);
  });

  it.each<[string, string, object, string[]]>([
    ["an unknown provider", "stripe", { credentials: HELIUS }, ["/path/provider"]],
    ["no credentials", "helius", {}, ["/body/credentials"]],
    [
      "a missing field",
      "turnkey",
      { credentials: { organization_id: "o" } },
      ["/body/credentials/api_public_key", "/body/credentials/api_private_key"],
    ],
    [
      "a field of another provider",
      "helius",
      { credentials: { ...HELIUS, chains: ["base"] } },
      ["/body/credentials/chains"],
    ],
    ["an unknown field", "helius", { credentials: { ...HELIUS, apikey: "x" } }, ["/body/credentials/apikey"]],
    ["an empty value", "helius", { credentials: { api_key: "" } }, ["/body/credentials/api_key"]],
    ["a line break", "helius", { credentials: { api_key: "a\nb" } }, ["/body/credentials/api_key"]],
    ["more than 8 KiB", "helius", { credentials: { api_key: "ü".repeat(4_097) } }, ["/body/credentials/api_key"]],
    [
      "a URL with a different host",
      "helius",
      { credentials: { ...HELIUS, rpc_url: "https://evil.example" } },
      ["/body/credentials/rpc_url"],
    ],
    ["a mode other than the caller's", "helius", { credentials: HELIUS, mode: "test" }, ["/body/mode"]],
    [
      "an expiry in the past",
      "helius",
      { credentials: HELIUS, expires_at: "2026-11-21T10:00:00Z" },
      ["/body/expires_at"],
    ],
    [
      "an expiry in the year 10000",
      "helius",
      { credentials: HELIUS, expires_at: "9999-12-31T23:59:59-00:01" },
      ["/body/expires_at"],
    ],
    [
      "an expiry in a leap second",
      "helius",
      { credentials: HELIUS, expires_at: "2030-06-30T23:59:60Z" },
      ["/body/expires_at"],
    ],
    ["a version of null", "helius", { credentials: HELIUS, expected_version: null }, ["/body/expected_version"]],
    ["an unknown member", "helius", { credentials: HELIUS, note: "x" }, ["/body/note"]],
  ])("422: %s", async (_name, provider, body, pointers) => {
    const { tenantId, put } = await harness.seedTenant();

    const response = await put(`${PATH}/${provider}`, body);

    expect(response.status).toBe(422);
    expect(response.body.errors.map(({ pointer }: AnyBody) => pointer)).toEqual(pointers);
    expect(await entriesOf(tenantId)).toEqual([]);
  });

  it("409: expected_version is not the current version", async () => {
    const { tenantId, put, delete: remove } = await harness.seedTenant();
    const save = (expected_version: number) =>
      put(`${PATH}/helius`, { credentials: HELIUS, verify: "skip", expected_version });

    expect((await save(1)).body.code).toBe("version_conflict");
    expect((await save(0)).body.version).toBe(1);
    expect((await save(0)).status).toBe(409);
    expect((await save(1)).body.version).toBe(2);
    await remove(`${PATH}/helius`);
    expect((await save(3)).status).toBe(409);
    expect((await save(0)).body.version).toBe(4);
    expect(await entriesOf(tenantId)).toHaveLength(4);
  });

  it("200 once, else 409: concurrent calls with the same expected_version", async () => {
    const { tenantId, put } = await harness.seedTenant();
    const save = (api_key: string) =>
      put(`${PATH}/helius`, { credentials: { api_key }, verify: "skip", expected_version: 0 });

    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => save(`sandbox-${n}`)));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await entriesOf(tenantId)).toHaveLength(1);
  });

  it("200: concurrent calls each get their own version and audit entry", async () => {
    const { tenantId, put } = await harness.seedTenant();

    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        put(`${PATH}/helius`, { credentials: { api_key: `sandbox-${n}` }, verify: "skip" }),
      ),
    );

    const versions = responses.map(({ body }) => body.version).sort();
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const last = responses.findIndex(({ body }) => body.version === 8);
    expect(await opened(tenantId)).toEqual({ api_key: `sandbox-${last}` });
    expect((await entriesOf(tenantId)).map(({ facts }) => facts["version"])).toEqual(versions);
    expect(await verifyChain(harness.app, { tenantId, chain: "provider_keys" })).toMatchObject({
      valid: true,
      entriesChecked: 8,
    });
  });

  it("500: audit entry cannot be written; nothing is saved", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put(`${PATH}/helius`, { credentials: HELIUS });
    const { superuserUrl } = harness.database;
    await run(
      superuserUrl,
      `create function refuse_entry() returns trigger language plpgsql as
         $$ begin raise exception 'for this test'; end $$;
       create trigger refuse_entry before insert on audit_entries for each row execute function refuse_entry()`,
    );

    const { status } = await put(`${PATH}/helius`, { credentials: { api_key: "sandbox-other" } });
    await run(superuserUrl, "drop function refuse_entry cascade");

    expect(status).toBe(500);
    expect(await opened(tenantId)).toEqual(HELIUS);
    expect((await eventsOf(tenantId)).map(({ type }) => type)).toEqual(["provider_key.saved"]);
  });

  it("503: KMS does not respond; nothing is saved until it does", async () => {
    const { tenantId, put } = await harness.seedTenant();
    expect((await put(`${PATH}/helius`, { credentials: HELIUS })).status).toBe(200);
    kmsAnswers = false;
    harness.app.vaults.clear();

    const { status, body } = await put(`${PATH}/helius`, { credentials: { api_key: "sandbox-b" } });
    kmsAnswers = true;

    expect([status, body.code]).toEqual([503, "service_unavailable"]);
    expect(await opened(tenantId)).toEqual(HELIUS);
  });

  it("503: chain has been unanchored for a day; 200 before that and after it is anchored", async () => {
    const { tenantId, put, delete: remove } = await harness.seedTenant();
    const save = () => put(`${PATH}/helius`, { credentials: HELIUS, verify: "skip" });
    await save();
    harness.clock.advanceSeconds(24 * 3_600 - 1);
    expect((await save()).status).toBe(200);

    harness.clock.advanceSeconds(1);
    expect((await save()).body.code).toBe("service_unavailable");
    expect((await remove(`${PATH}/helius`)).status).toBe(503);

    await checkpointChain(harness.app, { tenantId, chain: "provider_keys" });
    expect((await save()).status).toBe(200);
    expect(await entriesOf(tenantId)).toHaveLength(3);
  });

  it("200: each tenant and mode has its own set", async () => {
    const live = await harness.seedTenant();
    const test = await harness.seedKey(live.tenantId, { mode: "test" });
    const other = await harness.seedTenant();
    await live.put(`${PATH}/helius`, { credentials: { api_key: "sandbox-live" } });

    const configured = async ({ get }: Pick<typeof live, "get">) =>
      (await get(PATH)).body.data.filter((row: AnyBody) => row.configured).length;

    expect(await configured(live)).toBe(1);
    expect(await configured(test)).toBe(0);
    expect(await configured(other)).toBe(0);
    expect((await test.put(`${PATH}/helius`, { credentials: HELIUS })).body).toMatchObject({
      mode: "test",
      version: 1,
    });
    expect(await opened(live.tenantId)).toEqual({ api_key: "sandbox-live" });
  });
});
