import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "./run-cli.ts";
import { problem, type StubAnswer, startStubApi } from "./stub-api.ts";

const SECRET = "svc_ss_test_verysecretvalue";
const KEY = { PURSER_API_KEY: "svc_sk_test_1", PURSER_API_SECRET: "svc_ss_test_1" };
const AGENT = { agentProgram: "claude-code" };

async function startApi(answer: StubAnswer | ((path: string) => StubAnswer)) {
  const api = await startStubApi(({ path }) => (typeof answer === "function" ? answer(path) : answer));
  return { ...api, environment: { ...KEY, PURSER_BASE_URL: api.url } };
}

describe("exit codes", () => {
  it.each([
    [401, "authentication_failed", 4],
    [403, "insufficient_scope", 4],
    [403, "policy_denied", 1],
    [404, "wallet_not_found", 6],
    [409, "conflict", 1],
    [422, "validation_error", 7],
    [429, "rate_limited", 8],
  ])("%d %s is exit code %d", async (status, code, expected) => {
    const { environment, url } = await startApi(problem(status, code));

    const { exitCode, json, stderr } = await runCli(["wallets", "get", "wal_1"], { environment });

    expect(exitCode).toBe(expected);
    expect(json).toMatchObject({ ok: false, command: "wallets get", error: { code, status, request_id: "req_1" } });
    expect(json.next_steps).toContain(`Explained at ${url}/errors/${code}`);
    expect(stderr).toContain(`About ${code}.`);
  });

  it("9: no server, and says which one it was", async () => {
    const environment = { ...KEY, PURSER_BASE_URL: "http://127.0.0.1:9" };

    const { exitCode, stderr } = await runCli(["wallets", "get", "wal_1"], { environment });

    expect(exitCode).toBe(9);
    expect(stderr).toContain("http://127.0.0.1:9");
  });

  it("9: a payment without an answer can be repeated with the key that it had", async () => {
    const environment = { ...KEY, PURSER_BASE_URL: "http://127.0.0.1:9" };
    const words = ["pay", "--agent-id", "a", "--amount", "5", "--to", "0x00"];

    const { exitCode, json } = await runCli(words, { environment });

    expect(exitCode).toBe(9);
    expect(json.next_steps[0]).toMatch(/^Repeat it with --idempotency-key [0-9a-f-]{36}:/);
  });

  it.each([
    [["pay", "--data", "{bad"], "It is no JSON."],
    [["policies", "evaluate", "--data", '{"amount": 12345678901234567.12}'], "Write it as a string."],
    [["audit", "verify", "--offline", "missing.jsonl", "--keys", "missing.json"], "no such file"],
    [["env", "run", "echo", "--environment", "x"], "write -- before the command"],
    [["env", "pull", "--project", "proj_1", "--output", "FOLDER/x"], "does not have --output"],
  ])("2: purser %j says what is wrong", async (words, expected) => {
    const { environment } = await startApi({ body: {} });
    const folder = emptyFolder();
    const typed = words.map((word) => word.replace("FOLDER", folder));

    const { exitCode, stderr } = await runCli(typed, { environment, folder });

    expect(stderr).toContain(expected);
    expect(exitCode).toBe(2);
    expect(existsSync(join(folder, "x"))).toBe(false);
  });

  it("survives a problem of another form", async () => {
    const { environment } = await startApi(problem(400, "odd", { errors: { field: "x" }, type: "http://" }));

    expect((await runCli(["wallets", "get", "wal_1"], { environment })).json).toMatchObject({ error: { code: "odd" } });
  });

  it("sends text that begins with @ as it is", async () => {
    const { environment, requests } = await startApi({ body: {} });

    await runCli(["agents", "create", "@alice", "--description", "@file"], { environment });

    expect(requests[0]?.body).toEqual({ name: "@alice", description: "@file" });
  });

  it("7: names the fields that are wrong", async () => {
    const errors = [{ pointer: "/body/amount", detail: "must be greater than zero", code: "minimum" }];
    const { environment } = await startApi(problem(422, "validation_error", { errors }));

    const { stderr } = await runCli(["wallets", "fund", "wal_1", "--amount", "0"], { environment });

    expect(stderr).toContain("amount: must be greater than zero");
  });

  it("5: a payment that waits for a person is no success, and says how to wait", async () => {
    const approval = { approval_id: "apr_1", approve_page_url: "http://127.0.0.1/approve/apr_1" };
    const { environment } = await startApi({ body: { object: "payment", status: "requires_approval", approval } });
    const words = ["payments", "send", "--agent-id", "a", "--amount", "5", "--to", "0x00"];

    const { exitCode, json } = await runCli(words, { environment });

    expect(exitCode).toBe(5);
    expect(json).toMatchObject({ ok: true, data: { status: "requires_approval" } });
    expect(json.next_steps).toEqual([
      "A person must decide at http://127.0.0.1/approve/apr_1",
      "purser approvals wait apr_1",
    ]);
  });

  it("5: asks before a deletion, sends nothing where no one can be asked, and obeys --yes", async () => {
    const { environment, requests } = await startApi({ body: { object: "policy" } });

    const asked = await runCli(["policies", "delete", "pol_1"], { environment });
    expect(asked).toMatchObject({ exitCode: 5, json: { error: { code: "confirmation_needed" } } });
    expect(asked.stderr).toContain("Delete the policy (pol_1)?");
    expect(requests).toEqual([]);

    expect((await runCli(["policies", "delete", "pol_1", "--yes"], { environment })).exitCode).toBe(0);
    expect(requests).toMatchObject([{ method: "DELETE", path: "/policies/pol_1" }]);
  });

  it("names the option and the place in it that an error is about, and how to get a scope", async () => {
    const errors = [
      { pointer: "/body/rules/1/effect", detail: "is wrong" },
      { pointer: "/body/name", detail: "is long" },
    ];
    const invalid = await startApi({ status: 422, body: { code: "validation_error", detail: "Invalid.", errors } });
    const { stderr } = await runCli(["policies", "list"], { environment: invalid.environment });
    expect(stderr).toContain("--rules[1].effect: is wrong\n  --name: is long");

    const detail = "The API key does not have the scope audit:read.";
    const refused = await startApi({ status: 403, body: { code: "insufficient_scope", detail } });
    const { json } = await runCli(["policies", "list"], { environment: refused.environment });
    expect(json.next_steps[0]).toBe("purser login --scope audit:read --profile NAME");
  });

  it("sends the simulation for --dry-run, and the deletion's preview", async () => {
    const { environment, requests } = await startApi({ body: { outcome: "allow" } });

    await runCli(["pay", "--agent-id", "a", "--amount", "5", "--to", "0x00", "--dry-run"], { environment });
    await runCli(["projects", "delete", "proj_1", "--dry-run"], { environment });

    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /payments/simulate",
      "POST /projects/proj_1/delete-preview",
    ]);
  });

  it.each([
    ["allow", 0, "Leave out --dry-run to pay."],
    ["deny", 1, "The payment would be refused."],
    ["require_approval", 5, "A person would have to approve the payment."],
  ])("ends a dry run whose outcome is %s with the exit code %d", async (outcome, expected, next) => {
    const { environment } = await startApi({ body: { outcome } });

    const { exitCode, json } = await runCli(["pay", "--agent-id", "a", "--amount", "5", "--to", "0x00", "--dry-run"], {
      environment,
    });

    expect(exitCode).toBe(expected);
    expect(json.next_steps).toEqual([`Nothing was paid. ${next}`]);
  });

  it("1: a receipt that the trusted keys did not sign", async () => {
    const folder = emptyFolder();
    const [payment, keys] = [join(folder, "payment.json"), join(folder, "jwks.json")];
    const examples = JSON.parse(readFileSync(new URL("../../openapi/examples.json", import.meta.url), "utf8"));
    writeFileSync(payment, JSON.stringify(examples.getPayment.response));
    writeFileSync(keys, '{"keys": []}');

    const { exitCode, json } = await runCli(["receipt", "verify", payment, "--keys", keys], { folder });

    expect([exitCode, json.error]).toMatchObject([1, { code: "signature_invalid" }]);
    expect(json.next_steps).toEqual([
      "Do not trust the file: it was changed, or the keys are those of another server.",
    ]);
  });

  it("waits for a long operation and shows each step once", async () => {
    const steps = (status: string) => [{ name: "provider_provisioning", status }];
    const operation = { object: "operation", operation_id: "op_1", project_id: "proj_1" };
    let polls = 0;
    const { environment } = await startApi((path) => {
      if (path.endsWith("/services")) return { body: { operation: { ...operation, status: "running", steps: [] } } };
      polls += 1;
      const status = polls < 3 ? "running" : "succeeded";
      return { body: { ...operation, status, steps: steps(status) } };
    });

    const { exitCode, stderr, json } = await runCli(["add", "neon/postgres", "--project", "proj_1"], { environment });

    expect(exitCode).toBe(0);
    expect(stderr).toBe("provider provisioning: running\nprovider provisioning: succeeded\n");
    expect(json).toMatchObject({ data: { operation: { status: "succeeded" } } });
  });

  it("reads all pages with --all", async () => {
    const { environment } = await startApi((path) =>
      path.includes("cursor=two")
        ? { body: { object: "list", data: [{ agent_id: "b" }], next_cursor: null } }
        : { body: { object: "list", data: [{ agent_id: "a" }], next_cursor: "two" } },
    );

    const { json } = await runCli(["agents", "list", "--all"], { environment });

    expect(json).toMatchObject({ data: { data: [{ agent_id: "a" }, { agent_id: "b" }] } });
  });
});

