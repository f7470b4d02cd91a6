import { type Mode, Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "./cli-error.ts";
import { findFolderConfig } from "./folder-config.ts";
import type { Output } from "./output/output.ts";
import type { Credentials } from "./profiles/credential-store.ts";
import { DEFAULT_BASE_URL, Profiles } from "./profiles/profiles.ts";
import type { Terminal } from "./terminal.ts";

/** The options that every command has. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly verbose?: boolean;
  /** False for `--no-wait`. */
  readonly wait?: boolean;
}

/** Which key pair a command uses, and where it comes from. */
export interface Login {
  readonly source: "profile" | "environment variables";
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/** What a command works with. */
export interface Context {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  readonly output: Output;
  readonly profiles: Profiles;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly baseUrl: string;
  /** The project of the option, the environment or the folder. */
  readonly projectId: string | undefined;
  readonly agentId: string | undefined;
  /** @throws CliError if no one is logged in. */
  login(): Promise<Login>;
  /** A client with the key pair of the login. */
  client(): Promise<Purser>;
  /** A client without credentials, for what needs none. */
  publicClient(): Purser;
  /** @throws CliError if no project was named. */
  requireProject(): string;
}

export function createContext(
  terminal: Terminal,
  options: GlobalOptions,
  { output, folder, signal }: { output: Output; folder: string; signal: AbortSignal },
): Context {
  const { environment } = terminal;
  const profiles = new Profiles(environment);
  const profileName = options.profile ?? environment["PURSER_PROFILE"];
  const saved = profiles.find(profileName ?? profiles.current);
  const baseUrl = options.baseUrl ?? environment["PURSER_BASE_URL"] ?? saved?.base_url ?? DEFAULT_BASE_URL;
  const config = findFolderConfig(folder)?.config;
  const projectId = options.project ?? environment["PURSER_PROJECT"] ?? config?.project_id;
  const agentId = options.agent ?? environment["PURSER_AGENT_ID"] ?? config?.agent_id;
  const logLevel = options.verbose ? { logLevel: "debug" as const } : {};
  const clientFor = (credentials: Partial<Credentials>) =>
    new Purser({
      baseUrl,
      apiKey: credentials.api_key ?? "",
      apiSecret: credentials.api_secret ?? "",
      privateKey: credentials.private_key,
      agentId,
      ...logLevel,
    });
  const login = async () => readLogin({ profiles, profileName, environment, baseUrl });
  return {
    terminal,
    options,
    output,
    profiles,
    folder,
    signal,
    baseUrl,
    projectId,
    agentId,
    login,
    client: async () => clientFor((await login()).credentials),
    publicClient: () => clientFor({}),
    requireProject: () => projectId ?? missingProject(),
  };
}

/** A profile that was named wins over the environment, and the environment over the current profile. */
async function readLogin({
  profiles,
  profileName,
  environment,
  baseUrl,
}: Pick<Context, "profiles" | "baseUrl"> &
  Pick<Terminal, "environment"> & { profileName: string | undefined }): Promise<Login> {
  const apiKey = environment["PURSER_API_KEY"];
  const apiSecret = environment["PURSER_API_SECRET"];
  if (profileName === undefined && apiKey && apiSecret) {
    const credentials = { api_key: apiKey, api_secret: apiSecret };
    return { source: "environment variables", profile: undefined, baseUrl, credentials };
  }
  const name = profileName ?? profiles.current;
  if (profileName === undefined && profiles.find(name) === undefined) {
    throw new CliError({
      message: "You are not logged in.",
      code: "not_logged_in",
      exitCode: EXIT_CODES.auth,
      nextSteps: ["purser login", "Or set PURSER_API_KEY and PURSER_API_SECRET."],
    });
  }
  return { source: "profile", profile: name, baseUrl, credentials: await profiles.credentials(name) };
}

function missingProject(): never {
  throw new CliError({
    message: "No project was named, and this folder has none.",
    code: "project_missing",
    exitCode: EXIT_CODES.usage,
    nextSteps: ["purser init", "Or pass --project <project_id>. `purser projects list` prints the ids."],
  });
}

export function modeOf({ api_key: apiKey }: Pick<Credentials, "api_key">): Mode {
  return apiKey.startsWith("svc_sk_live_") ? "live" : "test";
}
