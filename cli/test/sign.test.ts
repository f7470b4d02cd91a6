import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "./run-cli.ts";

interface Vector {
  readonly api_secret?: string;
  readonly private_key?: string;
  readonly timestamp: string;
  readonly nonce?: string;
  readonly method: string;
  readonly path: string;
  readonly agent_id?: string | null;
  readonly idempotency_key?: string | null;
  readonly body_base64: string;
  readonly signature: string;
}

const vectors = (name: string): readonly Vector[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"));

function option(name: string, value: string | null | undefined): string[] {
  return value ? [`--${name}`, value] : [];
}

/** Saves a login as `purser login` does, whose key pair has the vector's secret or private key. */
function saveLogin(folder: string, credentials: object): void {
  const profile = { base_url: "http://127.0.0.1:1", mode: "test", key_id: null, email: null, credentials_in: "file" };
  const [profiles, saved] = [{ current: "vector", profiles: { vector: profile } }, { vector: credentials }];
  writeFileSync(join(folder, "profiles.json"), JSON.stringify(profiles));
  writeFileSync(join(folder, "credentials.json"), JSON.stringify(saved));
}

describe("purser sign", () => {
  it.each(["hmac-sha256", "ed25519"])("agrees with every vector of %s", async (name) => {
    const folder = emptyFolder();
    const environment = { PURSER_CONFIG_DIR: folder };
    let count = 0;
    for (const vector of vectors(name)) {
      const { api_secret, private_key } = vector;
      saveLogin(folder, { api_key: "svc_sk_test_1", api_secret, private_key });
      const { method, path, timestamp, nonce, agent_id, idempotency_key, body_base64 } = vector;
      const words = ["sign", method, path, "--timestamp", timestamp, "--data-base64", body_base64];
      const more = [
        ...option("nonce", nonce),
        ...option("agent", agent_id),
        ...option("idempotency-key", idempotency_key),
      ];

      const { json } = await runCli([...words, ...more], { environment });

      expect(json.data).toMatchObject({
        headers: { "x-request-signature": vector.signature, "x-timestamp": timestamp },
      });
      count += 1;
    }
    expect(count).toBe(24);
  });

  it("prints a curl command that a shell reads as the same request", async () => {
    const environment = { PURSER_API_KEY: "svc_sk_test_1", PURSER_API_SECRET: "svc_ss_test_1" };
    const words = ["sign", "POST", "/projects", "--data", `{"name":"it's $HOME"}`, "--curl"];

    const { stdout } = await runCli(words, { environment, terminal: { showsOutput: true } });

    expect(stdout).toContain(`--data-binary '{"name":"it'\\''s $HOME"}'`);
    expect(stdout).toContain("'http://127.0.0.1:8080/api/v1/svc/projects'");
  });
});
