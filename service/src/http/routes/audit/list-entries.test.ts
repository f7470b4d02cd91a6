import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../../test/audit-trail.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";

const sequencesOf = ({ data }: AnyBody) => data.map(({ sequence }: AnyBody) => sequence);

describe("GET /audit/entries", () => {
  const harness = useHarness();

  it("200: includes the caller's own last change, with a hash that can be recomputed", async () => {
    const tenant = await harness.seedTenant();
    const project = (await tenant.post("/projects", { name: "First" })).body;

    const { status, body } = await tenant.get("/audit/entries");

    expect([status, body]).toEqual([
      200,
      {
        object: "list",
        data: [
          {
            audit_id: expect.stringMatching(/^aud_/),
            chain: "tenant",
            tenant_id: tenant.tenantId,
            mode: "live",
            sequence: 1,
            actor: {
              type: "developer",
              id: tenant.tenantId,
              key_id: tenant.keyId,
              ip: expect.any(String),
            },
            action: "project.created",
            subject: { type: "project", id: project.project_id },
            facts: expect.any(Object),
            request_id: expect.stringMatching(/^req_/),
            occurred_at: "2026-11-21T10:00:00.000Z",
            prev_hash: "0".repeat(64),
            hash: expect.any(String),
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    ]);
    const { hash, ...line } = body.data[0];
    expect(sha256Hex(canonicalJson(line))).toBe(hash);
  });

  it("200: returns pages of the requested chain, newest first", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 5 });
    await appendEntries(harness.app.db, { ...key, chain: "provider_keys" }, { count: 2 });
    const { tenantId } = await harness.seedTenant();
    await appendEntries(harness.app.db, { tenantId, chain: "tenant" }, { count: 3 });

    const first = (await tenant.get("/audit/entries?limit=2")).body;
    const second = (await tenant.get(`/audit/entries?limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await tenant.get(`/audit/entries?limit=2&cursor=${second.next_cursor}`)).body;

    expect([first, second, third].map(sequencesOf)).toEqual([[5, 4], [3, 2], [1]]);
    expect([first, second, third].map(({ has_more }) => has_more)).toEqual([true, true, false]);
    const other = (await tenant.get("/audit/entries?chain=provider_keys")).body;
    expect(other.data.map(({ chain }: AnyBody) => chain)).toEqual(["provider_keys", "provider_keys"]);
  });

  it("200: filters by action, by subject_id and by both", async () => {
    const tenant = await harness.seedTenant();
    const one = (await tenant.post("/projects", { name: "One" })).body.project_id;
    const two = (await tenant.post("/projects", { name: "Two" })).body.project_id;
    await tenant.patch(`/projects/${one}`, { monthly_cap: "7.00" });

    const found = async (query: string) => sequencesOf((await tenant.get(`/audit/entries?${query}`)).body);

    expect(await found("action=project.created")).toEqual([2, 1]);
    expect(await found(`subject_id=${one}`)).toEqual([3, 1]);
    expect(await found(`subject_id=${one}&action=project.updated`)).toEqual([3]);
    expect(await found(`subject_id=${two}&action=project.updated`)).toEqual([]);
  });

  it("200: a test key gets entries of test mode only", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, {
      mode: "test",
      scopes: ["audit:read", "projects:write"],
    });
    await tenant.post("/projects", { name: "Live" });
    await test.post("/projects", { name: "Test" });

    expect(sequencesOf((await test.get("/audit/entries")).body)).toEqual([2]);
    expect(sequencesOf((await tenant.get("/audit/entries")).body)).toEqual([2, 1]);
  });

  it.each([
    ["lacks audit:read", { scopes: ["projects:read", "provider_keys:read"] }],
    ["is bound to an agent", { agentIds: ["7f3b6a0e-5a52-4d0b-8f6e-3a1f0d2c4b59"] }],
    ["is bound to a project", { projectIds: ["proj_01hf7yat00rm3czb8yy5nw42xz"] }],
  ] as const)("403: key %s", async (_name, seed) => {
    const tenant = await harness.seedTenant(seed);

    for (const path of ["entries", "export", "checkpoints", "verify"]) {
      expect([path, (await tenant.get(`/audit/${path}`)).status]).toEqual([path, 403]);
    }
  });

  it.each([
    "chain=nothing",
    "limit=0",
    "limit=101",
    "cursor=x",
    "cursor=MA",
    `cursor=${Buffer.from("1e3").toString("base64url")}`,
    "action=",
    "action=Project",
    "subject_id=a%20b",
    "since=2026",
  ])("422: query is %s", async (query) => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get(`/audit/entries?${query}`)).status).toBe(422);
  });
});
