import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../../test/audit-trail.ts";
import { run } from "../../../../test/database.ts";
import { useHarness } from "../../../../test/harness.ts";
import { createFileAuditAnchor } from "../../../adapters/audit-anchor/file-audit-anchor.ts";
import { checkpointChain } from "../../../audit/checkpoints/checkpoint.ts";
import type { AuditAnchor } from "../../../ports/audit-anchor.ts";

describe("GET /audit/verify", () => {
  let opened: AuditAnchor;
  const harness = useHarness({
    replace: (app) => {
      opened = app.auditAnchor;
      return {
        auditAnchor: {
          type: "signed_checkpoint",
          publish: (checkpoint) => opened.publish(checkpoint),
          latest: (tenantId, chain) => opened.latest(tenantId, chain),
        },
      };
    },
  });

  const anchorFile = () => join(harness.folder, "anchor.jsonl");

  /** Creates a tenant with five audit entries. The latest checkpoint in the anchor file covers the first three. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 2 });
    await checkpointChain(harness.app, key);
    await appendEntries(harness.app.db, key, { count: 1, first: 3 });
    await checkpointChain(harness.app, key);
    await appendEntries(harness.app.db, key, { count: 2, first: 4 });
    return { tenant, verify: () => tenant.get("/audit/verify") };
  }

  /** Changes the anchor file, reopens it, runs `work`, and restores the file. */
  async function withAnchorFile(change: (text: string) => string, work: () => Promise<void>): Promise<void> {
    const text = await readFile(anchorFile(), "utf8");
    await writeFile(anchorFile(), change(text));
    opened = createFileAuditAnchor({ path: anchorFile() });
    try {
      await work();
    } finally {
      await writeFile(anchorFile(), text);
      opened = createFileAuditAnchor({ path: anchorFile() });
    }
  }

  it("200: since=checkpoint checks the anchored entry and the entries after it", async () => {
    const { tenant, verify } = await arrange();
    const since = () => tenant.get("/audit/verify?since=checkpoint");
    const change = (sequence: number) =>
      run(
        harness.database.superuserUrl,
        `alter table audit_entries disable trigger user;
         update audit_entries set action = action || '.changed' where audit_id = (
           select audit_id from audit_links
           where tenant_id = '${tenant.tenantId}' and chain = 'tenant' and sequence = ${sequence});
         alter table audit_entries enable trigger user`,
      );

    expect((await since()).body).toMatchObject({
      valid: true,
      entries_checked: 3,
      first_sequence: 3,
      last_sequence: 5,
      anchor: { status: "matched", anchored_sequence: 3 },
    });
    expect((await verify()).body).toMatchObject({ entries_checked: 5, first_sequence: 1 });

    await change(2);
    expect((await since()).body).toMatchObject({ valid: true, first_sequence: 3 });
    expect((await verify()).body).toMatchObject({ valid: false, broken_at: { sequence: 2 } });
    await change(3);
    expect((await since()).body).toMatchObject({ valid: false, broken_at: { sequence: 3 } });
    expect((await tenant.get("/audit/verify?since=yesterday")).status).toBe(422);
  });

  it("200: since=checkpoint checks the whole chain if no checkpoint matches it", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 2 });
    const since = () => tenant.get("/audit/verify?since=checkpoint");

    expect((await since()).body).toMatchObject({
      valid: true,
      first_sequence: 1,
      anchor: { status: "pending" },
    });
    await checkpointChain(harness.app, key);
    const forged = (text: string) => text.replace(/"signature":"..../g, '"signature":"AAAA');
    for (const change of [() => "", forged]) {
      await withAnchorFile(change, async () => {
        expect((await since()).body).toMatchObject({
          valid: false,
          first_sequence: 1,
          anchor: { status: "mismatch" },
        });
      });
    }
  });

  it("200: valid with unanchored entries after the checkpoint", async () => {
    const { verify } = await arrange();

    const { status, body } = await verify();

    expect([status, body]).toEqual([
      200,
      {
        valid: true,
        chain: "tenant",
        entries_checked: 5,
        first_sequence: 1,
        last_sequence: 5,
        genesis_hash: "0".repeat(64),
        head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        broken_at: null,
        anchor: {
          status: "matched",
          type: "signed_checkpoint",
          anchored_sequence: 3,
          anchored_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          anchored_at: "2026-11-21T10:00:00.000Z",
          reference: expect.stringMatching(/^file:.*anchor\.jsonl#\d+$/),
          unanchored_entries: 2,
        },
        truncation_detected: false,
        checked_at: "2026-11-21T10:00:00.000Z",
      },
    ]);
  });

  it("200: includes the caller's own last change, before the first checkpoint", async () => {
    const tenant = await harness.seedTenant();
    expect((await tenant.get("/audit/verify")).body).toMatchObject({
      valid: true,
      entries_checked: 0,
      first_sequence: null,
      last_sequence: null,
    });

    await tenant.post("/projects", { name: "First" });

    expect((await tenant.get("/audit/verify")).body).toMatchObject({
      valid: true,
      entries_checked: 1,
      anchor: { status: "pending", anchored_sequence: null, unanchored_entries: 1 },
    });
    expect((await tenant.get("/audit/verify?chain=provider_keys")).body).toMatchObject({
      valid: true,
      chain: "provider_keys",
      entries_checked: 0,
    });
  });

  it("200: reports sequence and reason of a changed entry, without truncation", async () => {
    const { tenant, verify } = await arrange();
    await run(
      harness.database.superuserUrl,
      `set session_replication_role = replica;
       update audit_entries set facts = '{}' where tenant_id = '${tenant.tenantId}' and subject ->> 'id' = 'note_2'`,
    );

    expect((await verify()).body).toMatchObject({
      valid: false,
      entries_checked: 1,
      broken_at: {
        sequence: 2,
        reason: "hash_mismatch",
        expected: expect.stringMatching(/^[0-9a-f]{64}$/),
        actual: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      truncation_detected: false,
    });
  });

  const linesOf = (text: string) => text.split("\n").filter(Boolean);
  const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

  it.each([
    ["shortened by one line", (text: string) => asText(linesOf(text).slice(0, -1))],
    ["emptied", () => ""],
    ["overwritten with invalid text", () => "not a checkpoint\n"],
    ["changed in its sequence", (text: string) => text.replaceAll('"sequence":3', '"sequence":2')],
    ["changed beyond the chain's end", (text: string) => text.replaceAll('"sequence":3', '"sequence":9999')],
    ["changed in its hash", (text: string) => text.replaceAll('"headHash":"', '"headHash":"0')],
    ["changed in its signature", (text: string) => text.replaceAll('"signature":"', '"signature":"A')],
    ["changed in its time", (text: string) => text.replaceAll("2026", "2025")],
  ])("200: invalid if the anchor file was %s", async (_name, change) => {
    const { verify } = await arrange();

    await withAnchorFile(change, async () => {
      const { status, body } = await verify();

      expect([status, body]).toMatchObject([
        200,
        {
          valid: false,
          broken_at: null,
          anchor: { status: "mismatch" },
          truncation_detected: false,
        },
      ]);
    });
    expect((await verify()).body).toMatchObject({ valid: true });
  });

  it("200: invalid if the anchored checkpoint was replaced by another tenant's", async () => {
    const { tenant: other } = await arrange();
    const { tenant, verify } = await arrange();
    const replaced = (text: string, tenantId: string) => {
      const lines = linesOf(text);
      const foreign = lines.findLast((line) => line.includes(other.tenantId)) ?? "";
      return asText(
        lines.map((line) => (line.includes(tenant.tenantId) ? foreign.replace(other.tenantId, tenantId) : line)),
      );
    };

    for (const tenantId of [other.tenantId, tenant.tenantId]) {
      await withAnchorFile(
        (text) => replaced(text, tenantId),
        async () => {
          expect((await verify()).body).toMatchObject({
            valid: false,
            anchor: { status: "mismatch" },
          });
        },
      );
    }
  });

  it("200: valid is null if the anchor cannot be read", async () => {
    const { verify } = await arrange();
    const kept = `${anchorFile()}.kept`;
    await rename(anchorFile(), kept);
    opened = createFileAuditAnchor({ path: harness.folder });

    const { status, body } = await verify();
    await rm(anchorFile(), { force: true });
    await rename(kept, anchorFile());
    opened = createFileAuditAnchor({ path: anchorFile() });

    expect([status, body]).toMatchObject([
      200,
      {
        valid: null,
        broken_at: null,
        anchor: { status: "unavailable", anchored_sequence: null, unanchored_entries: 5 },
        truncation_detected: false,
      },
    ]);
  });

  it("200: reports a truncation of anchored entries", async () => {
    const { tenant, verify } = await arrange();
    const own = `tenant_id = '${tenant.tenantId}'`;
    await run(
      harness.database.superuserUrl,
      `set session_replication_role = replica;
       delete from audit_entries where ${own};
       delete from audit_links where ${own};
       delete from audit_pending where ${own};
       delete from audit_heads where ${own}`,
    );

    expect((await verify()).body).toMatchObject({
      valid: false,
      entries_checked: 0,
      anchor: { status: "mismatch", anchored_sequence: 3, unanchored_entries: 0 },
      truncation_detected: true,
    });
  });

  it("403: key is bound to agents", async () => {
    const tenant = await harness.seedTenant({ agentIds: ["7f3b6a0e-5a52-4d0b-8f6e-3a1f0d2c4b59"] });

    expect((await tenant.get("/audit/verify")).status).toBe(403);
  });

  it.each(["chain=nothing", "chain=", "chains=tenant", "chain=tenant&chain=tenant"])(
    "422: query is %s",
    async (query) => {
      const tenant = await harness.seedTenant();

      expect(await tenant.get(`/audit/verify?${query}`)).toMatchObject({
        status: 422,
        body: { code: "validation_error" },
      });
    },
  );
});
