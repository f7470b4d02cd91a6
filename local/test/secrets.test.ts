import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStatementSigner } from "@purser/service/crypto/statement-signer.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrCreateSecrets } from "../src/secrets.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "purser-secrets-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe("readOrCreateSecrets", () => {
  it("returns the same secrets at each start, in files of mode 600", async () => {
    const made = await readOrCreateSecrets(dataDir);

    expect(await readOrCreateSecrets(dataDir)).toEqual(made);
    expect(new Set(Object.values(made)).size).toBe(9);
    const folder = join(dataDir, "secrets");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it("marks the key encryption key with a prefix that production rejects", async () => {
    expect((await readOrCreateSecrets(dataDir)).keyEncryptionKey).toMatch(/^local:/);
  });

  it.each([
    "access-token-key",
    "admin-token-key",
    "captcha-secret",
    "owner-password",
    "service-password",
    "pii-password",
    "sandbox-password",
  ])("replaces %s if it is missing or invalid, and leaves the others unchanged", async (file) => {
    const before = await readOrCreateSecrets(dataDir);
    for (const damage of [() => rm(join(dataDir, "secrets", file)), () => damageFile(file)]) {
      await damage();

      const after = await readOrCreateSecrets(dataDir);

      const changed = Object.entries(after).filter(
        ([name, value]) => value !== Object.entries(before).find(([known]) => known === name)?.[1],
      );
      expect(changed).toHaveLength(1);
      expect(await readFile(join(dataDir, "secrets", file), "utf8")).toBe(changed[0]?.[1]);
    }
  });

  it.each([
    ["missing", () => rm(join(dataDir, "secrets/statement-key")), "is missing"],
    ["unreadable", () => damageFile("statement-key"), "contains a different key"],
    ["replaced", replaceStatementKey, "contains a different key"],
  ])("StartError: the key that signed checkpoints is %s", async (_how, damage, message) => {
    const { statementKey } = await readOrCreateSecrets(dataDir);
    const { keyId } = createStatementSigner(statementKey);
    await damage();
    const left = await readdir(join(dataDir, "secrets"));

    const read = readOrCreateSecrets(dataDir, { statementKey: [keyId] });

    await expect(read).rejects.toThrow(`${join(dataDir, "secrets/statement-key")} ${message}`);
    expect(await readdir(join(dataDir, "secrets"))).toEqual(left);
  });

  it("StartError: rows need a different key encryption key", async () => {
    await readOrCreateSecrets(dataDir);

    const read = readOrCreateSecrets(dataDir, { keyEncryptionKey: ["file-0123456789abcdef"] });

    await expect(read).rejects.toThrow("Without it, API keys do not work and variables cannot be decrypted");
  });
});

function damageFile(file: string): Promise<void> {
  return writeFile(join(dataDir, "secrets", file), "garbled");
}

async function replaceStatementKey(): Promise<void> {
  await rm(join(dataDir, "secrets/statement-key"));
  await readOrCreateSecrets(dataDir);
}
