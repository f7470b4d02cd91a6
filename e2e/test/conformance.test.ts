import { beforeAll, describe, expect, it } from "vitest";
import { readTableKinds } from "../../service/test/db/table-kinds.ts";
import {
  type RecordedStatements,
  recordStatements,
  statementsWithoutTenant,
  transactionsOfSeveralTenants,
} from "../src/conformance/checks/tenant-statements.ts";
import { readExamples, wrongExamples } from "../src/conformance/examples.ts";
import { operations } from "../src/conformance/operations.ts";
import { type Conformance, runConformance } from "../src/conformance/run-conformance.ts";

/** The developer operations of the first version of the API. */
const DEVELOPER_OPERATIONS = [
  "GET /developers/dashboard/me",
  "PUT /developers/dashboard/me",
  "POST /developers/login",
  "POST /developers/logout",
  "GET /developers/me",
  "GET /developers/me/keys",
  "POST /developers/me/keys",
  "DELETE /developers/me/keys/{key_id}",
  "POST /developers/me/keys/{key_id}/rotate",
  "POST /developers/oauth/github",
  "POST /developers/oauth/github/state",
  "POST /developers/oauth/google",
  "GET /developers/provider-keys",
  "PUT /developers/provider-keys/{provider}",
  "DELETE /developers/provider-keys/{provider}",
  "GET /developers/provider-keys/audit/verify",
  "POST /developers/register",
  "POST /developers/resend-verification",
  "POST /developers/rotate-key",
  "POST /developers/signup",
  "POST /developers/token/refresh",
  "GET /developers/verify-email",
  "POST /developers/verify-kyb",
];

const OF_ADMINS = "an admin reads the rows of all tenants";
const OF_HEALTH = "the health of the server is that of all tenants";
/** Requests' statements of several tenants, each by how it begins, with the reason. Citus sends them to all shards. */
const WITHOUT_TENANT: Readonly<Record<string, string>> = {
  'select "developer".*, exists (': "a login has only an address, and an admin reads all developers",
  'select * from "wallets" where "wallet_id" = $1': OF_ADMINS,
  'select * from "wallets" order by': OF_ADMINS,
  "select *, (status = 'running')::integer as": OF_ADMINS,
  'select * from "operation_steps" where (tenant_id, operation_id) in (select': OF_ADMINS,
  'select "operations".* from "operations" where "operations"."operation_id" = $1': OF_ADMINS,
  'select * from "audit_entries" where actor': OF_ADMINS,
  'select min("entry"."occurred_at")': OF_HEALTH,
  "select * from \"events\" where type = 'audit.anchor_mismatch'": OF_HEALTH,
  'select "kind", count(*)': OF_HEALTH,
  "select count(*) filter (where status = 'needs_operator')": OF_HEALTH,
  'select count(*)::integer as "count", min(created_at)': OF_HEALTH,
};

describe("npm run conformance", () => {
  let conformance: Conformance;
  let statements: RecordedStatements;

  beforeAll(async () => {
    statements = recordStatements();
    conformance = await runConformance(() => {}).finally(() => statements.stop());
  }, 120_000);

  it("calls each of the 23 developer operations", () => {
    const names: readonly string[] = operations.map(({ name }) => name);

    expect(DEVELOPER_OPERATIONS).toHaveLength(23);
    expect(DEVELOPER_OPERATIONS.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("the document's examples are bodies that match their schemas, for every operation, without secrets", () => {
    const examples = readExamples();

    expect(wrongExamples(examples)).toEqual([]);
    expect(JSON.stringify(examples)).not.toMatch(/svc_s[ks]_[a-z]+_[^x"]|eyJ|whsec_/);
  });

  it("every operation responds as declared, with the correct credential and with wrong ones", () => {
    const { rows, missing, undeclaredRequestHeaders } = conformance;

    expect(rows.filter(({ ok }) => !ok)).toEqual([]);
    expect(missing).toEqual([]);
    expect(undeclaredRequestHeaders).toEqual([]);
    expect(rows.length).toBeGreaterThan(300);
  });

  it("every statement of a request on a tenant's table names the tenant", () => {
    const distributed = readTableKinds().flatMap(([table, kind]) => (kind === "distributed" ? [table] : []));
    const found = statementsWithoutTenant(statements.sent, new Set(distributed));

    expect(found.filter((text) => !Object.keys(WITHOUT_TENANT).some((start) => text.trim().startsWith(start)))).toEqual(
      [],
    );
    expect(Object.keys(WITHOUT_TENANT).filter((start) => !found.some((text) => text.trim().startsWith(start)))).toEqual(
      [],
    );
    expect(statements.sent.length).toBeGreaterThan(3_000);
  });

  it("no transaction, of a request or a job, names two tenants", () => {
    const { transactions, found } = transactionsOfSeveralTenants(statements.sent);

    expect(found).toEqual([]);
    expect(transactions).toBeGreaterThan(300);
  });
});