describe("secrets", () => {
  const issued = { body: { object: "api_key", key_id: "key_1", api_key: "svc_sk_test_2", api_secret: SECRET } };
  const words = ["keys", "issue", "--name", "x", "--mode", "test"];

  it("are printed once for a person and a script", async () => {
    const { environment } = await startApi(issued);

    expect((await runCli(words, { environment })).stdout).toContain(SECRET);
  });

  it("exit code 2: an agent's program must name a file before a secret is made", async () => {
    const { environment, requests } = await startApi(issued);

    const { exitCode, json } = await runCli(words, { environment, terminal: AGENT });

    expect([exitCode, json.error]).toMatchObject([2, { code: "secret_needs_file" }]);
    expect(requests).toEqual([]);
  });

  it("go into a new file that only the user can read, and nowhere else", async () => {
    const { environment, requests } = await startApi(issued);
    const folder = emptyFolder();
    const file = join(folder, "key.json");

    const { stdout, stderr } = await runCli([...words, "--output", file], { environment, terminal: AGENT, folder });

    expect(`${stdout}${stderr}`).not.toContain(SECRET);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ api_secret: SECRET });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // The file exists now, so the next secret would be lost: nothing is sent.
    const again = await runCli([...words, "--output", file], { environment, terminal: AGENT, folder });
    expect([again.exitCode, requests.length]).toEqual([2, 1]);
  });

  it.each([
    ["a person", {}, ["--reveal"], true],
    ["a person", {}, [], false],
    ["an agent's program", AGENT, ["--reveal"], false],
    ["an agent's program on a terminal", { ...AGENT, showsOutput: true }, ["--reveal"], true],
  ])("values of an environment, for %s with %j %j: %s", async (_who, terminal, flags, isShown) => {
    const { environment } = await startApi({ body: { object: "service", env: { DATABASE_URL: "postgres://secret" } } });

    const { stdout } = await runCli(["services", "get", "srv_1", "--project", "proj_1", ...flags], {
      environment,
      terminal,
    });

    expect(stdout).toContain("DATABASE_URL");
    expect(stdout.includes("postgres://secret")).toBe(isShown);
  });
});

