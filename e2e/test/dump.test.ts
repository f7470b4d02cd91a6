import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedisFastState } from "@purser/service/adapters/fast-state/redis-fast-state.ts";
import { ed25519Canonical } from "@purser/service/crypto/ed25519.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import type { FastState } from "@purser/service/ports/fast-state.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../service/test/campaign.ts";
import { quickClock } from "../../service/test/fast-state/fast-states.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../service/test/harness.ts";
import { createSecretSearch } from "../src/secret-search.ts";
import { until } from "../src/until.ts";
import { type Cell, dumpCells, dumpRedis, searchableText } from "./dump-stores.ts";
import { useRedis } from "./fixtures.ts";
import {
  type Forgery,
  forgeSignatures,
  forgeTokens,
  rowsOf,
  type StolenData,
  type Target,
} from "./forge-credentials.ts";
import { createKnownSecrets, type KnownSecrets } from "./known-secrets.ts";

/** Number of accounts. Each uses every feature that involves secrets. */
const ACCOUNTS = repetitions(2);
const SEED_MAX_MS = testMaxMs(180_000);
const TEST_MAX_MS = testMaxMs(60_000);
const ME = "/developers/me";
const KEYS_ATTACKED = isCampaign ? 20 : 4;

/** Columns that may contain email addresses. Purser needs the addresses to find accounts and to send email. */
const ADDRESS_COLUMNS = new Set([
  "public.developers.email",
  "public.developers.billing_email",
  "public.email_tokens.email",
  "public.developer_identities.email",
  "public.admins.email",
]);

const redis = await useRedis();

