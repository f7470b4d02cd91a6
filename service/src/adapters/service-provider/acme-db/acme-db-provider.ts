import { type Static, Type } from "typebox";
import type {
  NamedResource,
  ProviderAccess,
  ProviderEnv,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { isFailure, unlessMissing } from "../../../ports/vendor-error.ts";
import {
  bearer,
  createProviderClients,
  pathOf,
  type VendorApi,
  type VendorClient,
  vendorApi,
} from "../../http-client/vendor-client.ts";

import catalogEntry from "./catalog.json" with { type: "json" };

const VENDOR = "acme-db";
const PENDING = { status: "pending", pollAfterMs: 500, expectedSeconds: 1 } as const;

const Database = Type.Object({
  // Ids are validated because they are used as path segments and stored in the database.
  id: Type.String({ pattern: "^[a-z0-9-]{1,60}$" }),
  name: Type.String(),
  plan: Type.String(),
  state: Type.Enum(["starting", "ready", "failed"]),
});
const Databases = Type.Object({ databases: Type.Array(Database) });
const Account = Type.Object({ id: Type.String({ minLength: 1 }) });
const Credentials = Type.Object({ url: Type.String({ pattern: "^postgresql://" }) });
const Rotated = Type.Object({
  ...Credentials.properties,
  mode: Type.Enum(["overlap", "immediate"]),
});
const Changed = Type.Object({ id: Type.String() });

export interface AcmeDbOptions {
  /** The simulator's URL, without a trailing slash. There is no real Acme DB. */
  readonly apiUrl: string;
  readonly timeoutMs?: number;
}

/**
 * Acme DB, a fictional database provider that can simulate failures. A service's config selects the step that fails
 * (see `simulators/src/acme-db`). Accounts are linked with a pasted token.
 */
export function createAcmeDbProvider({ apiUrl, timeoutMs }: AcmeDbOptions): ServiceProvider {
  const { requestClient, client } = createProviderClients({ vendor: VENDOR, baseUrl: apiUrl, timeoutMs });
  const apiOf = ({ accessToken }: ProviderAccess) => vendorApi(client, bearer(accessToken));
  return {
    provider: VENDOR,
    oauth: null,
    needsPassword: false,
    isRotationIdempotent: true,
    canAdopt: false,
    catalogEntry,
    tokenPageUrl: `${apiUrl}/tokens`,
    sandboxToken: "sandbox-ada",
    identify: async (accessToken) => {
      const { id } = await vendorApi(requestClient, bearer(accessToken)).get("getAccount", "/v1/account", Account);
      return { accountId: id, label: id };
    },
    provision: (access, order) => provision(apiOf(access), order),
    find: (access, resourceName) => find(apiOf(access), resourceName),
    list: (access, prefix) => list(apiOf(access), prefix),
    inspect: async (access, resourceId) => resourceOf(await readDatabase(apiOf(access), resourceId)),
    readEnv: async (access, { resourceId }) => {
      const path = pathOf`/v1/databases/${resourceId}/credentials`;
      const { url } = await apiOf(access).get("getDatabaseCredentials", path, Credentials);
      return { DATABASE_URL: url };
    },
    changePlan: (access, change) => changePlan(apiOf(access), change),
    rotate: async (access, { resourceId, rotationId }) => {
      const path = pathOf`/v1/databases/${resourceId}/rotations`;
      const body = { rotation_id: rotationId };
      const { url, mode } = await apiOf(access).post("rotatePassword", path, Rotated, { body });
      return { env: { DATABASE_URL: url }, mode };
    },
    retire: async (access, { resourceId, former }) => {
      const { password } = loginOf(former);
      const path = pathOf`/v1/databases/${resourceId}/retirements`;
      await apiOf(access).post("retirePassword", path, Changed, { body: { password }, secrets: [password] });
    },
    checkEnv: (env) => openSession(client, env),
    deprovision: (access, resourceId) =>
      unlessMissing(apiOf(access).delete("deleteDatabase", pathOf`/v1/databases/${resourceId}`, Changed)),
  };
}

async function provision(
  acme: VendorApi,
  { resourceName: name, region, plan, config: drill }: ProvisionRequest,
): Promise<ProviderResource> {
  const operation = "createDatabase";
  const database = await acme.post(operation, "/v1/databases", Database, { body: { name, region, plan, drill } });
  acme.expectMatch(operation, [[database.name, name]]);
  return resourceOf(database);
}

function readDatabase(acme: VendorApi, resourceId: string): Promise<Static<typeof Database>> {
  return acme.get("getDatabase", pathOf`/v1/databases/${resourceId}`, Database);
}

async function changePlan(
  acme: VendorApi,
  { resourceId, plan, from }: Parameters<NonNullable<ServiceProvider["changePlan"]>>[1],
): Promise<ProviderResource> {
  const database = await readDatabase(acme, resourceId);
  if (database.plan === plan || (from !== undefined && database.plan !== from)) {
    return resourceOf(database);
  }
  const path = pathOf`/v1/databases/${resourceId}`;
  return resourceOf(await acme.patch("updateDatabase", path, Database, { body: { plan } }));
}

async function find(acme: VendorApi, name: string): Promise<ProviderResource | undefined> {
  const databases = await listDatabases(acme, { name });
  const database = databases.find((candidate) => candidate.name === name);
  return database && resourceOf(database);
}

async function list(acme: VendorApi, prefix: string): Promise<readonly NamedResource[]> {
  const databases = await listDatabases(acme, {});
  return databases.filter(({ name }) => name.startsWith(prefix)).map(({ id, name }) => ({ resourceId: id, name }));
}

async function listDatabases(
  acme: VendorApi,
  query: { readonly name?: string },
): Promise<readonly Static<typeof Database>[]> {
  const { databases } = await acme.get("listDatabases", "/v1/databases", Databases, { query });
  return databases;
}

/** Returns whether the database accepts the credentials. */
async function openSession(client: VendorClient, env: ProviderEnv): Promise<boolean> {
  const { database, user, password } = loginOf(env);
  const credentials = Buffer.from(`${user}:${password}`).toString("base64");
  const acme = vendorApi(client, { authorization: `Basic ${credentials}` });
  try {
    await acme.post("openSession", pathOf`/v1/databases/${database}/sessions`, Changed, { secrets: [password] });
    return true;
  } catch (error) {
    if (isFailure(error, "unauthorized")) return false;
    throw error;
  }
}

function loginOf({ DATABASE_URL: url = "" }: ProviderEnv) {
  const { hostname, username, password } = new URL(url);
  const [database = ""] = hostname.split(".");
  return { database, user: username, password };
}

function resourceOf({ id: resourceId, state }: Static<typeof Database>): ProviderResource {
  switch (state) {
    case "ready":
      return { status: "ready", resourceId };
    case "starting":
      return { ...PENDING, resourceId };
    case "failed":
      return { status: "failed", resourceId, reason: "the database did not start" };
  }
}
