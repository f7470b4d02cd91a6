import { monthlyCostOf } from "@purser/service/modules/services/provisioning/reserve-service.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { Client } from "pg";
import { differencesOf } from "../kills/differences.ts";

/** The type of the objects that services are, by vendor. */
const RESOURCES = {
  ...{ neon: "project", supabase: "project", "acme-db": "database" },
  ...{ "acme-analytics": "resource", "acme-queue": "resource" },
} as const;

/** The name of an item's charge in the metadata at the payment processor. */
const REFERENCE = "purser_id";

const MICROS_PER_CENT = 10_000n;

/**
 * Compares the services and projects with the vendors' objects, the charges, the reservations and the stored secrets, after
 * every operation has ended. Returns a description of each difference.
 */
export async function findServiceDifferences(superuserUrl: string, sandbox: Sandbox): Promise<string[]> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    return [
      ...(await compareResources(client, sandbox)),
      ...(await comparePaymentCustomers(client, sandbox)),
      ...(await compareCharges(client)),
      ...(await compareInvoices(client, sandbox)),
      ...(await compareReservations(client)),
      ...(await compareSecrets(client)),
    ];
  } finally {
    await client.end();
  }
}

/**
 * Each service in place has one resource, or two if its plan is one, and no other resource exists. A configured provider
 * knows the plan.
 */
async function compareResources(client: Client, sandbox: Sandbox): Promise<string[]> {
  const expected = await textsOf(
    client,
    `select concat_ws(' ', provider, 'svc-' || service_id, id, case
        when provider in ('acme-analytics', 'acme-queue') and place = cardinality(ids) then plan end) as text
      from services, string_to_array(provider_resource_id, '~') as ids, unnest(ids) with ordinality as each(id, place)
      where status not in ('failed', 'removed')`,
  );
  const found: string[] = [];
  for (const [vendor, resource] of Object.entries(RESOURCES)) {
    for (const { type, id, data } of await sandbox.objects(vendor)) {
      if (type !== resource) continue;
      const { name, projectId, serviceId } = data;
      const plan = serviceId === "product_analytics" ? [] : [serviceId].filter(Boolean);
      found.push([vendor, name ?? projectId, id, ...plan].join(" "));
    }
  }
  return differencesOf("resource", { found, expected });
}

async function comparePaymentCustomers(client: Client, sandbox: Sandbox): Promise<string[]> {
  const found = (await sandbox.objects("stripe"))
    .filter(({ type, state }) => type === "customer" && state !== "deleted")
    .map(({ id, data }) => [id, Object(data["metadata"])["project_id"]].join(" "));
  const expected = await textsOf(
    client,
    `select concat_ws(' ', customer_id, project_id) as text from project_billing
      join projects using (tenant_id, project_id) where projects.status <> 'deleted'`,
  );
  return differencesOf("payment customer", { found, expected });
}

interface ServiceWithCharges {
  readonly service_id: string;
  readonly service: string;
  readonly plan: string;
  readonly priceCents: string;
  readonly preauthorizationCents: string;
  readonly billedBy: "vendor" | "purser";
  readonly status: string;
  readonly was_active: boolean;
  readonly has_changed: boolean;
  readonly charges: readonly { readonly state: string; readonly amount: string }[];
}

/**
 * Returns each service whose charges are not those of its status. A charge is `current` if the service's month is reserved,
 * and `settled` or `awaiting_metering` after the service was removed. What Purser bills is paid when the month ends or the
 * project was deleted.
 */
async function compareCharges(client: Client): Promise<string[]> {
  const { rows } = await client.query<ServiceWithCharges>(
    `select service_id, service, plan, price_cents as "priceCents",
        preauthorization_cents as "preauthorizationCents", services.billed_by as "billedBy",
        services.status, credential_version > 0 as was_active, exists (
        select from service_plan_changes as change join operations using (tenant_id, operation_id)
          where change.tenant_id = services.tenant_id and change.service_id = services.service_id
            and timing = 'immediate' and operations.status in ('succeeded', 'needs_operator')
      ) as has_changed, coalesce((
        select jsonb_agg(jsonb_build_object('amount', amount_cents::text, 'state', case
          when charges.status = 'succeeded' then 'settled'
          when charges.status = 'pending' and charges.billed_by = 'purser' and projects.status <> 'deleted' then 'settled'
          when charges.status <> 'reserved' then charges.status
          when period_end > now() then 'current'
          when type = 'usage' then 'awaiting_metering'
          else 'due' end)) from charges
        where charges.tenant_id = services.tenant_id and charges.service_id = services.service_id
          and charges.status <> 'released'
      ), '[]') as charges from services join projects using (tenant_id, project_id)`,
  );
  const withoutService = await textsOf(
    client,
    `select charge_id as text from charges where status <> 'released' and not exists (
      select from services where services.tenant_id = charges.tenant_id and services.service_id = charges.service_id)`,
  );
  return [
    ...rows.filter((row) => !hasExpectedCharges(row)).map((row) => `charges of a service: ${JSON.stringify(row)}`),
    ...withoutService.map((chargeId) => `charge without a service: ${chargeId}`),
  ];
}

