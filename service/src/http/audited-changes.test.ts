import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { run } from "../../test/database.ts";
import { type Answer, PREFIX, useHarness } from "../../test/harness.ts";

/** What a call may leave although nothing has happened: that it was tried, and the keys that secrets are sealed under. */
const NO_CHANGE = new Set(["idempotency_records", "tenant_data_keys", "data_key_wrappings"]);

const REFUSE = `
  create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'nothing is told'; end $$;
  create trigger refuse_audit before insert on audit_entries for each statement execute function refuse_audit()`;

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Calls that change what a developer has, each of which is told in the trail. */
const CALLS: readonly Call[] = [
  { method: "POST", path: "/projects", body: { name: "Another" } },
  { method: "PATCH", path: "/projects/{project}", body: { monthly_cap: "7.00" } },
  { method: "DELETE", path: "/projects/{project}" },
  { method: "GET", path: "/projects/{project}/env" },
  { method: "PUT", path: "/projects/{project}/variables/TOKEN", body: { value: "other" } },
  { method: "DELETE", path: "/projects/{project}/variables/TOKEN" },
  { method: "POST", path: "/projects/{project}/link", body: { provider: "neon" } },
  { method: "DELETE", path: "/projects/{project}/links/{link}" },
  { method: "POST", path: "/developers/me/keys", body: { name: "another" } },
  { method: "POST", path: "/developers/me/keys/{key}/rotate" },
  { method: "DELETE", path: "/developers/me/keys/{key}" },
  {
    method: "PUT",
    path: "/developers/provider-keys/pimlico",
    body: { credentials: { api_key: "k" }, verify: "skip" },
  },
  { method: "DELETE", path: "/developers/provider-keys/helius" },
  { method: "GET", path: "/audit/export" },
];

/** The same, of the calls that a dashboard makes. */
const DASHBOARD_CALLS: readonly Call[] = [
  { method: "PUT", path: "/developers/dashboard/me", body: { company_name: "Other" } },
  { method: "POST", path: "/developers/register" },
  { method: "POST", path: "/developers/rotate-key" },
  { method: "DELETE", path: "/developers/dashboard/sessions/{session}" },
  { method: "DELETE", path: "/developers/dashboard/identities/github" },
];

describe("while nothing can be told in the audit trail", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const ids: Record<string, string> = {};
  let signed: Awaited<ReturnType<typeof harness.seedTenant>>;
  let authorization: string;
  let email: string;

  const superuser = (statement: string) => run(harness.database.superuserUrl, statement);
  const pathOf = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");

  const asDashboard = ({ method, path, body }: Call): Promise<Answer> =>
    harness.send({
      method,
      url: `${PREFIX}${pathOf(path)}`,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      ...(body && { payload: JSON.stringify(body) }),
    });

  const asSigned = ({ method, path, body }: Call): Promise<Answer> =>
    signed.sendRaw(method, pathOf(path), body && JSON.stringify(body));

  async function everyRow(): Promise<string[]> {
    const tables = (await accounts.everyRow()).split("\n# ");
    return tables.filter((table) => !NO_CHANGE.has(table.split("\n")[0] ?? ""));
  }

  beforeAll(async () => {
    signed = await harness.seedTenant();
    const project = (await signed.post("/projects", { name: "First" })).body.project_id;
    await signed.put(`/projects/${project}/variables/TOKEN`, { value: "first" });
    const link = await signed.post(`/projects/${project}/link`, { provider: "neon" });
    const key = await signed.post("/developers/me/keys", { name: "first" });
    const helius = { credentials: { api_key: "k" }, verify: "skip" };
    await signed.put("/developers/provider-keys/helius", helius);
    const account = await accounts.seedAccount();
    authorization = account.as.headers.authorization;
    email = account.email;
    await superuser(
      `insert into developer_identities values ('${account.developerId}', 'github', '1', '${email}', now(), now())`,
    );
    const sessions = await accounts.call("GET", "/dashboard/sessions", undefined, account.as);
    const session = sessions.body.data[0].session_id;
    Object.assign(ids, { project, link: link.body.link_id, key: key.body.key_id, session });
    expect(Object.values(ids).map((id) => typeof id)).toEqual(Array(4).fill("string"));
    await harness.deliverMails();
    await superuser(REFUSE);
  });

  afterAll(() => superuser("drop function refuse_audit cascade"));

  async function expectNoChange(perform: () => Promise<Answer>): Promise<void> {
    const before = await everyRow();

    const { status } = await perform();

    // Not refused by the caller's fault: it came as far as the entry.
    expect(status).toBe(500);
    expect(await everyRow()).toEqual(before);
  }

  it.each(CALLS)("nothing is changed by $method $path", async (call) => {
    await expectNoChange(() => asSigned(call));
  });

  it.each(DASHBOARD_CALLS)("nothing is changed by $method $path", async (call) => {
    await expectNoChange(() => asDashboard(call));
  });

  it("nobody signs up, and nobody logs in", async () => {
    await expectNoChange(() => accounts.signUp());
    await expectNoChange(() => accounts.logIn(email));
  });
});
