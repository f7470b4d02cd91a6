import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKeyHash, openMemoryFastState, outcomeOf, request, START_MS } from "../../../test/fast-state/fast-states.ts";
import { createMemoryFastState } from "./memory-fast-state.ts";

const UNAVAILABLE = { code: "service_unavailable" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-fast-state-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("createMemoryFastState", () => {
  const signed = {
    keyHash: newKeyHash(),
    signature: randomBytes(32).toString("hex"),
    idempotencyKey: "one",
    signedAtMs: START_MS,
    expiresAtMs: START_MS + 35_000,
    nowMs: START_MS,
  };

  it("finds earlier claims after one and two restarts", async () => {
    const claimsFile = join(folder, randomUUID());
    const same = { keyHash: newKeyHash(), nonce: randomUUID() };
    const use = { key: "captcha", ttlMs: 600_000, nowMs: START_MS };
    const first = await openMemoryFastState(claimsFile);
    await first.admit(request(same));
    await first.guardSignature(signed);
    await first.claimOnce(use);

    for (let restart = 0; restart < 2; restart += 1) {
      const next = await openMemoryFastState(claimsFile);
      expect(await outcomeOf(next, { nowMs: START_MS + 1_000 })).toBe("admitted");
      expect(await outcomeOf(next, { ...same, nowMs: START_MS + 30_999 })).toBe("replayed");
      expect(await next.guardSignature(signed)).toBe("same_key");
      expect(await next.guardSignature({ ...signed, idempotencyKey: "two" })).toBe("other_key");
      expect(await next.claimOnce(use)).toBe(false);
    }
    const last = await openMemoryFastState(claimsFile);
    expect(await outcomeOf(last, { ...same, nowMs: START_MS + 31_000 })).toBe("admitted");
  });

  it("reads and writes after an incomplete last line", async () => {
    const claimsFile = join(folder, randomUUID());
    const whole = { keyHash: newKeyHash(), nonce: randomUUID() };
    const torn = { keyHash: newKeyHash(), nonce: randomUUID() };
    const first = await openMemoryFastState(claimsFile);
    await first.admit(request(whole));
    await first.admit(request(torn));
    await truncate(claimsFile, (await stat(claimsFile)).size - 5);

    const second = await openMemoryFastState(claimsFile);
    expect(await outcomeOf(second, whole)).toBe("replayed");
    expect(await outcomeOf(second, torn)).toBe("admitted");

    const third = await openMemoryFastState(claimsFile);
    expect(await outcomeOf(third, whole)).toBe("replayed");
    expect(await outcomeOf(third, torn)).toBe("replayed");
  });

  it("makes its file accessible only to its owner, including an existing file", async () => {
    const claimsFile = join(folder, randomUUID());
    await writeFile(claimsFile, "", { mode: 0o644 });
    await (await openMemoryFastState(claimsFile)).admit(request());

    const { mode } = await stat(claimsFile);

    expect((mode & 0o777).toString(8)).toBe("600");
  });

  it("keeps its file small over time, without losing long-lived claims", async () => {
    const claimsFile = join(folder, randomUUID());
    const state = await openMemoryFastState(claimsFile);
    await state.claimOnce({ key: "captcha", ttlMs: 7_200_000, nowMs: START_MS });
    const nowMs = START_MS + 7_000_000;
    for (let atMs = START_MS; atMs < nowMs; atMs += 1_000) await state.admit(request({ nowMs: atMs }));

    const lines = await readFile(claimsFile, "utf8");

    expect(lines.split("\n").length).toBeLessThan(1_100);
    const next = await openMemoryFastState(claimsFile);
    expect(await next.claimOnce({ key: "captcha", ttlMs: 1_000, nowMs })).toBe(false);
  });

  it("rejects if a claim cannot be written: the folder is deleted, or the store is closed", async () => {
    const deleted = await mkdtemp(join(folder, "deleted-"));
    const withoutFolder = await openMemoryFastState(join(deleted, "claims"));
    await rm(deleted, { recursive: true });
    const closed = await openMemoryFastState(join(folder, randomUUID()));
    await closed.admit(request());
    await closed.close();

    for (const state of [withoutFolder, closed]) {
      await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);
      await expect(state.guardSignature(signed)).rejects.toMatchObject(UNAVAILABLE);
      await expect(state.claimOnce({ key: "captcha", ttlMs: 1_000, nowMs: START_MS })).rejects.toMatchObject(
        UNAVAILABLE,
      );
    }
  });

  it("rejects if the folder does not exist", async () => {
    await expect(openMemoryFastState(join(folder, "missing", "claims"))).rejects.toThrow("ENOENT");
  });

  it("stores claims only in memory if no file is configured", async () => {
    const state = await createMemoryFastState({});
    const before = await readdir(folder);
    const same = { keyHash: newKeyHash(), nonce: randomUUID() };

    expect(await outcomeOf(state, same)).toBe("admitted");
    expect(await outcomeOf(state, same)).toBe("replayed");
    expect(await readdir(folder)).toEqual(before);
  });
});
