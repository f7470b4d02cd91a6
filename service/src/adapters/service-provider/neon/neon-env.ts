import { isLoopbackAddress } from "../../../foundation/networks.ts";
import type { ProviderEnv } from "../../../ports/service-provider.ts";

const PROTOCOLS: ReadonlySet<string> = new Set(["postgres:", "postgresql:"]);
const POOLER = "-pooler";
/**
 * The allowed query parameters. Other parameters could redirect the connection. For example, `host` and `hostaddr`
 * override the URL's host.
 */
const PARAMETERS: ReadonlySet<string> = new Set(["sslmode", "channel_binding", "options"]);
/** The modes that never connect without TLS. */
const TLS_MODES: ReadonlySet<string> = new Set(["require", "verify-ca", "verify-full"]);

interface ConnectionUri {
  readonly host: string;
  /** An empty string means the default port. */
  readonly port: string;
  readonly user: string;
  readonly database: string;
  readonly password: string;
  readonly parameters: readonly (readonly [string, string])[];
}

/**
 * Builds a Neon project's environment variables from its pooled and unpooled connection URIs. Returns undefined if a
 * URI is invalid, if its host is not in the domain `proxyHost`, if it allows connections without TLS to another machine,
 * or if the URIs are for different databases.
 */
export function neonEnvOf(project: {
  readonly pooledUri: string;
  readonly unpooledUri: string;
  /** The domain of the project's compute hosts, for example `c-2.us-east-2.aws.neon.tech`. */
  readonly proxyHost: string;
}): ProviderEnv | undefined {
  const pooled = parse(project.pooledUri);
  const unpooled = parse(project.unpooledUri);
  if (!pooled || !unpooled) return undefined;
  const { proxyHost } = project;
  if (pooled.host !== proxyHost && !pooled.host.endsWith(`.${proxyHost}`)) return undefined;
  if (!isSameDatabase(pooled, unpooled)) return undefined;
  if (!isLoopback(proxyHost) && ![pooled, unpooled].every(usesTls)) return undefined;
  return {
    DATABASE_URL: format(pooled),
    DATABASE_URL_UNPOOLED: format(unpooled),
    PGHOST: pooled.host,
    PGUSER: pooled.user,
    PGDATABASE: pooled.database,
    PGPASSWORD: pooled.password,
  };
}

/** Returns whether a host is this machine, where the simulator and its databases run without TLS. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function usesTls({ parameters }: ConnectionUri): boolean {
  return parameters.every(([name, value]) => name !== "sslmode" || TLS_MODES.has(value));
}

function parse(uri: string): ConnectionUri | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(uri);
    const parts = {
      host: hostname,
      user: decodeURIComponent(username),
      database: decodeURIComponent(pathname.slice(1)),
      password: decodeURIComponent(password),
    };
    const parameters = [...searchParams];
    const isValid =
      PROTOCOLS.has(protocol) &&
      hash === "" &&
      // The host must be a single hostname. In a `postgresql:` URL, `URL` also accepts a list of hosts or the path of a
      // socket.
      /^[a-z0-9.-]+$/i.test(hostname) &&
      Object.values(parts).every(Boolean) &&
      areAllowed(parameters) &&
      // Control characters are rejected in the original text too, because `URL` silently removes line breaks.
      [uri, ...Object.values(parts), ...parameters.flat()].every(isPlain);
    return isValid ? { ...parts, port, parameters } : undefined;
  } catch {
    // The text is not a URL, or contains a malformed percent-encoding.
    return undefined;
  }
}

function areAllowed(parameters: ConnectionUri["parameters"]): boolean {
  const names = parameters.map(([name]) => name);
  return names.every((name) => PARAMETERS.has(name)) && new Set(names).size === names.length;
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** Builds a URI from the validated parts only. */
function format({ host, port, user, database, password, parameters }: ConnectionUri): string {
  const [userPart, passwordPart, databasePart] = [user, password, database].map(encodeURIComponent);
  const authority = port === "" ? host : `${host}:${port}`;
  // URLSearchParams would encode a space as "+", which PostgreSQL's parser does not decode.
  const query = parameters.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  return `postgresql://${userPart}:${passwordPart}@${authority}/${databasePart}${query === "" ? "" : `?${query}`}`;
}

function isSameDatabase(pooled: ConnectionUri, unpooled: ConnectionUri): boolean {
  return (
    withoutPooler(pooled.host) === unpooled.host &&
    pooled.port === unpooled.port &&
    pooled.user === unpooled.user &&
    pooled.database === unpooled.database &&
    pooled.password === unpooled.password
  );
}

function withoutPooler(host: string): string {
  const [compute = "", ...rest] = host.split(".");
  return [compute.endsWith(POOLER) ? compute.slice(0, -POOLER.length) : compute, ...rest].join(".");
}
