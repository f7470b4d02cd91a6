import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Claim, ClaimsFile, keepUntilMs, readClaims, type WriteText } from "./claims-file.ts";
import { ExpiringMap } from "./expiring-map.ts";

const UNAVAILABLE = expect.objectContaining({ code: "service_unavailable" });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-claims-"));
});
afterAll(() => rm(folder, { recursive: true }));

function claim(id: string, expiresAtMs = 30_000): Claim {
  return { id, expiresAtMs, note: null };
}

/** Opens the file as the fast state does. The result appends a claim and then keeps it in memory. */
async function openFile(path: string, write?: WriteText) {
  const claims = new ExpiringMap<Claim>();
  const keep = (one: Claim, nowMs: number) => claims.set(one.id, one, { keepUntilMs: keepUntilMs(one), nowMs });
  const found = await readClaims(path);
  for (const one of found) keep(one, Number.NEGATIVE_INFINITY);
  const file = new ClaimsFile(path, claims, write);
  const append = (one: Claim, nowMs: number) => {
    file.append(one, nowMs);
    keep(one, nowMs);
  };
  return { append, close: () => file.close(), found };
}

async function idsIn(path: string): Promise<string[]> {
  return (await readClaims(path)).map(({ id }) => id).sort();
}

describe("ClaimsFile", () => {
  it("throws if only part of a claim is written, and stores later claims", async () => {
    const path = join(folder, randomUUID());
    let full = false;
    const file = await openFile(path, (fd, text) => writeSync(fd, full ? text.slice(0, text.length / 2) : text));
    file.append(claim("before"), 0);

    full = true;
    expect(() => file.append(claim("during"), 0)).toThrow(UNAVAILABLE);
    full = false;
    file.append(claim("after"), 0);
    file.close();

    expect(await idsIn(path)).toEqual(["after", "before"]);
  });

  it("throws while the file cannot be replaced, and loses no claim", async () => {
    const path = join(folder, randomUUID());
    let full = false;
    const write: WriteText = (fd, text) => {
      if (full) throw new Error("ENOSPC: no space left on device");
      return writeSync(fd, text);
    };
    const first = await openFile(path, write);
    first.append(claim("long", 1_000_000), 0);
    first.close();
    const second = await openFile(path, write);

    full = true;
    expect(() => second.append(claim("refused", 300_000), 200_000)).toThrow(UNAVAILABLE);
    expect(await idsIn(path)).toEqual(["long"]);
    full = false;
    second.append(claim("accepted", 300_000), 200_000);
    second.close();

    expect(await idsIn(path)).toEqual(["accepted", "long"]);
  });

  it("keeps the latest of several claims with the same id", async () => {
    const path = join(folder, randomUUID());
    for (const nowMs of [0, 200_000, 400_000]) {
      const file = await openFile(path);
      file.append(claim("again", nowMs + 30_000), nowMs);
      file.close();
    }

    expect(await readClaims(path)).toEqual([claim("again", 430_000)]);
  });

  it("finds all valid claims after a restart at any time", async () => {
    const path = join(folder, randomUUID());
    for (let nowMs = 0; nowMs < 600_000; nowMs += 7_000) {
      const file = await openFile(path);
      const ids = new Set(file.found.map(({ id }) => id));
      for (let madeMs = Math.max(0, nowMs - 63_000); madeMs < nowMs; madeMs += 7_000) {
        expect(ids).toContain(`made at ${madeMs}`);
      }
      file.append(claim(`made at ${nowMs}`, nowMs + 66_000), nowMs);
      file.close();
    }

    expect((await idsIn(path)).length).toBeLessThan(60);
  });

  it("ignores a replacement that a crash has left incomplete", async () => {
    const path = join(folder, randomUUID());
    const first = await openFile(path);
    first.append(claim("kept"), 0);
    first.close();
    await writeFile(`${path}.new`, '["half', { mode: 0o644 });

    const second = await openFile(path);
    second.append(claim("next"), 0);
    second.close();

    expect(await idsIn(path)).toEqual(["kept", "next"]);
    expect(await readFile(path, "utf8")).not.toContain("half");
  });
});
