import { Client } from "pg";
import { runAgain } from "../../../../service/test/project-seeds.ts";
import { until } from "../../until.ts";
import { countsOf } from "../counts-of.ts";
import { type Answers, deleteProject, remove, rotate } from "./act.ts";
import type { Customer, Project } from "./customers.ts";
import type { TakenOutcome, Vendors } from "./vendors.ts";

/** No operation may run for longer while nothing is killed. */
const STUCK_MAX_MS = 60_000;
/** A retirement that fails is tried again after a minute. */
const RETIREMENT_MAX_MS = 180_000;
/** How often a customer repeats what did not succeed, before the campaign fails. */
const REPEATS_MAX = 3;

/** The ids of what operations have not brought to its goal, by what a customer then repeats. */
type Unfinished = Readonly<Record<"services" | "rotations" | "upgrades" | "projects", readonly string[]>>;

/** Reads operations directly from the database. */
export class OperationReader {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(superuserUrl: string): Promise<OperationReader> {
    const client = new Client({ connectionString: superuserUrl });
    client.on("error", () => {});
    await client.connect();
    return new OperationReader(client);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Returns the types of the operations that are running. */
  async running(): Promise<string[]> {
    return this.#texts("select type as text from operations where status = 'running'");
  }

  /**
   * Ends the leases of interrupted calls, so that a retry does not wait for a minute. Nothing may be running in the
   * service.
   */
  async endLeases(): Promise<void> {
    await this.#client.query("update idempotency_records set lease_expires_at = now() where state = 'in_flight'");
  }

  /** Returns the duration of the longest operation of each type in seconds, kills included. */
  async longestSeconds(): Promise<Readonly<Record<string, number>>> {
    const longest = await this.#texts(
      `select concat(type, ' ', ceil(extract(epoch from max(updated_at - created_at)))) as text from operations
        group by type order by 1`,
    );
    const pairs = longest.map((text) => text.split(" "));
    return Object.fromEntries(pairs.map(([type, seconds]) => [type, Number(seconds)]));
  }

