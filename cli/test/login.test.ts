import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "./run-cli.ts";
import { problem, type StubAnswer, startStubApi } from "./stub-api.ts";

const KEY = "svc_sk_test_abcdefgh";
const SECRET = "svc_ss_test_verysecretvalue";
const ME = { body: { email: "ada@example.com", developer_id: "dev_1", email_verified: true } };
const TOKEN = { body: { api_key: KEY, api_secret: SECRET, developer_id: "dev_1", key: { key_id: "key_1" } } };
const PENDING = problem(400, "authorization_pending");

/** Answers a device login with these answers to the polls, one after the other. */
function startDeviceApi(...polls: readonly StubAnswer[]) {
  const left = [...polls];
  return startStubApi(({ path }) => {
    if (path === "/developers/oauth/device") {
      const uri = "http://127.0.0.1/device";
      const codes = { device_code: "code", user_code: "BCDF-GHJK", expires_in: 600, interval: 0 };
      return { body: { ...codes, verification_uri: uri, verification_uri_complete: `${uri}?user_code=BCDF-GHJK` } };
    }
    if (path === "/developers/oauth/device/token") return left.shift() ?? PENDING;
    return path.startsWith("/developers/me/keys/") ? { body: {} } : ME;
  });
}

async function logIn(folder: string, baseUrl: string, ...words: string[]) {
  return runCli(["login", "--base-url", baseUrl, ...words], { folder });
}