function hasExpectedCharges(row: ServiceWithCharges): boolean {
  const costCents = monthlyCostOf(row) / MICROS_PER_CENT;
  const [charge, second] = row.charges;
  if (row.has_changed) return hasChargesOfChanges(row, costCents);
  if (row.status === "failed") return charge === undefined;
  if (row.status === "active" && costCents > 0n) {
    return charge?.state === "current" && charge.amount === String(costCents) && second === undefined;
  }
  if (row.status === "active" || costCents === 0n) return charge === undefined;
  // A service whose addition failed was not charged, or not for longer than it had a resource.
  if (charge === undefined) return !row.was_active;
  return ["settled", "awaiting_metering"].includes(charge.state) && second === undefined;
}

/**
 * A service whose plan has changed can have several charges: what was paid for its former plans, and what is reserved for
 * the rest of the month. Their amounts are tested with the changes of plans.
 */
function hasChargesOfChanges({ status, charges }: ServiceWithCharges, costCents: bigint): boolean {
  const states = charges.map(({ state }) => state);
  const isEnded = (state: string) => ["settled", "awaiting_metering"].includes(state);
  if (status === "removed") return states.every(isEnded);
  const isReserved = costCents === 0n || states.includes("current");
  return status === "active" && isReserved && !states.includes("due");
}

/** Each invoice has its charges, and was paid once if it is paid. The processor has no other invoices, items and payments. */
async function compareInvoices(client: Client, sandbox: Sandbox): Promise<string[]> {
  const expected = await textsOf(
    client,
    `select concat_ws(' ', 'invoice', processor_invoice_id, status) as text from invoices
      union all select concat_ws(' ', 'item', processor_invoice_id, charge_id, charges.amount_cents)
        from charges join invoices using (tenant_id, invoice_id)
      union all select concat_ws(' ', 'payment', processor_invoice_id, amount_cents) from invoices where status = 'paid'`,
  );
  const found = (await sandbox.objects("stripe")).flatMap(({ type, id, state, data }) => {
    if (type === "invoice") return ["invoice", id, state].join(" ");
    if (type === "charge") return ["payment", data["invoice"], data["amount"]].join(" ");
    const { [REFERENCE]: reference } = Object(data["metadata"]);
    return type === "invoiceitem" ? ["item", data["invoice"], reference, data["amount"]].join(" ") : [];
  });
  return differencesOf("bill", { found, expected });
}

/** Each reserved charge holds its reservation, and no other reservation is held. */
async function compareReservations(client: Client): Promise<string[]> {
  const found = await textsOf(
    client,
    "select concat_ws(' ', cause_id, amount_micros) as text from budget_reservations where status = 'held'",
  );
  const expected = await textsOf(
    client,
    "select concat_ws(' ', charge_id, amount_cents * 10000) as text from charges where status = 'reserved'",
  );
  return differencesOf("reservation", { found, expected });
}

/** Each active service has the credential of its version, and there is no other secret. */
async function compareSecrets(client: Client): Promise<string[]> {
  const without = await textsOf(
    client,
    `select service_id as text from services where status = 'active' and not exists (
      select from service_secrets secret where secret.tenant_id = services.tenant_id
        and secret.service_id = services.service_id and kind = 'env' and version = credential_version)`,
  );
  const left = await textsOf(
    client,
    `select concat_ws(' ', service_id, kind, version) as text from service_secrets
      join services using (tenant_id, service_id) where status in ('failed', 'removed') or version <> credential_version`,
  );
  return [
    ...without.map((serviceId) => `service without a credential: ${serviceId}`),
    ...left.map((secret) => `secret without a service: ${secret}`),
  ];
}

async function textsOf(client: Client, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(statement);
  return rows.map(({ text }) => text);
}
