import { createHash, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type {
  VendorAnswer,
  VendorContext,
  VendorErrors,
  VendorRequest,
  VendorRoute,
  VendorSimulator,
} from "../kit/vendor-simulator.ts";

const DATABASE = "database";
const STARTS_WITHIN_MS = 1_000;
const CLOSED = { additionalProperties: false };

/** What a drill asks for. The catalog has the same words. */
const Drill = Type.Object(
  {
    provisioning: Type.Optional(Type.Enum(["sync", "async", "never"])),
    fail_at: Type.Optional(Type.Enum(["provisioning", "startup", "credentials", "removal"])),
    failure: Type.Optional(Type.Enum(["refused", "rate_limited"])),
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

const ListDatabasesQuery = Type.Object({ name: Type.Optional(Type.String()) }, CLOSED);
const DeleteDatabaseQuery = Type.Object({ force: Type.Optional(Type.Boolean()) }, CLOSED);

type Database = StoredObject<{
  readonly accountId: string;
  readonly name: string;
  readonly drill: Drill;
  readonly secret: { readonly password: string };
}>;

/** Acme DB, which exists nowhere else: a provider of databases that fails at the step that it is told to. */
export function acmeDbSimulator(): VendorSimulator {
  return {
    vendor: "acme-db",
    displayName: "Acme DB",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "token sandbox-NAME", effect: "the account of NAME" },
      { value: "token sandbox-refused…", effect: "401: the token is not good" },
      { value: 'config {"provisioning":"async"}', effect: "the database takes a second to start" },
      { value: 'config {"provisioning":"never"}', effect: "the database never starts" },
      { value: 'config {"fail_at":"provisioning"}', effect: "422: no database is made" },
      {
        value: 'config {"fail_at":"startup"}',
        effect: "the database is made, and fails as it starts",
      },
      { value: 'config {"fail_at":"credentials"}', effect: "422: its address is not told" },
      {
        value: 'config {"fail_at":"removal"}',
        effect: "422: it is not deleted, unless with ?force=true",
      },
      { value: 'config {"failure":"rate_limited"}', effect: "429 in place of each of these 422" },
    ],
    errors,
    routes,
  };
}

const errors: VendorErrors = {
  unauthorized: () => problem(401, "unauthorized", "This token opens no account."),
  invalid: (problems) =>
    problem(
      400,
      "invalid",
      problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", "),
    ),
  notFound: () => problem(404, "not_found", "There is no such thing."),
  refused: () => problem(422, "refused", "Acme DB was told to refuse this."),
  // A repeated deletion finds nothing: only a creation finds what is there already.
  duplicate: ({ status }) => (status === 201 ? nameTaken() : errors.notFound()),
  rateLimited: () => ({
    ...problem(429, "rate_limited", "Too many requests."),
    headers: { "retry-after": "1" },
  }),
  serverError: () => problem(500, "server_error", "Something went wrong here."),
};

function problem(status: number, code: string, message: string): VendorAnswer {
  return { status, body: { code, message } };
}

function nameTaken(): VendorAnswer {
  return problem(409, "name_taken", "The account has a database of this name.");
}

/** The account of a token, by its id. */
async function authenticate({ headers }: VendorRequest): Promise<string | undefined> {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (!isSandboxKey(token)) return undefined;
  return `acct-${createHash("sha256").update(token).digest("hex").slice(0, 16)}`;
}

const routes: readonly VendorRoute[] = [
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
      // The kit has held the query against the schema above.
      const { name } = query as Static<typeof ListDatabasesQuery>;
      const found = (await objects.list<Database["data"]>(DATABASE)).filter(
        ({ data }) => data.accountId === caller && (name === undefined || data.name === name),
      );
      return { status: 200, body: { databases: found.map((one) => shown(one, now())) } };
    },
  },
  {
    operation: "getDatabase",
    method: "GET",
    url: "/v1/databases/:id",
    auth: authenticate,
    handle: ofDatabase(async (database, _request, { now }) => ({
      status: 200,
      body: shown(database, now()),
    })),
  },
  {
    operation: "getDatabaseCredentials",
    method: "GET",
    url: "/v1/databases/:id/credentials",
    auth: authenticate,
    handle: ofDatabase(async ({ id, data }) => {
      const url = `postgresql://acme:${data.secret.password}@${id}.acme-db.invalid/main`;
      return failureAt("credentials", data.drill) ?? { status: 200, body: { url } };
    }),
  },
  {
    operation: "deleteDatabase",
    method: "DELETE",
    url: "/v1/databases/:id",
    query: DeleteDatabaseQuery,
    auth: authenticate,
    handle: ofDatabase(async ({ id, data }, { query }, { objects }) => {
      // The kit has held the query against the schema above.
      const { force = false } = query as Static<typeof DeleteDatabaseQuery>;
      const failure = force ? undefined : failureAt("removal", data.drill);
      if (failure !== undefined) return failure;
      await objects.remove(DATABASE, id);
      return { status: 200, body: { id } };
    }),
  },
];

async function createDatabase(
  { body, caller }: VendorRequest,
  { objects, now }: VendorContext,
): Promise<VendorAnswer> {
  // The kit has held the body against the schema above.
  const { name, drill } = body as CreateDatabaseBody;
  const failure = failureAt("provisioning", drill);
  if (failure !== undefined) return failure;
  const accountId = String(caller);
  // One id for each name of an account, so that two orders at once make one database.
  const id = `db-${createHash("sha256").update(`${accountId}/${name}`).digest("hex").slice(0, 16)}`;
  const secret = { password: randomBytes(18).toString("base64url") };
  const database = { type: DATABASE, id, state: "made", data: { accountId, name, drill, secret } };
  if (!(await objects.insert(database))) return nameTaken();
  return { status: 201, body: shown({ ...database, createdAt: now() }, now()) };
}

/** The work with the database in the path. Another account's is as one that is not there. */
function ofDatabase(
  work: (
    database: Database,
    request: VendorRequest,
    context: VendorContext,
  ) => Promise<VendorAnswer>,
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

function failureAt(step: Drill["fail_at"], { fail_at, failure }: Drill): VendorAnswer | undefined {
  if (fail_at !== step) return undefined;
  return failure === "rate_limited" ? errors.rateLimited() : errors.refused();
}

function shown({ id, data, createdAt }: Database, now: Date) {
  return { id, name: data.name, state: stateOf(data.drill, now.getTime() - createdAt.getTime()) };
}

function stateOf({ provisioning = "sync", fail_at }: Drill, ageMs: number) {
  const startsLater = provisioning === "async" || fail_at === "startup";
  if (provisioning === "never" || (startsLater && ageMs < STARTS_WITHIN_MS)) return "starting";
  return fail_at === "startup" ? "failed" : "ready";
}
