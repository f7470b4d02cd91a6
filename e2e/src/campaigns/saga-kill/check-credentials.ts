import { setTimeout as wait } from "node:timers/promises";
import { APIError, type EnvBundle, type Service } from "@purser/sdk";
import type { AgenticProviderShape } from "@purser/simulators/agentic/agentic-options.ts";
import { ACME_ANALYTICS, ACME_QUEUE } from "@purser/simulators/agentic/shapes.ts";
import type { StoredObject } from "@purser/simulators/kit/object-store.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { Client } from "pg";
import type { Project } from "./customers.ts";

/** The SDK sends at most one identical request per second. */
const PAUSE_MS = 1_000;
const CONNECT_MAX_MS = 10_000;
/** PostgreSQL's codes for a wrong password or an unknown role, no access, and a database that does not exist. */
const REFUSED: ReadonlySet<unknown> = new Set(["28P01", "28000", "42501", "3D000"]);
const USED: ReadonlySet<Service["status"]> = new Set(["active", "updating", "rotating"]);

/** Uses the credentials in the env bundles of projects, as their programs do, and notes each that does not work. */
export class CredentialChecks {
  /** The number of connections made with current credentials. */
  connections = 0;
  /** The number of connections made with former credentials during their grace period. */
  formerConnections = 0;
  /** The number of former credentials that were tried after everything had ended. */
  retired = 0;
  readonly failures: string[] = [];
  /** The URLs that were pulled, by service and version of the credential. */
  readonly #pulled = new Map<string, Map<number, string>>();

  /** Checks a customer's current project again and again until the signal is aborted. */
  async run(project: () => Project, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.check(project());
      await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects with the credentials of each database in the project. */
  async check(project: Project): Promise<void> {
    try {
      const services = await listDatabases(project);
      const bundle = await pull(project);
      for (const service of services) {
        await this.#checkCurrent(project, service, bundle);
        await this.#checkFormer(project, service);
      }
    } catch (error) {
      // The project can be deleted at any time.
      if (!(error instanceof APIError && error.status === 404)) throw error;
    }
  }

  /** Checks that every former credential of the project's databases is refused. Nothing may be running. */
  async checkRetired(project: Project): Promise<void> {
    for (const { service_id: serviceId, credential } of await listDatabases(project)) {
      const pulled = [...(this.#pulled.get(serviceId) ?? [])];
      const former = pulled.filter(([version]) => version < credential.version);
      const working = await Promise.all(former.map(([, url]) => canConnect(url)));
      this.retired += former.length;
      if (working.includes(true)) this.failures.push(`a former credential of ${serviceId} works`);
    }
  }

  async #checkCurrent(project: Project, service: Service, bundle: EnvBundle): Promise<void> {
    const { service_id: serviceId } = service;
    const url = urlIn(bundle, serviceId);
    if (url !== undefined) this.#note(serviceId, bundle, url);
    if (url !== undefined && (await canConnect(url))) {
      this.connections += 1;
      return;
    }
    // The service may be removed meanwhile, or the credential replaced. If the next bundle has the same credential, it
    // was current all the time.
    const after = await pull(project);
    if (!(await isUnchanged(project, service)) || urlIn(after, serviceId) !== url) return;
    const failure = url === undefined ? "is not in the bundle" : "is refused";
    this.failures.push(`the credential of ${serviceId} ${failure}`);
  }

  /** Checks that the credential before the current one works until the end of its grace period. */
  async #checkFormer(project: Project, service: Service): Promise<void> {
    const { service_id: serviceId, credential } = service;
    const { previous_valid_until: validUntil } = credential;
    const url = this.#pulled.get(serviceId)?.get(credential.version - 1);
    if (validUntil === null || url === undefined) return;
    const isWorking = await canConnect(url);
    if (new Date() >= new Date(validUntil)) return;
    if (isWorking) this.formerConnections += 1;
    else if (await isUnchanged(project, service)) {
      this.failures.push(`the former credential of ${serviceId} is refused before ${validUntil}`);
    }
  }

  #note(serviceId: string, { variables }: EnvBundle, url: string): void {
    const version = variables.find((variable) => variable.service_id === serviceId);
    const pulled = this.#pulled.get(serviceId) ?? new Map<number, string>();
    this.#pulled.set(serviceId, pulled.set(version?.credential_version ?? 0, url));
  }
}

/** Returns whether the service has the same status and the same credentials as before. */
async function isUnchanged(project: Project, before: Service): Promise<boolean> {
  const services = await listDatabases(project);
  const after = services.find(({ service_id: serviceId }) => serviceId === before.service_id);
  return (
    after?.status === before.status &&
    after.credential.version === before.credential.version &&
    after.credential.previous_valid_until === before.credential.previous_valid_until
  );
}

/** Returns false if the database refuses the credential. */
async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MAX_MS });
  // A removal ends the database's connections.
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Other errors are not about the credential, for example too many connections.
    return !REFUSED.has(Object(error).code);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the services without a real database whose vendor does not have the secrets that are in the env bundle. */
export async function findUnknownSecrets(projects: readonly Project[], sandbox: Sandbox): Promise<string[]> {
  const resources = [
    ...resourcesOf(await sandbox.objects("supabase")),
    ...resourcesOf(await sandbox.objects("acme-db")),
    ...configuredResourcesOf(ACME_ANALYTICS, await sandbox.objects("acme-analytics")),
    ...configuredResourcesOf(ACME_QUEUE, await sandbox.objects("acme-queue")),
  ];
  const bundles = await Promise.all(projects.map(pull));
  return bundles.flatMap(({ env, variables }) =>
    variables
      .filter(({ name, service_id: serviceId, sensitive }) => {
        const resource = resources.find((each) => each.name === `svc-${serviceId}`);
        return sensitive && resource !== undefined && !resource.accepts(env?.[name] ?? "");
      })
      .map(({ name, service_id: serviceId }) => `${serviceId}: the vendor refuses ${name}`),
  );
}

interface Resource {
  readonly name: unknown;
  accepts(value: string): boolean;
}

function resourcesOf(objects: readonly StoredObject[]): Resource[] {
  return objects.map((object) => ({
    name: object.data["name"],
    accepts: (value) => accepts(object, value),
  }));
}

/** Returns the resources of a configured provider that have credentials. Those of plans have none. */
function configuredResourcesOf(
  { services, credentialsOf }: AgenticProviderShape,
  objects: readonly StoredObject[],
): Resource[] {
  const deployables = services.filter(({ kind }) => kind === "deployable").map(({ id }) => id);
  return objects
    .filter(({ data }) => deployables.includes(String(data["serviceId"])))
    .map(({ id, data }) => {
      const credentials = credentialsOf({ id, secret: Object(data["secret"]).value });
      return {
        name: data["projectId"],
        accepts: (value) => Object.values(credentials).includes(value),
      };
    });
}

function accepts({ data }: StoredObject, value: string): boolean {
  const { refused = [], ...accepted } = Object(data["secret"]);
  const secret = secretIn(value);
  return JSON.stringify(accepted).includes(JSON.stringify(secret)) && !refused.includes(secret);
}

function secretIn(value: string): string {
  return URL.canParse(value) ? decodeURIComponent(new URL(value).password) : value;
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
