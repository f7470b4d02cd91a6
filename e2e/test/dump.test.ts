import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedisFastState } from "@purser/service/adapters/redis-fast-state.ts";
import type { FastState } from "@purser/service/ports/fast-state.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../service/test/harness.ts";
import { createSecretSearch } from "../src/secret-search.ts";
import { until } from "../src/until.ts";
import { type Cell, dumpCells, dumpRedis, readingsOf } from "./dump-stores.ts";
import { useRedis } from "./fixtures.ts";
import { type KnownSecrets, tellSecrets } from "./known-secrets.ts";

const ACCOUNTS = 5;
const SEED_MAX_MS = 180_000;

/** Where addresses stand because somebody is looked up or written to by them. */
const ADDRESS_COLUMNS = new Set([
  "public.developers.email",
  "public.developers.billing_email",
  "public.developer_emails.email",
  "public.email_tokens.email",
  "public.developer_identities.email",
  "public.admins.email",
]);

const redis = await useRedis();

describe.skipIf(redis.missing)("everything that is kept", () => {
  const harness = useHarness({
    vendors: true,
    replace: ({ fastState }) => ({
      fastState: both(fastState, createRedisFastState({ url: redis.url, keyPrefix: "purser:" })),
    }),
  });
  let known: KnownSecrets;
  let cells: readonly Cell[];

  beforeAll(async () => {
    await until("Redis answers", async () => {
      await harness.app.fastState.ping();
      return true;
    });
    known = await tellSecrets(harness, ACCOUNTS);
    cells = await dumpCells(harness.database.superuserUrl);
  }, SEED_MAX_MS);

  it("holds none of a thousand secrets: no table, no Redis, no file of claims, no log line", async () => {
    const secretsIn = createSecretSearch(known.secrets);
    const claims = await readClaims(harness.folder);
    const held = await dumpRedis(redis.url);
    const log = harness.logLines.join("");

    expect(known.secrets.size).toBeGreaterThanOrEqual(1_000);
    // What is searched is the stores that were in use.
    expect(cells.length).toBeGreaterThan(10_000);
    expect(held.split("\n").length).toBeGreaterThan(100);
    expect(claims.split("\n").length).toBeGreaterThan(100);
    const hits = cells.flatMap((cell) =>
      secretsIn(readingsOf(cell)).map((name) => `${name}: ${cell.table}.${cell.column}`),
    );
    expect(hits).toEqual([]);
    expect(secretsIn(held)).toEqual([]);
    expect(secretsIn(claims)).toEqual([]);
    expect(secretsIn(log)).toEqual([]);
  }, 60_000);

  it("holds an address in its own columns, and nowhere else", async () => {
    const elsewhere = cells.filter(
      ({ table, column }) => !ADDRESS_COLUMNS.has(`${table}.${column}`),
    );
    const text = elsewhere
      .map((cell) => `${cell.table}.${cell.column} ${readingsOf(cell)}`)
      .join("\n");
    const kept = [text, await dumpRedis(redis.url), harness.logLines.join("")].join("\n");

    const found = known.addresses.flatMap((address) => {
      const at = kept.indexOf(address);
      return at < 0 ? [] : [kept.slice(kept.lastIndexOf("\n", at) + 1, at + address.length)];
    });

    expect(known.addresses.length).toBeGreaterThanOrEqual(ACCOUNTS * 3);
    expect(found).toEqual([]);
  });
});

/** What the memory of a single process has written down, so that a restart forgets no nonce. */
async function readClaims(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("claims.jsonl"));
  const texts = names.map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(texts)).join("");
}

/** The state of the second, with everything written to the first as well. */
function both(first: FastState, second: FastState): FastState {
  return new Proxy(second, {
    get: (_, name: keyof FastState) => async (request: never) => {
      await first[name](request);
      return second[name](request);
    },
  });
}
