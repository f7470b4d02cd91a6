import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Project, Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Program } from "../command-groups.ts";
import type { Context } from "../context.ts";
import { findFolderConfig, saveFolderConfig } from "../folder-config.ts";
import { failureOf } from "../output/failure.ts";
import { askChoice } from "../prompts.ts";
import { type Check, check, reportChecks } from "./doctor.ts";

/** The file that `purser env pull` writes. */
const IGNORED = ".env";
const CHOICES_MAX = 50;

export function folderCommands({ program, run }: Program): void {
  program
    .command("init")
    .description(
      "Connect this folder to a project: writes .purser/config.json, which has ids only, and ignores .env in Git.",
    )
    .option("--create <name>", "Create the project.")
    .option("--preflight", "Only check what paid services and payments need, and list what is missing.")
    .action(
      run(async (context, { create, preflight }) =>
        preflight === true
          ? runPreflight(context)
          : initialize(context, typeof create === "string" ? create : undefined),
      ),
    );
}

async function initialize(context: Context, name: string | undefined): Promise<void> {
  const client = await context.client();
  const project = await chooseProject(context, client, name);
  const { folder, options, output } = context;
  const agentId = options.agent ?? findFolderConfig(folder)?.config.agent_id;
  const { project_id } = project;
  const file = saveFolderConfig(folder, { project_id, ...(agentId !== undefined && { agent_id: agentId }) });
  ignoreInGit(folder);
  output.result({
    data: { project_id, name: project.name, agent_id: agentId ?? null, file },
    text: `This folder belongs to the project "${project.name}" now. Commit ${file}: it has ids only.\n`,
    nextSteps: ["purser link neon", "purser add neon/postgres", "purser env pull"],
  });
}

async function chooseProject(context: Context, client: Purser, name: string | undefined): Promise<Project> {
  const { options, signal, terminal, folder } = context;
  if (options.project !== undefined) return client.projects.get(options.project, { signal });
  if (name !== undefined) return client.projects.create({ name }, { signal });
  const projects = await client.projects.list({}, { signal }).toArray({ limit: CHOICES_MAX });
  if (!terminal.canAsk) {
    throw new CliError({
      message: "Which project does this folder belong to?",
      code: "project_missing",
      exitCode: EXIT_CODES.usage,
      nextSteps: [
        `purser init --create ${basename(folder)}`,
        ...projects.slice(0, 3).map((one) => `purser init --project ${one.project_id}`),
      ],
    });
  }
  const created = { value: "", label: `Create "${basename(folder)}"` };
  const choices = projects.map((one) => ({ value: one.project_id, label: one.name }));
  const id = await askChoice("Project of this folder", [...choices, created]);
  return (
    projects.find((one) => one.project_id === id) ?? client.projects.create({ name: basename(folder) }, { signal })
  );
}

/** Adds `.env` to the folder's .gitignore, unless it is there. */
function ignoreInGit(folder: string): void {
  const file = join(folder, ".gitignore");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (before.split(/\r?\n/).some((line) => line.trim() === IGNORED)) return;
  appendFileSync(file, `${before === "" || before.endsWith("\n") ? "" : "\n"}${IGNORED}\n`);
}

/** Lists everything that is missing at once. Returns exit code 1 if something is. */
async function runPreflight(context: Context): Promise<number> {
  return reportChecks(await preflightChecks(context), context);
}

async function preflightChecks(context: Context): Promise<readonly Check[]> {
  const { signal, baseUrl, projectId } = context;
  try {
    const client = await context.client();
    const { email, email_verified, requirements } = await client.developers.me({ signal });
    const account = [
      check("login", true, email),
      check(
        "email address",
        email_verified,
        email_verified ? "verified" : "not verified",
        "Open the link in the email of your sign-up.",
      ),
      ...Object.keys(requirements).map((name) =>
        check(name.replaceAll("_", " "), false, "required", `${baseUrl}/dashboard/settings`),
      ),
    ];
    if (projectId === undefined) return [...account, check("project", false, "none for this folder", "purser init")];
    return [...account, ...(await projectChecks(client, projectId, signal)), ...(await agentChecks(client, context))];
  } catch (error) {
    signal.throwIfAborted();
    const { error: facts, nextSteps } = failureOf(error, baseUrl);
    return [check("login", false, String(facts["message"]), nextSteps[0] ?? "purser doctor")];
  }
}

async function projectChecks(client: Purser, projectId: string, signal: AbortSignal): Promise<Check[]> {
  const { name, status, usage, billing, links } = await client.projects.get(projectId, { signal });
  const providers = links.filter((link) => link.status === "linked").map(({ provider }) => provider);
  const hasCard = billing.status === "ready";
  return [
    check("project", status === "active", `${name}, ${status}`, "Choose an active project: purser init"),
    check(
      "monthly cap",
      !/^(-|[0.]+$)/.test(usage.remaining),
      `${usage.remaining} dollars left`,
      "purser projects update --monthly-cap 100.00",
    ),
    check(
      "card",
      hasCard,
      hasCard ? "ready" : `${billing.status.replaceAll("_", " ")}: paid plans need one`,
      "Attach a card in the dashboard.",
    ),
    check("providers", providers.length > 0, providers.join(", ") || "none linked", "purser link neon"),
  ];
}

async function agentChecks(client: Purser, { agentId, signal }: Context): Promise<Check[]> {
  const ids =
    agentId === undefined
      ? (await client.agents.list({ limit: 1 }, { signal })).data.map(({ agent_id }) => agent_id)
      : [agentId];
  const [id] = ids;
  if (id === undefined) return [check("agent", false, "none", "purser agents create --name buyer")];
  const { name, status } = await client.agents.get(id, { signal });
  const wallets = await client.wallets.list({ agent_id: id, limit: 1 }, { signal });
  return [
    check("agent", status === "active", `${name}, ${status}`, `purser agents resume ${id}`),
    check(
      "wallet",
      wallets.data.length > 0,
      wallets.data.length > 0 ? (wallets.data[0]?.network ?? "") : "none",
      `purser wallets create --agent-id ${id} --network base`,
    ),
  ];
}
