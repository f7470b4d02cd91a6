import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { canonicalJson } from "@purser/service/foundation/canonical-json.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { serveParent } from "../server-process.ts";
import { listenOnLoopback } from "./listen.ts";
import type { Developer } from "./seed-developer.ts";
import { createVerifier } from "./verifier.ts";

export interface BaselineEnvInput {
  readonly developer: Developer;
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** The values of the project's variables by name. The server encrypts them with its own key. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Baseline for `GET /projects/{id}/env`: a `node:http` and `pg` server that verifies the signature like Purser, reads the
 * project and its encrypted variables, decrypts as many values, writes the same rows in one transaction of four round
 * trips, and sends the same response with its signature. The additional time that Purser needs is the cost of its
 * framework, layers and checks.
 */
serveParent(({ developer, databaseUrl, connectionsMax, values }: BaselineEnvInput) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
  const verify = createVerifier([developer]);
  const openValue = createCipher(values);
  return listenOnLoopback(async (request, response) => {
    const tenantId = verify(request);
    const projectId = (request.url ?? "").split("/").at(-2) ?? "";
    const body = tenantId === undefined ? undefined : await pull(pool, { tenantId, projectId, request, openValue });
    const text = canonicalJson(body ?? {});
    const signature = createHmac("sha256", developer.apiKey).update(text).digest("hex");
    response
      .writeHead(body === undefined ? 404 : 200, {
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(text),
        "x-svc-signature": signature,
        "cache-control": "no-store",
        etag: `"${body?.fingerprint}-json"`,
      })
      .end(text);
  });
});

interface Pull {
  readonly tenantId: string;
  readonly projectId: string;
  readonly request: IncomingMessage;
  readonly openValue: (name: string) => string;
}

const SELECT_BUNDLE = `
  select project.env_version, project.environments, project.status, variable.name, variable.value_sealed,
    variable.sensitive, variable.version, variable.updated_at
  from projects as project
  join project_variables as variable on variable.tenant_id = project.tenant_id and variable.project_id = project.project_id
    and variable.environment = 'development'
  where project.tenant_id = $1 and project.project_id = $2 and project.mode = 'live' and project.deleted_at is null
  order by variable.name`;

const INSERT_ROWS = `
  with entry as (
    insert into audit_entries (tenant_id, audit_id, chain, mode, actor, action, subject, facts, request_id, occurred_at)
    values ($1, $2, 'tenant', 'live', $3, 'env.pulled', $4, $5, $6, $7)
  ), pending as (
    insert into audit_pending (tenant_id, audit_id, chain) values ($1, $2, 'tenant')
  )
  insert into events (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, request_id,
    occurred_at)
  values ($1, $8, 'live', 'env.pulled', 'project', $9, null, $10, $3, $6, $7)`;

/** Pulls the variables in one transaction. Returns undefined if there is no such project. */
async function pull(pool: pg.Pool, { tenantId, projectId, request, openValue }: Pull) {
  const client = await pool.connect();
  let isBroken = true;
  try {
    // The driver sends several statements in one round trip only as one text.
    await client.query(`begin; select set_config('purser.tenant_id', ${client.escapeLiteral(tenantId)}, true)`);
    const values = [tenantId, projectId];
    const { rows } = await client.query({ name: "bundle", text: SELECT_BUNDLE, values });
    if (rows.length === 0) return undefined;
    const bundle = bundleOf(projectId, rows, openValue);
    await client.query({
      name: "rows",
      text: INSERT_ROWS,
      values: rowsOf({ tenantId, projectId, request }, bundle),
    });
    await client.query("commit");
    isBroken = false;
    return bundle;
  } finally {
    client.release(isBroken);
  }
}

function bundleOf(projectId: string, rows: readonly pg.QueryResultRow[], openValue: (name: string) => string) {
  const env = Object.fromEntries(rows.map(({ name }) => [name, openValue(name)]));
  return {
    object: "env_bundle",
    project_id: projectId,
    environment: "development",
    version: Number(rows[0]?.["env_version"]),
    env,
    variables: rows.map(({ name, sensitive, updated_at }) => ({
      name,
      source: "project",
      sensitive,
      updated_at: updated_at.toISOString(),
    })),
    fingerprint: sha256Hex(canonicalJson(env)),
    fingerprint_alg: "sha256",
    pulled_at: new Date().toISOString(),
    audit_id: newId("aud"),
    warnings: [],
  };
}

function rowsOf(
  { tenantId, projectId, request }: Omit<Pull, "openValue">,
  { environment, version, variables, audit_id, pulled_at }: ReturnType<typeof bundleOf>,
): unknown[] {
  const facts = {
    ...{ environment, format: "json", names_only: false, version },
    ...{ count: variables.length, not_modified: false },
  };
  const actor = { type: "developer", id: tenantId, ip: request.socket.remoteAddress };
  return [
    ...[tenantId, audit_id, JSON.stringify(actor)],
    ...[JSON.stringify({ type: "project", id: projectId }), JSON.stringify(facts), newId("req")],
    ...[pulled_at, newId("evt"), projectId],
    JSON.stringify({ project_id: projectId, ...facts, audit_id }),
  ];
}

/** Encrypts the values, and returns a function that decrypts one of them. */
function createCipher(values: Readonly<Record<string, string>>): (name: string) => string {
  const key = randomBytes(32);
  const sealed = new Map(
    Object.entries(values).map(([name, value]) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return [name, { nonce, text, tag: cipher.getAuthTag() }];
    }),
  );
  return (name) => {
    const found = sealed.get(name);
    if (found === undefined) throw new Error(`${name} is not a variable of the project`);
    const decipher = createDecipheriv("aes-256-gcm", key, found.nonce);
    decipher.setAuthTag(found.tag);
    return Buffer.concat([decipher.update(found.text), decipher.final()]).toString("utf8");
  };
}
