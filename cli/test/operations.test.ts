import { readFileSync } from "node:fs";
import { APIError } from "@purser/sdk";
import { describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { kebabCase } from "../src/name-case.ts";
import type { Prompts } from "../src/operation/ask-missing.ts";
import { BY_HAND } from "../src/operation/command-facts.ts";
import { positionalsOf, requestOf } from "../src/operation/request.ts";
import { type Operation, operations } from "../src/operation/table.ts";
import { parse, runCli } from "./run-cli.ts";

const EXAMPLES: Readonly<Record<string, { readonly request?: Readonly<Record<string, unknown>> }>> = JSON.parse(
  readFileSync(new URL("../../openapi/examples.json", import.meta.url), "utf8"),
);
/** These fields are options of every command instead. */
const REPLACED = ["simulate"];
const generated = operations().filter(({ sdk }) => !BY_HAND.has(sdk.join(".")));
const named = (name: string) => generated.find(({ sdk }) => sdk.join(".") === name) as Operation;

/** A context that only knows the ids of the folder. */
const FOLDER = {
  projectId: "proj_folder",
  agentId: undefined,
  requireProject: () => "proj_folder",
  terminal: { canAsk: false },
} as unknown as Context;

async function requestFrom(operation: Operation, words: readonly string[], context = FOLDER) {
  return requestOf(operation, await parse([...operation.sdk.map(kebabCase), ...words]), context);
}

/** Writes a body as a person would write it: each field as its option. */
function optionsOf(body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(body).flatMap(([name, value]) => [
    `--${kebabCase(name)}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

describe("every operation as a command", () => {
  it("covers all operations that need no session of the dashboard", () => {
    const table = JSON.parse(readFileSync(new URL("../../openapi/operations.json", import.meta.url), "utf8"));
    const expected = table.operations.filter(({ access }: Operation) => access !== "dashboard");

    expect(operations()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(125);
    expect([...BY_HAND].every((name) => expected.some(({ sdk }: Operation) => sdk.join(".") === name))).toBe(true);
  });

  it.each(generated.map((operation) => [operation.sdk.map(kebabCase).join(" "), operation] as const))(
    "purser %s sends the body of its example",
    async (_words, operation) => {
      const body = Object.fromEntries(
        Object.entries(EXAMPLES[operation.operationId]?.request ?? {}).filter(([name]) => !REPLACED.includes(name)),
      );
      const { positionals } = positionalsOf(operation);
      const ids = positionals.map(({ name }) => `${name}-1`);

      const acting = { ...FOLDER, agentId: "agent-of-folder" } as Context;
      const request = await requestFrom(operation, [...ids, ...optionsOf(body)], acting);

      const expected = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        positionals.some((one) => one.name === name) ? `${name}-1` : "proj_folder",
      );
      expect(request.path).toBe(expected);
      expect(request.body ?? {}).toEqual(body);
    },
  );

  it("uses the folder's project and agent, and what is typed instead of them", async () => {
    const folder = { ...FOLDER, agentId: "agent-of-folder" } as Context;

    const folders = await requestFrom(named("projects.get"), [], folder);
    const typed = await requestFrom(named("projects.get"), ["proj_typed"], folder);
    const wallet = await requestFrom(named("wallets.create"), ["--network", "base"], folder);
    const payment = ["--amount", "5", "--to", "0x00", "--agent-id", "typed"];
    const paid = await requestFrom(named("payments.send"), payment, folder);

    expect([folders.path, typed.path]).toEqual(["/projects/proj_folder", "/projects/proj_typed"]);
    expect(wallet.body).toEqual({ network: "base", agent_id: "agent-of-folder" });
    expect(paid.agentId).toBe("typed");
    expect(paid.body).not.toHaveProperty("project_id");
    const charged = await requestFrom(named("payments.send"), [...payment, "--project", "proj_typed"], folder);
    expect(charged.body).toMatchObject({ project_id: "proj_typed" });
  });

  it("reads lists, JSON, files and a whole body, and keeps amounts as text", async () => {
    const file = new URL("../package.json", import.meta.url).pathname;
    const body = JSON.stringify({ name: "from-data", description: "kept" });

    const project = await requestFrom(named("projects.create"), [
      ...["--data", body, "--name", "typed", "--monthly-cap", "007.50"],
      ...["--environments", "development", "staging", "--metadata", `@${file}`],
    ]);

    expect(project.body).toMatchObject({
      name: "typed",
      description: "kept",
      monthly_cap: "007.50",
      environments: ["development", "staging"],
      metadata: { name: "@purser/cli" },
    });
  });

  it.each([
    [["projekts", "list"], "Did you mean projects?"],
    [["payments", "sned"], "Did you mean send?"],
    [["help", "sned", "it"], "unknown command 'sned'"],
    [["payments", "list", "--staus", "x"], "Did you mean --status?"],
    [["payments", "list", "--status", "payed"], "Allowed choices are"],
    [["payments", "list", "--limit", "many"], "It must be a whole number."],
    [["projects", "create", "x", "--metadata", "{"], "It is no JSON."],
    [["projects", "create", "x", "--metadata", "@missing.json"], "could not be read"],
    [["wallets", "get", "..", "--json"], '".." is no id.'],
    [["payments", "send", "--amount", "5"], "Missing: --agent-id, --to."],
    [["add", "--project", "proj_1"], "Missing: --service."],
    [["freeze"], "Missing: <wallet_id>, --reason."],
    [["payments", "refund", "pay_1"], "Missing: --agent."],
    [["sign", "FETCH", "/projects"], "The method must be one of"],
    [["variables", "set", "NAME", "@ada", "--project", "proj_1"], "To send this text itself, pass - and pipe it in."],
    [["env", "pull", "--file", "-"], "purser env run -- COMMAND"],
    [["env", "pull", "--format", "json"], "purser env pull --format json --file FILE"],
    [["env", "pull"], "No project was named"],
  ])("exit code 2: purser %j says what was meant", async (words, expected) => {
    const { exitCode, stderr } = await runCli(words, {
      environment: {
        PURSER_API_KEY: "svc_sk_test_1",
        PURSER_API_SECRET: "svc_ss_test_1",
        PURSER_BASE_URL: "http://127.0.0.1:9",
      },
    });

    expect(stderr).toContain(expected);
    expect(exitCode).toBe(2);
  });

  it.each(["--yes projects delete proj_1", "projects delete proj_1 --yes"])(
    "help %s: only prints help",
    async (words) => {
      const { exitCode, stdout } = await runCli(["help", ...words.split(" ")]);

      expect(stdout).toContain("Usage: purser");
      expect(exitCode).toBe(0);
    },
  );

  describe("asks a person for what is missing", () => {
    const wallets = [{ wallet_id: "wal_1", name: "a\nb", network: "base", status: "active" }];
    /** Answers with the choice whose label contains the text, or else with the text itself. */
    async function ask(
      words: readonly string[],
      answers: readonly string[],
      list: () => unknown = () => wallets,
      folder = {},
    ) {
      const questions: string[] = [];
      const rest = [...answers];
      const next = (question: string) => {
        questions.push(question);
        return rest.shift() ?? "";
      };
      const prompts: Prompts = {
        askText: async (question) => next(question),
        askChoice: async (question, choices) => {
          const answer = next(question);
          const chosen = choices.find(({ label }) => label.includes(answer));
          return chosen?.value ?? answer;
        },
      };
      const context = {
        ...FOLDER,
        ...folder,
        options: {},
        terminal: { canAsk: true, showsOutput: true },
        client: async () => ({ get: async () => ({ data: list() }) }),
      } as unknown as Context;
      const operation = named(words[0] ?? "");
      const typed = await parse([...operation.sdk.map(kebabCase), ...words.slice(1)]);
      return { request: await requestOf(operation, typed, context, prompts), questions };
    }

    it("an id from the list, and a choice", async () => {
      const { request, questions } = await ask(["wallets.freeze"], ["a b", "anomaly"]);

      expect(request).toMatchObject({ path: "/wallets/wal_1/freeze", body: { reason: "anomaly" } });
      expect(questions).toEqual(["wallet id", "reason"]);
    });

    it("the project, if the folder names none", async () => {
      const projects = [{ project_id: "proj_7", name: "shop", status: "active" }];
      const words = ["projects.services.list"];

      const { request, questions } = await ask(words, ["shop"], () => projects, { projectId: undefined });

      expect(request.path).toBe("/projects/proj_7/services");
      expect(questions).toEqual(["project id"]);
    });

    it("an id that is not in the list", async () => {
      const { request } = await ask(["wallets.freeze", "--reason", "anomaly"], ["Another", "wal_9"]);

      expect(request.path).toBe("/wallets/wal_9/freeze");
    });

    it("an id as text, if the key may not list the objects or there are none", async () => {
      const forbidden = () => {
        throw new APIError({ status: 403, problem: { code: "insufficient_scope" } as never, headers: new Headers() });
      };
      for (const list of [forbidden, () => []]) {
        const { request } = await ask(["payments.refund", "pay_1"], ["agent-1"], list);
        expect(request).toMatchObject({ path: "/payments/pay_1/refund", agentId: "agent-1" });
      }
    });

    it("nothing, if something is missing that cannot be typed", async () => {
      await expect(ask(["policies.rollback"], [])).rejects.toThrow("Missing: <policy_id>, --version.");
    });
  });

  it("sends a service by its provider, without its id", async () => {
    const { body } = await requestFrom(named("projects.services.add"), [
      "--provider",
      "neon",
      "--service-slug",
      "postgres",
    ]);

    expect(body).toEqual({ provider: "neon", service_slug: "postgres" });
  });

  it("refuses ids that would leave the path", async () => {
    const { path } = await requestFrom(named("wallets.get"), ["a/../b?c#d"]);

    expect(path).toBe("/wallets/a%2F..%2Fb%3Fc%23d");
  });
});