describe("a pulled file", () => {
  it("is left as it was if the bundle was changed on its way", async () => {
    const { environment } = await startApi({ body: { object: "env_bundle", env: { A: "forged" } } });
    const folder = emptyFolder();
    writeFileSync(join(folder, ".env"), "OWN=1\n");

    const { exitCode, json } = await runCli(["env", "pull", "--project", "proj_1"], { environment, folder });

    expect([exitCode, json.error]).toMatchObject([1, { code: "signature_invalid" }]);
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe("OWN=1\n");
  });
});

describe("text for people", () => {
  const terminal = { showsOutput: true, columns: 60 };

  it("is a table that fits the terminal, without what could control it", async () => {
    const items = [
      { agent_id: "a-1", name: "\u001b[31mred\u0007\u202e", status: "active", metadata: {}, note: "x".repeat(80) },
      { agent_id: "a-2", name: "blue", status: null, metadata: {}, note: "y" },
    ];
    const { environment } = await startApi({ body: { object: "list", data: items, next_cursor: "more" } });

    const { stdout } = await runCli(["agents", "list"], { environment, terminal });

    expect(stdout).toBe(
      "agent_id  name  status\na-1       red   active\na-2       blue\nNot shown: note. --json shows all.\nMore: --cursor more, or --all\n",
    );
  });

  it("has the status and the amount in the first columns, and the ids of other objects in the last", async () => {
    const items = [{ payment_id: "pay_1", agent_id: "a".repeat(36), amount: "5.00", status: "confirmed" }];
    const { environment } = await startApi({ body: { object: "list", data: items, next_cursor: null } });

    const { stdout } = await runCli(["payments", "list"], { environment, terminal });

    expect(stdout).toBe(
      "payment_id  status     amount\npay_1       confirmed  5.00\nNot shown: agent_id. --json shows all.\n",
    );
  });

  it("says that a command without an answer has succeeded", async () => {
    const { environment } = await startApi({ status: 204, body: {} });

    const { stdout } = await runCli(["freeze", "wal_1", "--reason", "anomaly"], { environment, terminal });

    expect(stdout).toBe("Done.\n");
  });

  it("has no escape sequences of the server in messages either", async () => {
    const detail = "\u001b]0;title\u0007\u001b[2Kowned";
    const { environment } = await startApi(problem(404, "wallet_not_found", { detail }));

    const { stderr } = await runCli(["wallets", "get", "wal_1"], { environment, terminal });

    expect(stderr).not.toContain("\u001b");
    expect(stderr).toContain("owned");
  });

  it("is a line for each field of an object, and counts long lists", async () => {
    const { environment } = await startApi({
      body: {
        object: "agent",
        agent_id: "a-1",
        budget: { amount: "5.00" },
        keys: [
          { id: 1, label: "main" },
          { id: 2, label: "spare" },
        ],
        rules: [{ id: "max", when: { amount: "5.00" } }],
        tags: ["x", "y"],
        none: null,
      },
    });

    const { stdout } = await runCli(["agents", "get", "a-1"], { environment, terminal });

    expect(stdout).toBe(
      "agent_id       a-1\nbudget.amount  5.00\ntags           x, y\n\nkeys:\nid  label\n1   main\n2   spare\n\nrules:\nid           max\nwhen.amount  5.00\n",
    );
  });
});
