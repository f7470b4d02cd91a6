import { setTimeout as wait } from "node:timers/promises";
import { APIError, type EnvBundle, type Service } from "@purser/sdk";
import { Client } from "pg";
import type { Project } from "./customers.ts";

const PAUSE_MS = 50;
const CONNECT_MAX_MS = 10_000;
/** PostgreSQL's codes for a wrong password or an unknown role, no access, and a database that does not exist. */
const REFUSED: ReadonlySet<unknown> = new Set(["28P01", "28000", "42501", "3D000"]);
const USED: ReadonlySet<Service["status"]> = new Set(["active", "updating", "rotating"]);

/** Uses the credentials in the env bundles of projects, as their programs do, and notes each that does not work. */
export class CredentialChecks {
  /** The number of connections made with pulled credentials. */
  connections = 0;
  readonly failures: string[] = [];

  /** Checks one project after the other until the signal is aborted. */
  async run(projects: () => readonly Project[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const project of projects()) {
        if (signal.aborted) return;
        await this.check(project);
      }
      await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects with the credentials of each database in the project. */
  async check(project: Project): Promise<void> {
    try {
      const services = await listDatabases(project);
      const bundle = await pull(project);
      for (const service of services) await this.#checkService(project, service, bundle);
    } catch (error) {
      // The project can be deleted at any time.
      if (!(error instanceof APIError && error.status === 404)) throw error;
    }
  }

  async #checkService(project: Project, service: Service, bundle: EnvBundle): Promise<void> {
    const { service_id: serviceId } = service;
    const url = urlIn(bundle, serviceId);
    const isWorking = url !== undefined && (await this.#canConnect(url));
    if (isWorking) return;
    // The service may be removed meanwhile, or the credential replaced. If the next bundle has the same credential, it
    // was current all the time.
    const after = await pull(project);
    const still = (await listDatabases(project)).find((other) => other.service_id === serviceId);
    const isSame =
      still?.status === service.status && still.credential.version === service.credential.version;
    if (!isSame || urlIn(after, serviceId) !== url) return;
    const failure = url === undefined ? "is not in the bundle" : "is refused";
    this.failures.push(`the credential of ${serviceId} ${failure}`);
  }

  async #canConnect(url: string): Promise<boolean> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MAX_MS,
    });
    // A removal ends the database's connections.
    client.on("error", () => {});
    try {
      await client.connect();
      this.connections += 1;
      return true;
    } catch (error) {
      if (REFUSED.has(Object(error).code)) return false;
      // For example too many connections.
      return true;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function listDatabases({ projectId, customer }: Project): Promise<readonly Service[]> {
  const { data } = await customer.auditor.projects.services.list(projectId);
  return data.filter(({ provider, status }) => provider === "neon" && USED.has(status));
}

function pull({ projectId, customer }: Project): Promise<EnvBundle> {
  return customer.auditor.projects.env.pull(projectId);
}

/** Returns the URL of the service's database. */
function urlIn({ env, variables }: EnvBundle, serviceId: string): string | undefined {
  const variable = variables.find(
    ({ name, service_id: owner }) => owner === serviceId && name.endsWith("DATABASE_URL"),
  );
  return variable && env?.[variable.name];
}