describe.skipIf(redis.missing)("a dump of all stores", () => {
  const harness = useHarness({
    vendors: true,
    // This limit is high, so that it does not stop the forged requests.
    settings: { failuresPerMinute: 1_000_000 },
    replace: ({ fastState }) => ({
      fastState: both(
        fastState,
        createRedisFastState({ url: redis.url, keyPrefix: "purser:", commandTimeoutMs: 2_000, now: quickClock() }),
      ),
    }),
  });
  let known: KnownSecrets;
  let cells: readonly Cell[];
  let redisDump: string;
  let ed25519: { readonly apiKey: string; readonly privateKey: KeyObject };

  beforeAll(async () => {
    await until("Redis responds", async () => {
      await harness.app.fastState.ping();
      return true;
    });
    known = await createKnownSecrets(harness, ACCOUNTS);
    ed25519 = await addEd25519Key();
    cells = await dumpCells(harness.database.superuserUrl);
    redisDump = await dumpRedis(redis.url);
  }, SEED_MAX_MS);

  it(
    "contains no known secret: tables, Redis, claims file, log",
    async () => {
      const secretsIn = createSecretSearch(known.secrets);
      const claims = await readClaims(harness.folder);
      const log = harness.logLines.join("");

      expect(known.secrets.size).toBeGreaterThanOrEqual(200 * ACCOUNTS);
      // If the stores contain no data, the search is meaningless.
      expect(cells.length).toBeGreaterThan(2_000 * ACCOUNTS);
      expect(redisDump.split("\n").length).toBeGreaterThan(100);
      expect(claims.split("\n").length).toBeGreaterThan(100);
      const found = cells.flatMap((cell) =>
        secretsIn(searchableText(cell)).map((name) => `${name}: ${cell.table}.${cell.column}`),
      );
      expect({
        tables: [...new Set(found)],
        redis: secretsIn(redisDump),
        claims: secretsIn(claims),
        log: secretsIn(log),
      }).toEqual({ tables: [], redis: [], claims: [], log: [] });
    },
    TEST_MAX_MS,
  );

  it("contains email addresses only in the columns for email addresses", async () => {
    const otherCells = cells.filter(({ table, column }) => !ADDRESS_COLUMNS.has(`${table}.${column}`));
    const text = otherCells.map((cell) => `${cell.table}.${cell.column} ${searchableText(cell)}`).join("\n");
    const searched = [text, redisDump, harness.logLines.join("")].join("\n");

    const found = known.addresses.flatMap((address) => {
      const at = searched.indexOf(address);
      return at < 0 ? [] : [searched.slice(searched.lastIndexOf("\n", at) + 1, at + address.length)];
    });

    expect(known.addresses.length).toBeGreaterThanOrEqual(ACCOUNTS * 3);
    expect(found).toEqual([]);
  });

  it(
    "401: requests with signatures that are forged from the dump and the source code",
    async () => {
      const stolen = await readStolenData();
      const apiKeys = [ed25519.apiKey, ...known.pairs.slice(-KEYS_ATTACKED).map(({ apiKey }) => apiKey)];
      const rows = new Map(rowsOf(stolen, "api_keys").map((row) => [row["key_hash"], row]));
      const attempts = apiKeys.flatMap((apiKey) => {
        const row = rows.get(sha256Hex(apiKey)) ?? {};
        return forgeSignatures(stolen, row, newTarget).map((forged) => ({ apiKey, ...forged }));
      });

      const outcomes: string[] = [];
      for (const { apiKey, method, target, text } of attempts) {
        const { status } = await sendAs(apiKey, target, text);
        outcomes.push(status === 401 ? "401" : `${status}: ${method}`);
      }

      expect([...new Set(outcomes)]).toEqual(["401"]);
      expect(outcomes.length).toBeGreaterThanOrEqual(45 * (KEYS_ATTACKED + 1));
      // As a control, the same keys are accepted with their real secrets.
      for (const { apiKey, apiSecret } of known.pairs.slice(-KEYS_ATTACKED)) {
        expect((await harness.clientOf(apiKey, apiSecret).get(ME)).status).toBe(200);
      }
      const target = newTarget();
      const none = { agentId: undefined, idempotencyKey: undefined };
      const text = ed25519Canonical({
        ...target,
        ...none,
        target: target.path,
        bodyHash: sha256Hex(""),
      });
      const signature = sign(null, Buffer.from(text), ed25519.privateKey).toString("hex");
      expect((await sendAs(ed25519.apiKey, target, signature)).status).toBe(200);
    },
    TEST_MAX_MS,
  );

  it(
    "401: tokens forged with the published keys for every session in the dump",
    async () => {
      const stolen = await readStolenData();
      const nowSeconds = Math.floor(harness.clock.now().getTime() / 1000);
      const times = { iat: nowSeconds, exp: nowSeconds + 600 };
      const dashboard = { iss: "purser", aud: "purser-dashboard", ...times };
      const admin = { iss: "purser-admin", aud: "purser-admin", ...times };
      const isLive = (row: Readonly<Record<string, string>>) => row["revoked_at"] === undefined;

      const statuses = new Map<number, number>();
      const tryToken = async ({ text }: Forgery, method: "GET" | "POST", path: string) => {
        const headers = { authorization: `Bearer ${text}` };
        const { status } = await harness.send({ method, url: PREFIX + path, headers });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      for (const { tenant_id: sub, session_id: sid } of rowsOf(stolen, "sessions").filter(isLive)) {
        for (const forged of forgeTokens(stolen, { sub, sid, ...dashboard })) {
          await tryToken(forged, "GET", "/developers/dashboard/me");
        }
      }
      for (const { admin_id: sub, session_id: sid } of rowsOf(stolen, "admin_sessions")) {
        for (const forged of forgeTokens(stolen, { sub, sid, ...admin })) {
          await tryToken(forged, "POST", "/developers/verify-kyb");
        }
      }

      expect([...statuses.keys()]).toEqual([401]);
      expect(statuses.get(401)).toBeGreaterThanOrEqual(50 * ACCOUNTS);
    },
    TEST_MAX_MS,
  );

  it(
    "rejected: hashes from the dump, sent instead of the hashed values",
    async () => {
      const stolen = await readStolenData();
      const before = await countSessions();
      const hashes = (table: string, column = "token_hash") => rowsOf(stolen, table).map((row) => row[column] ?? "");
      const calls: readonly (readonly [string, object])[] = [
        ...hashes("refresh_tokens").map((hash) => ["/token/refresh", { refresh_token: hash }] as const),
        ...hashes("mfa_challenges").map((hash) => ["/login/totp", { mfa_token: hash, code: "000000" }] as const),
        ...hashes("email_tokens").map(
          (token) => ["/password/reset", { token, password: "another password of mine" }] as const,
        ),
        ...hashes("device_authorizations", "device_code_hash").map(
          (device_code) =>
            [
              "/oauth/device/token",
              { device_code, grant_type: "urn:ietf:params:oauth:grant-type:device_code" },
            ] as const,
        ),
        ...rowsOf(stolen, "developer_passwords").flatMap(({ tenant_id, hash = "" }) => {
          const of = rowsOf(stolen, "developers").find((row) => row["tenant_id"] === tenant_id);
          return [["/login", { email: of?.["email"], password: hash }] as const];
        }),
      ];

      const responses: ApiResponse[] = [];
      for (const [path, payload] of calls) {
        responses.push(await harness.send({ method: "POST", url: `${PREFIX}/developers${path}`, payload }));
      }

      expect(responses.filter(({ status }) => status < 400)).toEqual([]);
      expect(responses.length).toBeGreaterThan(10 * ACCOUNTS);
      expect(await countSessions()).toEqual(before);
    },
    TEST_MAX_MS,
  );

  async function readStolenData(): Promise<StolenData> {
    const { body } = await harness.send({ method: "GET", url: "/.well-known/jwks.json" });
    return { cells, publicKeys: body.keys };
  }

  /** Adds an Ed25519 key. Only the test has the private key. */
  async function addEd25519Key() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const x = publicKey.export({ format: "jwk" }).x ?? "";
    const { apiKey = "", apiSecret = "" } = known.pairs.at(-1) ?? {};
    const client = harness.clientOf(apiKey, apiSecret);
    const { developer_id: developerId } = (await client.get(ME)).body;
    const text = `svc-ed25519-pop-v1\n${developerId}\n${x}`;
    const proof = sign(null, Buffer.from(text), privateKey).toString("base64url");
    const fields = { name: "ed", signature_alg: "ed25519", public_key: x, proof };
    const issued = await client.post("/developers/me/keys", fields);
    return { apiKey: String(issued.body.api_key), privateKey };
  }

  const newTarget = (): Target => ({
    timestamp: String(Math.floor(harness.clock.now().getTime() / 1000)),
    nonce: randomUUID(),
    method: "GET",
    path: PREFIX + ME,
  });

  const sendAs = (apiKey: string, { timestamp, nonce, path }: Target, signature: string): Promise<ApiResponse> =>
    harness.send({
      method: "GET",
      url: path,
      headers: {
        authorization: apiKey,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-request-signature": signature,
      },
    });

  async function countSessions() {
    return harness.app.db.selectFrom("sessions").select(["sessionId", "revokedAt"]).execute();
  }
});

/** Reads the claims file, in which a server without Redis stores nonces for its next start. */
async function readClaims(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("claims.jsonl"));
  const texts = names.map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(texts)).join("");
}

/** Returns a `FastState` whose methods call `first`, then call `second`, and return the result of `second`. */
function both(first: FastState, second: FastState): FastState {
  return new Proxy(second, {
    get: (_, name: keyof FastState) => async (request: never) => {
      await first[name](request);
      return second[name](request);
    },
  });
}
