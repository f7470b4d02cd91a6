import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker } from "../../../../test/audit-trail.ts";
import { run } from "../../../../test/database.ts";
import { type AnyBody, type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";

const linesOf = ({ text }: ApiResponse): AnyBody[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("GET /audit/export", () => {
  const harness = useHarness();

  it("200: one canonical line per entry, oldest first; the last entry is the export itself", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 1_203 });

    const response = await tenant.get("/audit/export?format=jsonl");

    expect(response).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "cache-control": "no-store",
      },
    });
    const lines = linesOf(response);
    expect(lines.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1_204 }, (_, index) => index + 1));
    let before = "0".repeat(64);
    for (const [index, text] of response.text.split("\n").slice(0, -1).entries()) {
      const { hash, ...line } = lines[index];
      expect(text).toBe(canonicalJson({ ...line, hash }));
      expect([hash, line.prev_hash]).toEqual([sha256Hex(canonicalJson(line)), before]);
      before = hash;
    }
    expect(lines.at(-1)).toMatchObject({
      action: "audit.exported",
      subject: { type: "audit_chain", id: "tenant" },
      actor: { key_id: tenant.keyId },
      facts: { format: "jsonl" },
    });
    const { body } = await tenant.get("/audit/verify");
    expect(body).toMatchObject({ valid: true, entries_checked: 1_204, head_hash: before });
  });

  it("200: exports the provider_keys chain; the export is audited in the tenant chain", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "provider_keys" } as const;
    expect((await tenant.get("/audit/export?chain=provider_keys")).text).toBe("");
    await appendEntries(harness.app.db, key, { count: 2 });

    const lines = linesOf(await tenant.get("/audit/export?chain=provider_keys"));

    expect(lines.map(({ chain, action }) => [chain, action])).toEqual([
      ["provider_keys", "note.written"],
      ["provider_keys", "note.written"],
    ]);
    expect((await tenant.get("/audit/entries")).body.data).toMatchObject([
      { action: "audit.exported", subject: { id: "provider_keys" } },
      { action: "audit.exported", subject: { id: "provider_keys" } },
    ]);
  });

  it("200: a deleted entry is a gap in the sequence", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 4 });
    await tenant.get("/audit/verify");
    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    await intruder.tamper(`delete from audit_entries where ${intruder.own} and subject ->> 'id' = 'note_2'`);
    await intruder.end();

    const lines = linesOf(await tenant.get("/audit/export"));

    expect(lines.map(({ sequence }) => sequence)).toEqual([1, 3, 4, 5]);
  });

  it("500: the export cannot be audited; nothing is returned", async () => {
    const tenant = await harness.seedTenant();
    await tenant.post("/projects", { name: "Unaudited" });
    const change = (what: string) => run(harness.database.ownerUrl, `alter table audit_entries ${what}`);
    await change("add constraint refuse_export_entry check (action <> 'audit.exported') not valid");

    const response = await tenant.get("/audit/export");
    await change("drop constraint refuse_export_entry");

    expect([response.status, response.text.includes("Unaudited")]).toEqual([500, false]);
    expect((await tenant.get("/audit/export")).text).toContain("Unaudited");
  });

  it("200: returns entries of both modes to a test key", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test", scopes: ["audit:read"] });
    await tenant.post("/projects", { name: "Live" });

    const lines = linesOf(await test.get("/audit/export"));

    expect(lines.map(({ mode, action }) => [mode, action])).toEqual([
      ["live", "project.created"],
      ["test", "audit.exported"],
    ]);
  });

  it.each(["format=csv", "chain=all", "limit=5"])("422: query is %s", async (query) => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get(`/audit/export?${query}`)).status).toBe(422);
  });
});
