import { createHash, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type {
  VendorContext,
  VendorErrors,
  VendorRequest,
  VendorResponse,
  VendorRoute,
  VendorSimulator,
} from "../kit/vendor-simulator.ts";

const DATABASE = "database";
const STARTS_WITHIN_MS = 1_000;
const CLOSED = { additionalProperties: false };

/**
 * Selects how a database is provisioned and which step fails. Must match the `config_schema` of Acme DB in Purser's
 * catalog.
 */
const Drill = Type.Object(
  {
    provisioning: Type.Optional(Type.Enum(["sync", "async", "never"])),
    fail_at: Type.Optional(Type.Enum(["provisioning", "startup", "credentials", "plan_change", "removal"])),
    failure: Type.Optional(Type.Enum(["refused", "rate_limited"])),
    rotation: Type.Optional(Type.Enum(["overlap", "same_secret", "unusable", "refused"])),
  },
  CLOSED,
);
type Drill = Static<typeof Drill>;

const CreateDatabaseBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    region: Type.String(),
    plan: Type.String(),
    drill: Drill,
  },
  CLOSED,
);
type CreateDatabaseBody = Static<typeof CreateDatabaseBody>;

const UpdateDatabaseBody = Type.Object({ plan: Type.Enum(["free", "standard", "prorated"]) }, CLOSED);

const ListDatabasesQuery = Type.Object({ name: Type.Optional(Type.String()) }, CLOSED);
const DeleteDatabaseQuery = Type.Object({ force: Type.Optional(Type.Boolean()) }, CLOSED);

type Database = StoredObject<{
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  /** RFC 3339. Null until the plan is changed. */
  readonly planChangedAt: string | null;
  readonly drill: Drill;
  readonly secret: {
    readonly password: string;
    /** The passwords that rotations have issued, by rotation. */
    readonly issued?: Readonly<Record<string, string>>;
    /** The passwords that are no longer accepted, or never were. */
    readonly refused?: readonly string[];
  };
}>;

/** Simulates Acme DB, a fictitious database provider that can be made to fail at a given step. */
export function acmeDbSimulator(): VendorSimulator {
  return {
    vendor: "acme-db",
    displayName: "Acme DB",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "token sandbox-NAME", effect: "NAME's account" },
      { value: "token sandbox-refused…", effect: "401: the token is invalid" },
      { value: 'config {"provisioning":"async"}', effect: "the database takes a second to start" },
      { value: 'config {"provisioning":"never"}', effect: "the database never starts" },
      { value: 'config {"fail_at":"provisioning"}', effect: "422: no database is created" },
      {
        value: 'config {"fail_at":"startup"}',
        effect: "the database is created and fails to start",
      },
      {
        value: 'config {"fail_at":"credentials"}',
        effect: "422: the database's URL is not returned",
      },
      { value: 'config {"fail_at":"plan_change"}', effect: "422: the plan is not changed" },
      {
        value: 'config {"fail_at":"removal"}',
        effect: "422: the database is not deleted without ?force=true",
      },
      {
        value: 'config {"rotation":"overlap"}',
        effect: "a rotation keeps the former password valid until it is retired",
      },
      {
        value: 'config {"rotation":"same_secret"}',
        effect: "a rotation returns the same password",
      },
      {
        value: 'config {"rotation":"unusable"}',
        effect: "like overlap, but the new password is not accepted",
      },
      { value: 'config {"rotation":"refused"}', effect: "422: the password is not rotated" },
      { value: 'config {"failure":"rate_limited"}', effect: "429 instead of 422 in these cases" },
    ],
    errors,
    routes,
  };
}

const errors: VendorErrors = {
  unauthorized: () => acmeDbError(401, "unauthorized", "The token is invalid."),
  invalid: (problems) =>
    acmeDbError(400, "invalid", problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", ")),
  notFound: () => acmeDbError(404, "not_found", "The resource does not exist."),
  refused: () => acmeDbError(422, "refused", "The request was rejected, as set in `drill` or by a forced outcome."),
  // A repeated create request fails with 409, and a repeated delete request with 404.
  duplicate: ({ status }) => (status === 201 ? nameTaken() : errors.notFound()),
  rateLimited: () => ({
    ...acmeDbError(429, "rate_limited", "Too many requests."),
    headers: { "retry-after": "1" },
  }),
  serverError: () => acmeDbError(500, "server_error", "Internal error."),
};

function acmeDbError(status: number, code: string, message: string): VendorResponse {
  return { status, body: { code, message } };
}