  /** Returns how the operations ended: their numbers by type and status. */
  async endings(): Promise<Readonly<Record<string, number>>> {
    return countsOf(await this.#texts("select concat(type, ' ', status) as text from operations"));
  }

  /** Returns the number of services that were added, by service. */
  async added(): Promise<Readonly<Record<string, number>>> {
    return countsOf(await this.#texts("select service as text from services where credential_version > 0"));
  }

  /** Returns the number of invoices that were paid. */
  async paidInvoices(): Promise<number> {
    return (await this.#texts("select invoice_id as text from invoices where status = 'paid'")).length;
  }

  /**
   * Lets the changes of plans that need an operator run again, as an operator does. The API refuses that for a project that has
   * been deleted meanwhile.
   */
  async runUpgradesAgain(): Promise<void> {
    const again = await this.#texts(
      `select operation_id as text from operations join projects using (tenant_id, project_id)
        where type = 'service.upgrade' and operations.status = 'needs_operator' and deleted_at is null`,
    );
    for (const operationId of again) await this.#client.query(runAgain(operationId));
  }

  /** Waits until the former credentials whose grace period has ended are retired. */
  async untilAllRetired(): Promise<void> {
    const isDone = async () =>
      (await this.#texts("select subject as text from due_work where kind = 'retire-credentials'")).length === 0 ||
      undefined;
    await until("all former credentials are retired", isDone, RETIREMENT_MAX_MS);
  }

  /** Waits until no operation is running. */
  async untilNoneRuns(): Promise<void> {
    const isCalm = async () => (await this.running()).length === 0 || undefined;
    await until("no operation is running", isCalm, STUCK_MAX_MS).catch(async (error: unknown) => {
      const stuck = await this.#texts(
        "select concat_ws(' ', operation_id, type, created_at) as text from operations where status = 'running'",
      );
      throw new Error(`Stuck for ${STUCK_MAX_MS} ms: ${stuck.join("; ")}`, { cause: error });
    });
  }

  /** Returns the deleted projects whose last invoice is not paid, or whose customer still exists. */
  async unbilled(): Promise<string[]> {
    return this.#texts(
      `select project_id as text from projects where status = 'deleted' and (
        exists (select from project_billing as billing
          where billing.tenant_id = projects.tenant_id and billing.project_id = projects.project_id)
        or exists (select from charges where charges.tenant_id = projects.tenant_id
          and charges.project_id = projects.project_id and billed_by = 'purser'
          and charges.status in ('reserved', 'pending', 'failed')))`,
    );
  }

  async unfinished(): Promise<Unfinished> {
    return {
      services: await this.#texts(
        `select service_id as text from services join projects using (tenant_id, project_id)
          where services.status not in ('active', 'rotating', 'updating', 'failed', 'removed')
            and projects.status = 'active'`,
      ),
      upgrades: await this.#texts(
        `select service_id as text from services join projects using (tenant_id, project_id)
          where services.status = 'updating' and projects.status = 'active'`,
      ),
      rotations: await this.#texts(
        `select service_id as text from services join projects using (tenant_id, project_id)
          where services.status in ('active', 'rotating') and projects.status = 'active' and 'needs_operator' = (
            select operations.status from operations where operations.tenant_id = services.tenant_id
              and operations.service_id = services.service_id and type = 'service.rotate'
              order by operations.created_at desc limit 1)`,
      ),
      projects: await this.#texts(
        "select project_id as text from projects where status in ('deleting', 'delete_failed')",
      ),
    };
  }

  /** Returns how many outcomes calls got while operations of each type, or of several, were running in the project. */
  async countOutcomes(
    { taken, sandbox }: Vendors,
    customers: readonly Customer[],
  ): Promise<Readonly<Record<string, number>>> {
    const customerObjects = await sandbox.objects("stripe");
    const projectIds = new Map([
      ...customers.flatMap(({ projectOfToken }) => [...projectOfToken]),
      ...customerObjects.map(({ id, data }) => {
        const { project_id: projectId } = Object(data["metadata"]);
        return [id, String(projectId)] as const;
      }),
    ]);
    for (const { about, project_id: projectId } of await this.#resources()) {
      projectIds.set(about, projectId);
    }
    const typesDuring = ({ about, at }: TakenOutcome) =>
      this.#texts(
        `select distinct type as text from operations where project_id = $1 and created_at <= $2
          and (status = 'running' or updated_at >= $2) order by 1`,
        [projectIds.get(about) ?? about, at],
      );
    const names: string[] = [];
    for (const outcome of taken) names.push((await typesDuring(outcome)).join(" and ") || "none");
    return countsOf(names);
  }

  /** Returns the ids and names of the services' resources, with their projects. */
  async #resources(): Promise<readonly { about: string; project_id: string }[]> {
    const { rows } = await this.#client.query(
      `select about, project_id from services,
        unnest(string_to_array(provider_resource_id, '~') || ('svc-' || service_id)::text) as about`,
    );
    return rows;
  }

  async #texts(statement: string, values: readonly unknown[] = []): Promise<string[]> {
    const { rows } = await this.#client.query<{ text: string }>(statement, [...values]);
    return rows.map(({ text }) => text);
  }
}

/**
 * Waits until no operation is running, and repeats what did not succeed, as customers do. Throws if an operation runs for
 * too long, or if something cannot be finished.
 */
export async function finishAll(
  reader: OperationReader,
  customers: readonly Customer[],
  answers: Answers,
): Promise<void> {
  for (let repeats = 0; ; repeats += 1) {
    await reader.untilNoneRuns();
    await reader.untilAllRetired();
    const unfinished = await reader.unfinished();
    const ids = Object.values(unfinished).flat();
    if (ids.length === 0) return;
    if (repeats === REPEATS_MAX) throw new Error(`Not finished: ${ids.join(", ")}`);
    await reader.runUpgradesAgain();
    const left = customers.flatMap((customer) => [...customer.projects.values()]);
    for (const project of left) await finishProject(project, unfinished, answers);
  }
}

async function finishProject(
  project: Project,
  { services, rotations, projects }: Unfinished,
  answers: Answers,
): Promise<void> {
  const { projectId, customer } = project;
  if (projects.includes(projectId)) return deleteProject(project, answers);
  const { data } = await customer.purser.projects.services.list(projectId);
  for (const service of data) {
    if (services.includes(service.service_id)) await remove(project, service, answers);
    if (rotations.includes(service.service_id)) await rotate(project, service, answers);
  }
}
