import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountsOf } from "../../service/test/accounts.ts";
import { adminsOf } from "../../service/test/admins.ts";
import { useHarness } from "../../service/test/harness.ts";
import { type DemoKeyPair, ensureDemoDeveloper } from "../src/demo-developer.ts";
import { ensureLocalAdmin, type LocalAdmin } from "../src/local-admin.ts";

const MODES = ["live", "test"] as const;

const harness = useHarness();
const { logIn } = accountsOf(harness);
const admins = adminsOf(harness);
let dataDir: string;
let notes: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "purser-damaged-"));
  notes = [];
});
afterEach(() => rm(dataDir, { recursive: true }));

describe("ensureDemoDeveloper", () => {
  const ensureDemo = () => ensureDemoDeveloper(harness.app, dataDir, (text) => void notes.push(text));
  const statusOf = async ({ api_key, api_secret }: DemoKeyPair) =>
    (await harness.clientOf(api_key, api_secret).get("/developers/me")).status;

  it("returns the same developer when demo.json is valid", async () => {
    const made = await ensureDemo();
    notes = [];

    expect(await ensureDemo()).toEqual(made);
    expect(notes).toEqual([]);
  });

  it("issues new keys when demo.json is missing, and earlier keys still work", async () => {
    const before = await ensureDemo();
    await rm(join(dataDir, "demo.json"));

    const demo = await ensureDemo();

    expect(notes.at(-1)).toContain("demo.json had missing or invalid credentials");
    for (const mode of MODES) {
      expect(demo[mode].api_key).not.toBe(before[mode].api_key);
      expect(await statusOf(demo[mode])).toBe(200);
      expect(await statusOf(before[mode])).toBe(200);
    }
    expect((await logIn(demo.email, demo.password)).status).toBe(200);
    expect(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"))).toEqual(demo);
    expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["is not JSON", () => "{"],
    ["has an invalid field", (demo: string) => demo.replace(/"live": \{[^}]*\}/, '"live": []')],
    ["has the secret of a different key", (demo: string) => demo.replace(/svc_ss_test_..../, "svc_ss_test_ABCD")],
  ])("issues new keys when demo.json %s", async (_what, damage) => {
    await ensureDemo();
    const path = join(dataDir, "demo.json");
    await writeFile(path, damage(await readFile(path, "utf8")));

    const demo = await ensureDemo();

    for (const mode of MODES) expect(await statusOf(demo[mode])).toBe(200);
    expect((await logIn(demo.email, demo.password)).status).toBe(200);
  });
});

describe("ensureLocalAdmin", () => {
  const ensureAdmin = () => ensureLocalAdmin(harness.app, dataDir);

  async function logInAdmin({ email, password, totp_secret }: LocalAdmin): Promise<number> {
    const first = await admins.post("/admin/login", { email, password });
    if (first.status !== 200) return first.status;
    const code = totpCode(totp_secret, harness.clock.now());
    return (await admins.sendCode(first.body.mfa_token, code)).status;
  }

  it("returns the same admin when admin.json is valid", async () => {
    const made = await ensureAdmin();

    expect(await ensureAdmin()).toEqual(made);
  });

  it.each([
    ["is missing", () => undefined],
    ["is not JSON", () => "{"],
    ["has a different TOTP secret", (admin: string) => admin.replace(/[A-Z2-7]{32}/, "A".repeat(32))],
    ["has a different password", (admin: string) => admin.replace(/"password": "..../, '"password": "ABCD')],
  ])("creates new credentials when admin.json %s", async (_what, damage) => {
    const before = await ensureAdmin();
    const path = join(dataDir, "admin.json");
    const damaged = damage(await readFile(path, "utf8"));
    await (damaged === undefined ? rm(path) : writeFile(path, damaged));

    const admin = await ensureAdmin();

    expect(admin).not.toMatchObject({ totp_secret: before.totp_secret });
    expect(await logInAdmin(admin)).toBe(200);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(admin);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
