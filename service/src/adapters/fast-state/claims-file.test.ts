import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Claim, openClaimsFile } from "./claims-file.ts";

const UNAVAILABLE = expect.objectContaining({ code: "service_unavailable" });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-claims-"));
});
afterAll(() => rm(folder, { recursive: true }));

function claim(id: string, expiresAtMs = 30_000): Claim {
  return { id, expiresAtMs, note: null };
}

async function idsIn(path: string): Promise<string[]> {
  const { file, found } = await openClaimsFile(path);
  file.close();
  return found.map(({ id }) => id).sort();
}

describe("ClaimsFile", () => {
  it("throws if only part of a claim is written, and stores later claims", async () => {
    const path = join(folder, randomUUID());
    let full = false;
    const { file } = await openClaimsFile(path, (fd, text) =>
      writeSync(fd, full ? text.slice(0, text.length / 2) : text),
    );
    file.append(claim("before"), 0);

    full = true;
    expect(() => file.append(claim("during"), 0)).toThrow(UNAVAILABLE);
    full = false;
    file.append(claim("after"), 0);
    file.close();

    expect(await idsIn(path)).toEqual(["after", "before"]);
  });

  it("throws while long-lived claims cannot be copied to the next segment, and copies them later", async () => {
    const path = join(folder, randomUUID());
    let full = false;
    const { file } = await openClaimsFile(path, (fd, text) => {
      if (full) throw new Error("ENOSPC: no space left on device");
      return writeSync(fd, text);
    });
    file.append(claim("long", 1_000_000), 0);

    full = true;
    expect(() => file.append(claim("refused"), 200_000)).toThrow(UNAVAILABLE);
    full = false;
    file.append(claim("second turn"), 200_000);
    file.append(claim("third turn"), 400_000);
    file.close();

    expect(await idsIn(path)).toEqual(["long", "second turn", "third turn"]);
  });

  it("finds the latest of several claims with the same id, in either file", async () => {
    for (const times of [
      [0, 200_000],
      [0, 200_000, 400_000],
    ]) {
      const path = join(folder, randomUUID());
      const { file } = await openClaimsFile(path);
      for (const nowMs of times) file.append(claim("again", nowMs + 30_000), nowMs);
      file.close();

      const { file: next, found } = await openClaimsFile(path);
      next.close();

      expect(found).toEqual([claim("again", (times.at(-1) ?? 0) + 30_000)]);
    }
  });

  it("finds all valid claims after a restart at any time", async () => {
    const path = join(folder, randomUUID());
    for (let nowMs = 0; nowMs < 600_000; nowMs += 7_000) {
      const { file, found } = await openClaimsFile(path);
      const ids = new Set(found.map(({ id }) => id));
      for (let madeMs = Math.max(0, nowMs - 63_000); madeMs < nowMs; madeMs += 7_000) {
        expect(ids).toContain(`made at ${madeMs}`);
      }
      file.append(claim(`made at ${nowMs}`, nowMs + 66_000), nowMs);
      file.close();
    }

    expect((await idsIn(path)).length).toBeLessThan(60);
  });
});
