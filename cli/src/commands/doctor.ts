import { APIError, type Purser } from "@purser/sdk";
import { EXIT_CODES } from "../cli-error.ts";
import { type Context, modeOf } from "../context.ts";
import { failureOf } from "../output/failure.ts";
import { cleanText } from "../output/human.ts";

/** The server accepts signatures that are at most this old or this early (docs/rules/signing.md). */
const SKEW_MAX_SECONDS = 30;
const REFUSALS_MAX = 5;
/** A request that was refused longer ago is shown, and is no failure of now. */
const RECENT_MS = 15 * 60_000;
/** The SDKs and the command line repeat equal requests within a second by themselves. So many such refusals are no failure. */
const REPEATED_MAX = 2;

export interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do. Empty if the check passed. */
  readonly fix: string;
}

const FIXES: Readonly<Record<string, string>> = {
  header_missing: "Send all four signing headers: Authorization, X-Timestamp, X-Nonce, X-Request-Signature.",
  mode_missing: "Send X-Svc-Mode with a dashboard session.",
  timestamp_skewed: "Correct the clock of the caller.",
  nonce_malformed: "Send a random nonce of 16 to 128 characters.",
  nonce_replayed: "Send a new nonce with each request.",
  key_revoked: "Use another key: purser login.",
  key_expired: "Use another key: purser login.",
  network_not_allowed: "Call from a network of the key's ip_allowlist, or change the list in the dashboard.",
  signature_mismatch: "Sign exactly the bytes that are sent. `purser sign` prints the right signature.",
  signature_replayed: "Wait a second, sign again, and send the same Idempotency-Key.",
};

const UNKNOWN_KEY =
  "The key is not valid any more, the secret is not its own, or the key does not allow this network: purser login, or set PURSER_API_KEY and PURSER_API_SECRET. The request log in the dashboard has the reason.";

/** Makes every check, also after one that failed, and returns exit code 1 if one did. */
export async function runDoctor(context: Context): Promise<number> {
  const server = await serverChecks(context);
  const isUp = server.every(({ check: name, ok }) => name !== "server" || ok);
  return reportChecks([...server, ...(isUp ? await loginChecks(context) : [])], context);
}

export function reportChecks(
  checks: readonly Check[],
  { output, terminal }: Pick<Context, "output" | "terminal">,
): number {
  const lines = checks.map(({ check, ok, detail }) => {
    const mark = ok ? terminal.style("green", "✓") : terminal.style("red", "✗");
    return `${mark} ${check}: ${cleanText(detail)}\n`;
  });
  const failed = checks.filter(({ ok }) => !ok);
  const nextSteps = [...new Set(failed.map(({ fix }) => fix))];
  output.result({ data: checks, text: lines.join(""), nextSteps });
  return failed.length === 0 ? EXIT_CODES.ok : EXIT_CODES.error;
}

async function serverChecks({ baseUrl, publicClient, signal }: Context): Promise<Check[]> {
  const startedAtMs = Date.now();
  try {
    const { unix } = await publicClient().time({ signal, maxRetries: 0 });
    const tookMs = Date.now() - startedAtMs;
    const skewSeconds = Math.round((startedAtMs + tookMs / 2) / 1_000) - unix;
    return [
      check("server", true, `${baseUrl} answered in ${tookMs} ms`),
      check(
        "clock",
        Math.abs(skewSeconds) < SKEW_MAX_SECONDS,
        `${Math.abs(skewSeconds)} s ${skewSeconds < 0 ? "behind" : "ahead of"} the server`,
        "Set the clock of this machine. The CLI corrects for it, other programs may not.",
      ),
    ];
  } catch (error) {
    signal.throwIfAborted();
    return [
      check(
        "server",
        false,
        messageOf(error, baseUrl),
        "Check the base URL (--base-url, PURSER_BASE_URL), and that the server runs.",
      ),
    ];
  }
}

async function loginChecks(context: Context): Promise<Check[]> {
  const { signal, baseUrl } = context;
  try {
    const { source, profile, credentials } = await context.login();
    const client = await context.client();
    const { email, email_verified } = await client.developers.me({ signal, maxRetries: 0 });
    return [
      check(
        "login",
        true,
        `${email}, ${modeOf(credentials)} mode, from ${profile ? `the profile "${profile}"` : source}`,
      ),
      check(
        "email address",
        email_verified,
        email_verified ? "verified" : "not verified",
        "Open the link in the email of your sign-up.",
      ),
      ...(await keyChecks(client, credentials.api_key, signal)),
      ...(await refusalChecks(client, signal)),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const { nextSteps } = failureOf(error, baseUrl);
    const isUnknown = error instanceof APIError && error.status === 401;
    const fix = isUnknown ? UNKNOWN_KEY : (nextSteps.find((step) => step !== "purser doctor") ?? "purser login");
    return [check("login", false, messageOf(error, baseUrl), fix)];
  }
}

async function keyChecks(client: Purser, apiKey: string, signal: AbortSignal): Promise<Check[]> {
  const keys = await client.developers.keys
    .list({}, { signal })
    .toArray({ limit: 200 })
    .catch(() => []);
  const key = keys.find(
    ({ key_hint: hint, key_prefix: prefix }) => apiKey.startsWith(prefix) && apiKey.endsWith(hint.replace("…", "")),
  );
  if (key === undefined) return [check("key", true, "its scopes cannot be read without the scope keys:read")];
  const { scopes, status, expires_at: expiresAt, grace_expires_at: graceEndsAt } = key;
  const end = graceEndsAt ?? expiresAt;
  return [
    check(
      "key",
      status === "active",
      `${key.name}, ${status}${end ? `, until ${end}` : ""}`,
      "The key is being replaced: purser login.",
    ),
    check("scopes", true, scopes.join(" ")),
  ];
}

async function refusalChecks(client: Purser, signal: AbortSignal): Promise<Check[]> {
  const refusals = await client.developers.keys
    .authFailures({ limit: REFUSALS_MAX }, { signal })
    .catch(() => undefined);
  if (refusals === undefined) return [];
  if (refusals.data.length === 0) return [check("refused requests", true, "none")];
  return refusals.data.map(({ reason, count, occurred_at: at, skew_seconds: skew, network, request_id: id }) => {
    const what = `${count} × ${reason.replaceAll("_", " ")}${skew === null ? "" : ` by ${skew} s`} from ${network}, last at ${at} (request ${id})`;
    const fix = FIXES[reason] ?? "";
    const isOld = Date.now() - Date.parse(at) > RECENT_MS;
    const isRepeated = reason === "signature_replayed" && count <= REPEATED_MAX;
    return check("refused requests", isOld || isRepeated, isOld ? `${what}. ${fix}` : what, fix);
  });
}

export function check(name: string, ok: boolean, detail: string, fix = ""): Check {
  return { check: name, ok, detail, fix: ok ? "" : fix };
}

function messageOf(error: unknown, baseUrl: string): string {
  return String(failureOf(error, baseUrl).error["message"]);
}