function nameTaken(): VendorResponse {
  return acmeDbError(409, "name_taken", "The account has a database with this name.");
}

/** Returns the ID of the token's account, or undefined if the token is invalid. */
async function authenticate({ headers }: VendorRequest): Promise<string | undefined> {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (!isSandboxKey(token)) return undefined;
  return `acct-${createHash("sha256").update(token).digest("hex").slice(0, 16)}`;
}

const databaseRoutes: readonly VendorRoute[] = [
  {
    operation: "getAccount",
    method: "GET",
    url: "/v1/account",
    auth: authenticate,
    handle: async ({ caller }) => ({ status: 200, body: { id: caller } }),
  },
  {
    operation: "createDatabase",
    method: "POST",
    url: "/v1/databases",
    body: CreateDatabaseBody,
    auth: authenticate,
    handle: createDatabase,
  },
  {
    operation: "listDatabases",
    method: "GET",
    url: "/v1/databases",
    query: ListDatabasesQuery,
    auth: authenticate,
    handle: async ({ caller, query }, { objects, now }) => {
      // The query was validated against this schema before `handle` was called.
      const { name } = query as Static<typeof ListDatabasesQuery>;
      const found = (await objects.list<Database["data"]>(DATABASE)).filter(
        ({ data }) => data.accountId === caller && (name === undefined || data.name === name),
      );
      return {
        status: 200,
        body: { databases: found.map((database) => present(database, now())) },
      };
    },
  },
  {
    operation: "getDatabase",
    method: "GET",
    url: "/v1/databases/:id",
    auth: authenticate,
    handle: withDatabase(async (database, _request, { now }) => ({
      status: 200,
      body: present(database, now()),
    })),
  },
  {
    operation: "getDatabaseCredentials",
    method: "GET",
    url: "/v1/databases/:id/credentials",
    auth: authenticate,
    handle: withDatabase(async ({ id, data }) => {
      const url = urlOf(id, data.secret.password);
      return failureAt("credentials", data.drill) ?? { status: 200, body: { url } };
    }),
  },
  {
    operation: "updateDatabase",
    method: "PATCH",
    url: "/v1/databases/:id",
    body: UpdateDatabaseBody,
    auth: authenticate,
    handle: withDatabase(async (database, { body }, { objects, now }) => {
      const failure = failureAt("plan_change", database.data.drill);
      if (failure !== undefined) return failure;
      // The body was validated against this schema before `handle` was called.
      const { plan } = body as Static<typeof UpdateDatabaseBody>;
      const isSame = plan === database.data.plan;
      const planChangedAt = isSame ? database.data.planChangedAt : now().toISOString();
      const data = { ...database.data, plan, planChangedAt };
      await objects.update(DATABASE, database.id, { data });
      return { status: 200, body: present({ ...database, data }, now()) };
    }),
  },
  {
    operation: "deleteDatabase",
    method: "DELETE",
    url: "/v1/databases/:id",
    query: DeleteDatabaseQuery,
    auth: authenticate,
    handle: withDatabase(async ({ id, data }, { query }, { objects }) => {
      // The query was validated against this schema before `handle` was called.
      const { force = false } = query as Static<typeof DeleteDatabaseQuery>;
      const failure = force ? undefined : failureAt("removal", data.drill);
      if (failure !== undefined) return failure;
      await objects.remove(DATABASE, id);
      return { status: 200, body: { id } };
    }),
  },
];

const RotateBody = Type.Object({ rotation_id: Type.String({ minLength: 1, maxLength: 100 }) }, CLOSED);
const RetireBody = Type.Object({ password: Type.String({ minLength: 1 }) }, CLOSED);

