import pg from "pg";
import { serveParent } from "../server-process.ts";
import type { KeyPair } from "../signer.ts";
import { listenBare, sendJson } from "./listen.ts";
import { createVerifier } from "./verifier.ts";

export interface BareProjectInput extends KeyPair {
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  readonly tenantId: string;
}

/**
 * `GET /projects/{id}` with nothing around it: the same verification, the same select as a named statement of `pg`, and
 * the same answer. What our server takes longer is what its framework and its layers cost.
 */
serveParent((input: BareProjectInput) => {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: input.connectionsMax });
  const verify = createVerifier(input);
  return listenBare(async (request, response) => {
    const tenantId = verify(request);
    if (tenantId === undefined) return sendJson(response, 401, {});
    const project = await readProject(pool, tenantId, (request.url ?? "").split("/").at(-1) ?? "");
    if (project === undefined) return sendJson(response, 404, {});
    sendJson(response, 200, project);
  });
});

const SELECT_PROJECT = `
  select projects.*, usage.spent_cents, usage.reserved_cents
  from projects
  inner join lateral (
    select
      coalesce(sum(amount_cents) filter (where status in ('pending', 'succeeded', 'disputed')), 0) as spent_cents,
      coalesce(sum(amount_cents) filter (where status = 'reserved'), 0) as reserved_cents
    from charges
    where charges.tenant_id = projects.tenant_id and charges.project_id = projects.project_id
      and charges.occurred_at >= $1 and charges.occurred_at < $2
  ) as usage on true
  where projects.tenant_id = $3 and projects.mode = $4 and projects.deleted_at is null and projects.project_id = $5`;

async function readProject(pool: pg.Pool, tenantId: string, projectId: string) {
  const now = new Date();
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  const { rows } = await pool.query({
    name: "project",
    text: SELECT_PROJECT,
    values: [start, end, tenantId, "live", projectId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const capCents = BigInt(row.monthly_cap_cents);
  const spentCents = BigInt(row.spent_cents);
  const reservedCents = BigInt(row.reserved_cents);
  return {
    object: "project",
    project_id: row.project_id,
    mode: row.mode,
    name: row.name,
    slug: row.slug,
    description: row.description,
    status: row.status,
    monthly_cap: usd(capCents),
    currency: row.currency,
    cap_behavior: row.cap_behavior,
    provider_caps: row.provider_caps,
    usage: {
      period_start: start.toISOString(),
      period_end: end.toISOString(),
      spent: usd(spentCents),
      reserved: usd(reservedCents),
      remaining: usd(capCents - spentCents - reservedCents),
    },
    billing: { customer_id: null, status: "none", default_payment_method: null },
    environments: row.environments,
    links: [],
    services: [],
    agent_ids: row.agent_ids,
    policy_id: row.policy_id,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
  };
}

function usd(cents: bigint): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