describe("login", () => {
  it("prints the URL and the code, polls until a person approves, and saves the key where only the user can read it", async () => {
    const api = await startDeviceApi(PENDING, PENDING, TOKEN);
    const folder = emptyFolder();

    const { exitCode, json, stdout, stderr } = await logIn(folder, api.url);

    expect(exitCode).toBe(0);
    expect(stderr).toContain("Open http://127.0.0.1/device?user_code=BCDF-GHJK");
    expect(json.data).toMatchObject({
      profile: "default",
      email: "ada@example.com",
      mode: "test",
      credentials_in: "file",
    });
    expect(`${stdout}${stderr}`).not.toContain(SECRET);
    for (const name of readdirSync(join(folder, ".config"))) {
      expect(statSync(join(folder, ".config", name)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(folder, ".config/profiles.json"), "utf8")).not.toContain(SECRET);
    const who = await runCli(["whoami"], { folder });
    expect(who.json.data).toMatchObject({ email: "ada@example.com", source: "profile", base_url: api.url });
  });

  it("polls more slowly when the server asks for it", async () => {
    const api = await startDeviceApi(problem(400, "slow_down"), TOKEN);
    const startedAtMs = performance.now();

    const { exitCode } = await logIn(emptyFolder(), api.url);

    expect(exitCode).toBe(0);
    expect(performance.now() - startedAtMs).toBeGreaterThan(4_900);
  });

  it.each([
    ["denied", "access_denied", "The login was denied."],
    ["expired", "expired_token", "No one approved the login within ten minutes."],
  ])("exit code 4: a login that was %s", async (_what, code, message) => {
    const api = await startDeviceApi(PENDING, problem(400, code));
    const folder = emptyFolder();

    const { exitCode, json } = await logIn(folder, api.url);

    expect(exitCode).toBe(4);
    expect(json).toMatchObject({ ok: false, error: { code, message }, next_steps: ["purser login"] });
    expect(existsSync(join(folder, ".config/credentials.json"))).toBe(false);
  });

  it.each([
    ["JSON", JSON.stringify({ api_key: KEY, api_secret: SECRET })],
    ["two lines", `${KEY}\n${SECRET}\n`],
    ["lines of a .env file", `PURSER_API_KEY='${KEY}'\nPURSER_API_SECRET="${SECRET}"\n`],
  ])("reads a key pair as %s, and tries it before it saves it", async (_what, text) => {
    const api = await startDeviceApi();
    const folder = emptyFolder();

    expect((await logIn(folder, api.url, "--with-key", text)).exitCode).toBe(0);

    expect(api.requests.map(({ path }) => path)).toEqual(["/developers/me"]);
    expect(JSON.parse(readFileSync(join(folder, ".config/credentials.json"), "utf8"))).toEqual({
      default: { api_key: KEY, api_secret: SECRET },
    });
  });

  it("exit code 4: does not save a key pair that the server refuses", async () => {
    const api = await startStubApi(() => problem(401, "authentication_failed"));
    const folder = emptyFolder();

    const { exitCode, json } = await logIn(folder, api.url, "--with-key", `${KEY} ${SECRET}`);

    expect(exitCode).toBe(4);
    expect(json.next_steps).toContain("purser doctor");
    expect(existsSync(join(folder, ".config/credentials.json"))).toBe(false);
  });

  it("keeps the logins of two servers apart, switches between them, and ends only the key that it created", async () => {
    const [first, second] = [await startDeviceApi(TOKEN), await startDeviceApi()];
    const folder = emptyFolder();
    await logIn(folder, first.url);
    await logIn(folder, second.url, "--profile", "other", "--with-key", `${KEY} ${SECRET}`);

    expect((await runCli(["whoami"], { folder })).json.data).toMatchObject({ profile: "default", base_url: first.url });
    expect((await runCli(["switch", "other"], { folder })).exitCode).toBe(0);
    expect((await runCli(["whoami"], { folder })).json.data).toMatchObject({ profile: "other", base_url: second.url });
    expect((await runCli(["switch", "default"], { folder })).exitCode).toBe(0);
    expect((await runCli(["switch", "typo"], { folder })).json).toMatchObject({ error: { code: "profile_not_found" } });
    expect((await runCli(["logout"], { folder })).json.data).toMatchObject({ revoked_key_id: "key_1" });
    await runCli(["logout", "--profile", "other"], { folder });

    expect(first.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/developers/me/keys/key_1" });
    expect(second.requests.some(({ method }) => method === "DELETE")).toBe(false);
    expect((await runCli(["whoami"], { folder })).exitCode).toBe(4);
  });

  it("says that the environment's key pair is used, and lets --profile win over it", async () => {
    const api = await startDeviceApi(TOKEN);
    const folder = emptyFolder();
    await logIn(folder, api.url);
    const key = { PURSER_API_KEY: "svc_sk_live_other", PURSER_API_SECRET: "svc_ss_live_other" };
    const environment = { ...key, PURSER_BASE_URL: api.url };

    const fromEnvironment = await runCli(["whoami"], { folder, environment });
    const fromProfile = await runCli(["whoami", "--profile", "default"], { folder, environment });

    expect(fromEnvironment.json.data).toMatchObject({ source: "environment variables", mode: "live", profile: null });
    expect(fromProfile.json.data).toMatchObject({ source: "profile", mode: "test" });
  });

  it("never sends a saved key to the server of the environment, nor to one that was typed", async () => {
    const [own, other] = [await startDeviceApi(TOKEN), await startDeviceApi()];
    const folder = emptyFolder();
    await logIn(folder, own.url);

    const environment = { PURSER_BASE_URL: other.url };
    expect((await runCli(["whoami"], { folder, environment })).json.data).toMatchObject({ base_url: own.url });
    const typed = await runCli(["whoami", "--base-url", other.url], { folder });

    expect([typed.exitCode, typed.json.error]).toMatchObject([4, { code: "not_logged_in" }]);
    expect(other.requests).toEqual([]);
  });

  it("exit code 4: half a key pair in the environment is not replaced by a saved one", async () => {
    const api = await startDeviceApi(TOKEN);
    const folder = emptyFolder();
    await logIn(folder, api.url);

    const { exitCode, stderr } = await runCli(["whoami"], { folder, environment: { PURSER_API_KEY: "svc_sk_test_1" } });

    expect(exitCode).toBe(4);
    expect(stderr).toContain("PURSER_API_SECRET is not set");
  });

  it("keeps a login whose key could not be revoked", async () => {
    let isRevocable = false;
    const api = await startStubApi(({ method }) =>
      method === "DELETE" && !isRevocable ? problem(403, "insufficient_scope") : { body: { ...ME.body, key: {} } },
    );
    const folder = emptyFolder();
    await logIn(folder, api.url, "--with-key", `${KEY} ${SECRET}`);
    const file = join(folder, ".config/profiles.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"key_id": null', '"key_id": "key_1"'));

    const { exitCode, json } = await runCli(["logout"], { folder });

    expect([exitCode, json.error]).toMatchObject([1, { code: "key_not_revoked" }]);
    expect((await runCli(["whoami"], { folder })).exitCode).toBe(0);
    isRevocable = true;
    expect((await runCli(["logout"], { folder })).json.data).toMatchObject({ revoked_key_id: "key_1" });
  });

  it("keeps the login of another account and of another port", async () => {
    const [first, second] = [await startDeviceApi(), await startDeviceApi()];
    const folder = emptyFolder();
    const names: unknown[] = [];
    for (const { url } of [first, second, first]) {
      names.push((await logIn(folder, url, "--with-key", `${KEY} ${SECRET}`)).json.data["profile"]);
    }

    const port = new URL(second.url).port;
    const again = new URL(first.url).port;
    expect(names).toEqual(["default", `127.0.0.1-${port}-test`, `127.0.0.1-${again}-test`]);
  });

  it("exit code 2: a profile's name is checked before a person approves", async () => {
    const api = await startDeviceApi(TOKEN);

    const { exitCode } = await logIn(emptyFolder(), api.url, "--profile", "bad name");

    expect([exitCode, api.requests]).toEqual([2, []]);
  });

  it("says where the key is when the keychain cannot be used", async () => {
    const api = await startDeviceApi(TOKEN);

    const { json, stderr } = await runCli(["login", "--base-url", api.url], { environment: { PURSER_KEYRING: "off" } });

    expect(json).toMatchObject({ data: { credentials_in: "file" } });
    expect(stderr).toContain("The key is in a file that only you can read, not in the keychain of the system");
  });
});
