import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { adminsOf } from "../../../../test/admins.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";

describe("GET /admin/developers", () => {
  const harness = useHarness({ settings: { kybApprovals: 2 } });
  const admins = adminsOf(harness);
  const accounts = accountsOf(harness);
  const get = (path: string, { headers }: { headers: Record<string, string> }) =>
    harness.send({ method: "GET", url: `${PREFIX}/admin${path}`, headers });
  const idsIn = ({ body }: { body: { data: { developer_id: string }[] } }) =>
    body.data.map(({ developer_id }) => developer_id);

  it("200: lists all developers in pages, newest first", async () => {
    const { as } = await admins.seedSession();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift(await harness.seedDeveloper());

    const first = await get("/developers?limit=2", as);
    expect(idsIn(first)).toEqual(ids.slice(0, 2));
    const second = await get(`/developers?limit=2&cursor=${first.body.next_cursor}`, as);
    expect(idsIn(second)).toEqual(ids.slice(2, 4));
    expect(second.body.has_more).toBe(true);
    expect(Object.keys(first.body.data[0]).sort()).toEqual([
      "company_name",
      "country",
      "created_at",
      "developer_id",
      "email",
      "email_verified",
      "kyb",
      "kyb_submitted_at",
      "name",
      "object",
      "status",
    ]);
  });

  it("200: filters by id, by the start of an address, and by KYB status", async () => {
    const { as } = await admins.seedSession();
    const { developerId, email } = await accounts.seedAccount();
    const other = await accounts.seedAccount();

    expect(idsIn(await get(`/developers?q=${developerId}`, as))).toEqual([developerId]);
    const prefix = encodeURIComponent(email.slice(0, 20).toUpperCase());
    expect(idsIn(await get(`/developers?q=${prefix}`, as))).toEqual([developerId]);
    expect(idsIn(await get("/developers?q=%25", as))).toEqual([]);
    expect(idsIn(await get("/developers?q=ada_", as))).toEqual([]);
    expect(idsIn(await get("/developers?q=ada-", as))).toEqual([other.developerId, developerId]);
    expect(idsIn(await get("/developers?q=ada-&kyb_status=verified", as))).toEqual([]);
    expect(idsIn(await get("/developers?q=ada-&kyb_status=unverified", as))).toHaveLength(2);
  });

  it("200: an expired verification is found as expired before the job has stored it", async () => {
    const { as } = await admins.seedSession();
    const { tenantId } = await harness.seedTenant();
    const expiry = new Date(harness.clock.now().getTime() + 60_000);
    await accounts.query("update developers set kyb_status = 'verified', kyb_expires_at = $2 where tenant_id = $1", [
      tenantId,
      expiry,
    ]);
    const statuses = async () => {
      const found = [];
      for (const status of ["verified", "expired"]) {
        const { body } = await get(`/developers?q=${tenantId}&kyb_status=${status}`, as);
        found.push(...body.data.map(({ kyb }: { kyb: object }) => kyb));
      }
      return found;
    };

    expect(await statuses()).toMatchObject([{ status: "verified" }]);
    harness.clock.advanceSeconds(60);
    expect(await statuses()).toMatchObject([{ status: "expired" }]);
  });

  it("200: returns a developer with the KYB decision that waits for a second admin", async () => {
    const first = await admins.seedSession();
    const second = await admins.seedSession();
    const { tenantId } = await harness.seedTenant();
    const decision = { status: "verified", legal_name: "Ada Engines", note: "Register read." };
    await admins.post("/developers/verify-kyb", { developer_id: tenantId, ...decision }, first.as);

    expect(await get(`/developers/${tenantId}`, second.as)).toMatchObject({
      status: 200,
      body: {
        developer_id: tenantId,
        kyb: { status: "pending" },
        waiting_kyb_decision: { ...decision, jurisdiction: null, proposed_by: first.adminId },
      },
    });
  });

  it("200: records the access in the operators' audit trail", async () => {
    const { as, adminId } = await admins.seedSession();
    const { tenantId } = await harness.seedTenant();
    await get("/developers?q=someone", as);
    await get(`/developers/${tenantId}`, as);

    const entries = await accounts.query(
      "select action, subject, facts from audit_entries where tenant_id = 'sys_operator' and actor->>'id' = $1 and action like 'developer%' order by audit_id",
      [adminId],
    );
    expect(entries).toEqual([
      {
        action: "developers.listed",
        subject: { type: "admin", id: adminId },
        facts: { searched: true, kyb_status: null },
      },
      { action: "developer.shown", subject: { type: "developer", id: tenantId }, facts: {} },
    ]);
  });

  it("401: caller is not an admin", async () => {
    const tenant = await harness.seedTenant();
    const account = await accounts.seedAccount();

    expect((await tenant.get("/admin/developers")).status).toBe(401);
    for (const path of ["/developers", `/developers/${tenant.tenantId}`]) {
      expect((await get(path, { headers: {} })).status).toBe(401);
      expect((await get(path, account.as)).status).toBe(401);
    }
  });

  it("404: developer does not exist", async () => {
    const { as } = await admins.seedSession();
    for (const id of ["dev_01jz000000000000000000000x", "dev_x", "sys_operator"]) {
      expect(await get(`/developers/${id}`, as)).toMatchObject({
        status: 404,
        body: { code: "developer_not_found" },
      });
    }
  });

  it("422: query is invalid", async () => {
    const { as } = await admins.seedSession();
    for (const query of ["q=", "kyb_status=good", "cursor=abc", "limit=0", "page=1"]) {
      const { status, body } = await get(`/developers?${query}`, as);
      expect([query, status]).toEqual([query, 422]);
      expect(body.errors[0].pointer).toBe(`/query/${query.split("=")[0]}`);
    }
  });
});
