import pg from "pg";
import { serveParent } from "../server-process.ts";
import { listenOnLoopback, sendJson } from "./listen.ts";
import type { Developer } from "./seed-developer.ts";
import { createVerifier } from "./verifier.ts";

export interface BaselineProjectInput {
  readonly developers: readonly Developer[];
  readonly databaseUrl: string;
  readonly connectionsMax: number;
}

/**
 * Baseline for `GET /projects/{id}`: a `node:http` server that verifies the signature like Purser, runs the same SELECT
 * (as a named `pg` statement) and sends the same response. The additional time that Purser needs is the cost of its
 * framework and layers.
 */
serveParent((input: BaselineProjectInput) => {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: input.connectionsMax });
  const verify = createVerifier(input.developers);
  return listenOnLoopback(async (request, response) => {
    const tenantId = verify(request);
    if (tenantId === undefined) return sendJson(response, 401, {});
    const project = await readProject(pool, tenantId, (request.url ?? "").split("/").at(-1) ?? "");
    if (project === undefined) return sendJson(response, 404, {});
    sendJson(response, 200, project);
  });
});

/** The SQL that Purser generates, except that some constants are literals instead of parameters. */
const SELECT_PROJECT = `
  select projects.*, usage.spent_micros, usage.held_micros,
    billing.customer_id, billing.status as billing_status, billing.payment_method,
    (
      select coalesce(
        json_agg(
          json_build_object('linkId', newest.link_id, 'provider', newest.provider, 'status', newest.status)
          order by newest.provider
        ), '[]')
      from (
        select distinct on (link.provider) link.link_id, link.provider,
          case when link.status = 'pending_auth' and link.expires_at <= $1 then 'expired' else link.status end as status
        from provider_links as link
        where link.tenant_id = projects.tenant_id and link.project_id = projects.project_id
        order by link.provider, link.status = 'linked' desc, link.created_at desc, link.link_id desc
      ) as newest
      where newest.status != 'revoked'
    ) as links,
    (
      select coalesce(
        json_agg(
          json_build_object('serviceId', service.service_id, 'provider', service.provider,
            'service', service.service, 'status', service.status)
          order by service.created_at desc, service.service_id desc
        ), '[]')
      from services as service
      where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
        and service.status not in ('removed', 'failed')
    ) as services
  from projects
  left join budget_periods as usage
    on usage.tenant_id = projects.tenant_id and usage.budget_id = $2::text || ':' || projects.project_id
    and usage.period_start = $3
  left join project_billing as billing
    on billing.tenant_id = projects.tenant_id and billing.project_id = projects.project_id
  where projects.tenant_id = $4 and projects.mode = $5 and projects.deleted_at is null
    and ($6::text[] = '{}' or projects.agent_ids && $6::text[])
    and ($7::text[] = '{}' or projects.project_id = any($7::text[]))
    and projects.project_id = $8`;

async function readProject(pool: pg.Pool, tenantId: string, projectId: string) {
  const now = new Date();
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  const { rows } = await pool.query({
    name: "project",
    text: SELECT_PROJECT,
    values: [now, "project_cap", start, tenantId, "live", [], [], projectId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const capMicros = BigInt(row.monthly_cap_cents) * 10_000n;
  const spentMicros = BigInt(row.spent_micros ?? 0);
  const heldMicros = BigInt(row.held_micros ?? 0);
  return {
    object: "project",
    project_id: row.project_id,
    mode: row.mode,
    name: row.name,
    slug: row.slug,
    description: row.description,
    status: row.status,
    monthly_cap: usd(capMicros),
    currency: row.currency,
    cap_behavior: row.cap_behavior,
    provider_caps: row.provider_caps,
    usage: {
      period_start: start.toISOString(),
      period_end: end.toISOString(),
      spent: usd(spentMicros),
      reserved: usd(heldMicros),
      remaining: usd(capMicros - spentMicros - heldMicros),
    },
    billing: {
      customer_id: row.customer_id,
      status: row.billing_status ?? "none",
      default_payment_method: row.payment_method,
    },
    environments: row.environments,
    links: row.links,
    services: row.services,
    agent_ids: row.agent_ids,
    policy_id: row.policy_id,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
  };
}

/** Formats with two decimals, or more if they are not zero. */
function usd(micros: bigint): string {
  const digits = String(micros).padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}