const rotationRoutes: readonly VendorRoute[] = [
  {
    operation: "rotatePassword",
    method: "POST",
    url: "/v1/databases/:id/rotations",
    body: RotateBody,
    auth: authenticate,
    handle: withDatabase(async ({ id, data }, { body }, { objects }) => {
      // The body was validated against this schema before `handle` was called.
      const { rotation_id: rotationId } = body as Static<typeof RotateBody>;
      const { rotation } = data.drill;
      if (rotation === "refused") return errors.refused();
      const { issued = {}, refused = [], password: former } = data.secret;
      const fresh = rotation === "same_secret" ? former : randomBytes(18).toString("base64url");
      const password = issued[rotationId] ?? fresh;
      const ended = { overlap: [], same_secret: [], unusable: [password] }[rotation ?? "overlap"];
      const secret = {
        password: rotation === undefined ? password : former,
        issued: { ...issued, [rotationId]: password },
        refused: [...refused, ...(rotation === undefined && password !== former ? [former] : ended)],
      };
      await objects.update(DATABASE, id, { data: { ...data, secret } });
      const mode = rotation === undefined ? "immediate" : "overlap";
      return { status: 200, body: { url: urlOf(id, password), mode } };
    }),
  },
  {
    operation: "retirePassword",
    method: "POST",
    url: "/v1/databases/:id/retirements",
    body: RetireBody,
    auth: authenticate,
    handle: withDatabase(async ({ id, data }, { body }, { objects }) => {
      // The body was validated against this schema before `handle` was called.
      const { password } = body as Static<typeof RetireBody>;
      const { issued = {}, refused = [], password: own } = data.secret;
      const current = password === own ? (Object.values(issued).at(-1) ?? own) : own;
      const secret = { issued, password: current, refused: [...refused, password] };
      await objects.update(DATABASE, id, { data: { ...data, secret } });
      return { status: 200, body: { id } };
    }),
  },
  {
    // Takes the place of a connection to the database.
    operation: "openSession",
    method: "POST",
    url: "/v1/databases/:id/sessions",
    auth: async ({ params, headers }, { objects }) => {
      const database = await objects.find<Database["data"]>(DATABASE, params["id"] ?? "");
      const { password, issued = {}, refused = [] } = database?.data.secret ?? { password: "" };
      const isValid = [password, ...Object.values(issued)].some(
        (candidate) => !refused.includes(candidate) && headers.authorization === basicAuthorization(candidate),
      );
      return isValid ? database?.id : undefined;
    },
    handle: async ({ caller }) => ({ status: 200, body: { id: caller } }),
  },
];

const routes: readonly VendorRoute[] = [...databaseRoutes, ...rotationRoutes];

function urlOf(id: string, password: string): string {
  return `postgresql://acme:${password}@${id}.acme-db.invalid/main`;
}

function basicAuthorization(password: string): string {
  return `Basic ${Buffer.from(`acme:${password}`).toString("base64")}`;
}

async function createDatabase(
  { body, caller }: VendorRequest,
  { objects, now }: VendorContext,
): Promise<VendorResponse> {
  // The body was validated against this schema before the handler was called.
  const { name, plan, drill } = body as CreateDatabaseBody;
  const failure = failureAt("provisioning", drill);
  if (failure !== undefined) return failure;
  const accountId = String(caller);
  // The ID is derived from the account and the name, so concurrent requests for the same name create one database.
  const id = `db-${createHash("sha256").update(`${accountId}/${name}`).digest("hex").slice(0, 16)}`;
  const secret = { password: randomBytes(18).toString("base64url") };
  const data = { accountId, name, plan, planChangedAt: null, drill, secret };
  const database = { type: DATABASE, id, state: "made", data };
  if (!(await objects.insert(database))) return nameTaken();
  return { status: 201, body: present({ ...database, createdAt: now() }, now()) };
}

/**
 * Loads the database whose ID is in the path and calls `work` with it. Responds 404 if it belongs to another account.
 */
function withDatabase(
  work: (database: Database, request: VendorRequest, context: VendorContext) => Promise<VendorResponse>,
): VendorRoute["handle"] {
  return async (request, context) => {
    const id = request.params["id"] ?? "";
    const database = await context.objects.find<Database["data"]>(DATABASE, id);
    if (database === undefined || database.data.accountId !== request.caller) {
      return errors.notFound();
    }
    return work(database, request, context);
  };
}

function failureAt(step: Drill["fail_at"], { fail_at, failure }: Drill): VendorResponse | undefined {
  if (fail_at !== step) return undefined;
  return failure === "rate_limited" ? errors.rateLimited() : errors.refused();
}

function present({ id, data, createdAt }: Database, now: Date) {
  // A database restarts to change its plan.
  const startedAtMs = data.planChangedAt === null ? createdAt.getTime() : Date.parse(data.planChangedAt);
  const state = stateOf(data.drill, now.getTime() - startedAtMs);
  return { id, name: data.name, plan: data.plan, state };
}

function stateOf({ provisioning = "sync", fail_at }: Drill, ageMs: number) {
  const startsLater = provisioning === "async" || fail_at === "startup";
  if (provisioning === "never" || (startsLater && ageMs < STARTS_WITHIN_MS)) return "starting";
  return fail_at === "startup" ? "failed" : "ready";
}
