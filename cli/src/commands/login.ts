import { hostname } from "node:os";
import { APIError, type DeviceAuthorization, Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import { type Context, modeOf } from "../context.ts";
import { openBrowser } from "../open-browser.ts";
import { contentOf } from "../operation/request-options.ts";
import type { Credentials } from "../profiles/credential-store.ts";
import { DEFAULT_PROFILE, type Profile } from "../profiles/profiles.ts";
import { askChoice } from "../prompts.ts";
import { sleep } from "../sleep.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** How much longer to wait between polls when the server asks for it (RFC 8628, section 3.5). */
const SLOW_DOWN_MS = 5_000;

interface LoginOptions {
  readonly withKey?: string;
  readonly scope?: string;
  readonly name?: string;
  readonly browser?: boolean;
}

/** Logs in with a browser, or with a key pair from standard input, and saves the key pair as a profile. */
export async function logIn(context: Context, options: LoginOptions): Promise<void> {
  const { baseUrl } = loginPlace(context);
  context.profiles.checkName(context.options.profile ?? DEFAULT_PROFILE);
  const isDevice = options.withKey === undefined;
  const { credentials, keyId } = isDevice
    ? await deviceLogin(context, options)
    : { credentials: parseKeyPair(contentOf(options.withKey ?? "-")), keyId: null };
  const mode = modeOf(credentials);
  const { api_key: apiKey, api_secret: apiSecret, private_key: privateKey } = credentials;
  const client = new Purser({ baseUrl, apiKey, apiSecret: apiSecret ?? "", privateKey });
  // A key that does not work is not saved.
  const { email } = await client.developers.me({ signal: context.signal });
  const name = profileName(context, { base_url: baseUrl, mode, email });
  const { place, reason } = await context.profiles.save(
    name,
    { base_url: baseUrl, mode, key_id: keyId, email },
    credentials,
    { isNamed: namedProfile(context) !== undefined },
  );
  const isCurrent = context.profiles.current === name;
  if (place === "file") {
    context.output.warn(`The key is in a file that only you can read, not in the keychain of the system: ${reason}.`);
  }
  context.output.result({
    data: { profile: name, email, mode, base_url: baseUrl, key_id: keyId, credentials_in: place },
    text: `Logged in as ${email} in ${mode} mode. The profile is "${name}".\n`,
    nextSteps: isCurrent
      ? ["purser init"]
      : [`Add --profile ${name} to a command, or use it always: purser switch ${name}`],
  });
}

/** A new login can be for another server than the saved one. */
function loginPlace({ options, terminal, baseUrl }: Context): { readonly baseUrl: string } {
  return { baseUrl: options.baseUrl ?? terminal.environment["PURSER_BASE_URL"] ?? baseUrl };
}

type Account = Pick<Profile, "base_url" | "mode" | "email">;

function namedProfile({ options, terminal }: Pick<Context, "options" | "terminal">): string | undefined {
  return options.profile ?? terminal.environment["PURSER_PROFILE"];
}

/** A login that was saved for another server, mode or account is kept. */
function profileName({ options, profiles, terminal }: Context, account: Account): string {
  const named = namedProfile({ options, terminal });
  if (named !== undefined) return named;
  const isFree = (name: string) => {
    const found = profiles.find(name);
    return found === undefined || FIELDS.every((field) => found[field] === account[field]);
  };
  const { host } = new URL(account.base_url);
  const place = `${host}-${account.mode}`;
  const names = [profiles.current, place, `${place}-${account.email}`].map((name) => name.replaceAll(/[^\w.-]+/g, "-"));
  return names.find(isFree) ?? `${place}-${Date.now()}`.replaceAll(/[^\w.-]+/g, "-");
}

const FIELDS = ["base_url", "mode", "email"] as const;

/** RFC 8628: a person approves the login in a browser, on this machine or another. */
async function deviceLogin(
  context: Context,
  { scope, name = `purser on ${hostname()}`, browser = true }: LoginOptions,
): Promise<DeviceKey> {
  const { output, signal, terminal } = context;
  const { devices } = new Purser({ ...loginPlace(context), apiKey: "", apiSecret: "" }).developers;
  const started = await devices.begin({ client_name: name, ...(scope !== undefined && { scope }) }, { signal });
  output.note(`Open ${started.verification_uri_complete}`);
  output.note(`and compare the code: ${started.user_code}`);
  if (browser && terminal.canAsk) openBrowser(started.verification_uri_complete, terminal.environment);
  output.note("Waiting for the approval…");
  return await pollForKey(started, (deviceCode) => collectKey(devices, deviceCode, signal), signal);
}

interface DeviceKey {
  readonly credentials: Credentials;
  readonly keyId: string;
}

/** Asks for the key until a person has decided. `collect` returns the key, or why there is none yet. */
async function pollForKey(
  { device_code: deviceCode, interval, expires_in: expiresInSeconds }: DeviceAuthorization,
  collect: (deviceCode: string) => Promise<DeviceKey | "authorization_pending" | "slow_down">,
  signal: AbortSignal,
): Promise<DeviceKey> {
  const endsAtMs = Date.now() + expiresInSeconds * 1_000;
  let delayMs = interval * 1_000;
  while (Date.now() < endsAtMs) {
    await sleep(delayMs, signal);
    const collected = await collect(deviceCode);
    if (typeof collected === "object") return collected;
    if (collected === "slow_down") delayMs += SLOW_DOWN_MS;
  }
  throw loginError("expired_token");
}

async function collectKey(
  devices: Purser["developers"]["devices"],
  deviceCode: string,
  signal: AbortSignal,
): Promise<DeviceKey | "authorization_pending" | "slow_down"> {
  try {
    const token = await devices.collect({ grant_type: GRANT_TYPE, device_code: deviceCode }, { signal });
    const secret = token.api_secret === null ? {} : { api_secret: token.api_secret };
    return { credentials: { api_key: token.api_key, ...secret }, keyId: token.key.key_id };
  } catch (error) {
    const code = error instanceof APIError ? error.code : undefined;
    if (code === "slow_down" || code === "authorization_pending") return code;
    if (code === "access_denied" || code === "expired_token") throw loginError(code);
    throw error;
  }
}

const LOGIN_ERRORS = {
  access_denied: "The login was denied.",
  expired_token: "No one approved the login within ten minutes.",
} as const;

function loginError(code: keyof typeof LOGIN_ERRORS): CliError {
  return new CliError({
    message: LOGIN_ERRORS[code],
    code,
    exitCode: EXIT_CODES.auth,
    nextSteps: ["purser login"],
  });
}

/** Reads a key pair as JSON, as two lines, or as `NAME=value` lines. Never says what was read. */
function parseKeyPair(text: string): Credentials {
  const apiKey = /svc_sk_(?:live|test)_[\w-]+/.exec(text)?.[0];
  const apiSecret = /svc_ss_(?:live|test)_[\w-]+/.exec(text)?.[0];
  const privateKey = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(
    text.replaceAll("\\n", "\n"),
  )?.[0];
  if (apiKey && privateKey) return { api_key: apiKey, private_key: privateKey };
  if (apiKey && apiSecret) return { api_key: apiKey, api_secret: apiSecret };
  throw new CliError({
    message: "No key pair was found: an API key (svc_sk_…), and its secret (svc_ss_…) or Ed25519 private key in PEM.",
    code: "invalid_key_pair",
    exitCode: EXIT_CODES.usage,
    nextSteps: ["purser login --with-key - < keys.json"],
  });
}

export async function logOut(context: Context, { keepKey = false }: { keepKey?: boolean }): Promise<void> {
  const { profiles, output, signal } = context;
  const named = namedProfile(context);
  const name = named ?? profiles.current;
  if (named === undefined && profiles.find(name) === undefined) {
    output.result({ data: { profile: null, revoked_key_id: null }, text: "You are not logged in.\n" });
    return;
  }
  const { key_id: keyId, base_url: baseUrl } = profiles.get(name);
  // A key that a login created ends with it. One that was given to the login is the user's.
  const revokes = keyId !== null && !keepKey;
  if (revokes) {
    const { api_key: apiKey, api_secret: apiSecret } = await profiles.credentials(name);
    const client = new Purser({ baseUrl, apiKey, apiSecret: apiSecret ?? "" });
    await client.developers.keys.revoke(keyId, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new CliError({
        message: `The key ${keyId} was not revoked, so the login was kept: ${error instanceof Error ? error.message : error}`,
        code: "key_not_revoked",
        nextSteps: ["Revoke the key in the dashboard, then: purser logout --keep-key"],
        cause: error,
      });
    });
  }
  await profiles.remove(name);
  output.result({
    data: { profile: name, revoked_key_id: revokes ? keyId : null },
    text: `Logged out of "${name}".\n`,
  });
}

export async function switchProfile({ profiles, output, terminal }: Context, name: string | undefined): Promise<void> {
  const all = Object.entries(profiles.all()).map(([profile, { base_url, mode, email }]) => ({
    profile,
    is_current: profile === profiles.current,
    base_url,
    mode,
    email,
  }));
  if (name === undefined && (!terminal.canAsk || all.length === 0)) return output.result({ data: all });
  const choices = all.map(({ profile, email, mode, base_url: server }) => ({
    value: profile,
    label: `${profile}  ${email}, ${mode} mode, ${server}`,
  }));
  const chosen = name ?? (await askChoice("Profile", choices));
  const { mode, email, base_url } = profiles.use(chosen);
  output.result({
    data: { profile: chosen, base_url, mode, email },
    text: `Now "${chosen}": ${email}, ${mode} mode, ${base_url}.\n`,
  });
}
