import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { adminsOf } from "../../test/admins.ts";
import { useHarness } from "../../test/harness.ts";
import { useLocalNetwork } from "../../test/networks/local-network.ts";
import { type EndedCommand, runAsOperator, runInProcess } from "../../test/run-command.ts";
import { createFileKeyEncryptionKey } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { totpCode } from "../crypto/totp.ts";
import { stopNetwork, useNetwork } from "../modules/networks/networks.ts";
import { networkCursorRows } from "../modules/networks/queries.ts";
import { adminCommand } from "./admin-command.ts";

const KEY_ENCRYPTION_KEY = randomBytes(32).toString("base64");

describe("npm run admin -- networks", () => {
  const base = useLocalNetwork("base");
  const harness = useHarness({ environment: base.environment });
  const run = (...args: string[]) =>
    runInProcess(adminCommand, ["networks", ...args], {
      ...{ databaseUrl: harness.database.serviceUrl, folder: harness.folder, input: "" },
      environment: base.environment,
    });

  it("lists the networks in use, and resumes one that was stopped", async () => {
    expect(await run()).toMatchObject({ code: 0, stdout: "" });
    await useNetwork(harness.app, "base");
    expect((await run()).stdout).toMatch(/^base +in use +block \d+, read 20\S+Z\n$/);
    expect(await run("resume", "base")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not stopped"),
    });

    await stopNetwork(harness.app, await networkCursorRows.get(harness.app.db, { network: "base" }));
    expect((await run()).stdout).toMatch(/^base +stopped +block/);
    expect(await run("resume", "base")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("base is resumed"),
    });
    expect((await run()).stdout).toMatch(/^base +in use/);
  });

  it.each([[["pause", "base"]], [["resume"]], [["resume", "bitcoin"]], [["resume", "base", "now"]]])(
    "explains the command for %j",
    async (args) => {
      expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining("networks resume") });
    },
  );
});

describe("npm run admin -- anchor", () => {
  const harness = useHarness();
  const run = (...args: string[]) =>
    runInProcess(adminCommand, ["anchor", ...args], {
      ...{ databaseUrl: harness.database.serviceUrl, folder: harness.folder, input: "", environment: {} },
    });

  it("names no chain if the anchor has what the database has, and fills an empty anchor", async () => {
    expect(await run()).toMatchObject({ code: 0, stdout: "" });
    expect(await run("record", "restored")).toMatchObject({ code: 0, stdout: "" });
    expect(await run("fill")).toMatchObject({ code: 0, stdout: "0 checkpoints published\n" });
  });

  it.each([[["record"]], [["list"]], [["record", "restored", "twice"]]])(
    "explains the command for %j",
    async (args) => {
      expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining("anchor record") });
    },
  );
});

describe("npm run admin", () => {
  const harness = useHarness({
    replace: () => ({ keyEncryptionKey: createFileKeyEncryptionKey(KEY_ENCRYPTION_KEY) }),
  });
  const admins = adminsOf(harness);
  const { everyRow } = accountsOf(harness);

  const inputOf = (input: string) => ({
    databaseUrl: harness.database.serviceUrl,
    folder: harness.folder,
    environment: { PURSER_KEY_ENCRYPTION_KEY: KEY_ENCRYPTION_KEY },
    input,
  });
  const run = (args: readonly string[], input = "") => runInProcess(adminCommand, args, inputOf(input));

  const printed = ({ stdout }: EndedCommand, name: string) =>
    new RegExp(`^${name} +(\\S+)$`, "m").exec(stdout)?.[1] ?? "";

  async function canLogIn(email: string, password: string, secret: string): Promise<boolean> {
    const { status, body } = await admins.post("/admin/login", { email, password });
    if (status !== 200) return false;
    const code = totpCode(secret, harness.clock.now());
    return (await admins.sendCode(body.mfa_token, code)).status === 200;
  }

  it("creates an admin who can log in with the printed credentials, and stores neither in plain text", async () => {
    const made = await run(["create", "--email", "Ada@purser.test"]);

    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(printed(made, "email")).toBe("ada@purser.test");
    const [password, secret] = [printed(made, "password"), printed(made, "totp secret")];
    expect(password).toMatch(/^.{24}$/);
    expect(printed(made, "totp url")).toContain(`secret=${secret}`);
    expect(await canLogIn("ada@purser.test", password, secret)).toBe(true);
    const rows = await everyRow();
    for (const value of [password, secret]) expect(rows).not.toContain(value);
  });

  it("reads a password from standard input and does not print it", async () => {
    const password = "a long password of my own";
    const args = ["create", "--email", "bea@purser.test", "--password-stdin"];

    const made = await runAsOperator("admin.ts", args, inputOf(`${password}\n`));

    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).not.toContain(password);
    expect(await canLogIn("bea@purser.test", password, printed(made, "totp secret"))).toBe(true);
  });

  it("disables an admin; creating the same address again issues new credentials", async () => {
    const email = "cleo@purser.test";
    const first = await run(["create", "--email", email]);
    const again = await run(["create", "--email", email]);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("An active admin has this address.");

    expect(await run(["disable", "--email", email])).toMatchObject({ code: 0 });
    expect((await run(["list"])).stdout).toMatch(/^adm_\w+ +disabled +never logged in +cleo@/m);
    expect(await run(["disable", "--email", email])).toMatchObject({ code: 1 });
    const second = await run(["create", "--email", email]);

    const [old, renewed] = [first, second].map((made) => [printed(made, "password"), printed(made, "totp secret")]);
    expect(await canLogIn(email, old?.[0] ?? "", old?.[1] ?? "")).toBe(false);
    expect(await canLogIn(email, renewed?.[0] ?? "", old?.[1] ?? "")).toBe(false);
    expect(await canLogIn(email, renewed?.[0] ?? "", renewed?.[1] ?? "")).toBe(true);
  });

  it("exit code 1: the command, address, password or option is invalid; the message says which", async () => {
    const wrong: readonly [string[], string, string][] = [
      [["promote", "--email", "a@purser.test"], "", "npm run admin -- create"],
      [["create", "--email", "not an address"], "", "--email ada@example.com"],
      [["create", "--email", "a@purser.test", "--password-stdin"], "short", "15 to 128"],
      [["create", "--email", "a@purser.test", "--role", "all"], "", "--role"],
    ];
    for (const [args, input, message] of wrong) {
      const ended = await run(args, input);
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toContain(message);
    }
  });
});
