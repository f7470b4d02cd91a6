import type { ProviderEnv } from "../../ports/service-provider.ts";

const PROTOCOLS: ReadonlySet<string> = new Set(["postgres:", "postgresql:"]);
const POOLER = "-pooler";
/** What the query may say. Others lead elsewhere: `host` and `hostaddr` take the place of the address's own. */
const PARAMETERS: ReadonlySet<string> = new Set(["sslmode", "channel_binding", "options"]);

interface ConnectionUri {
  readonly host: string;
  /** Empty: the usual one. */
  readonly port: string;
  readonly user: string;
  readonly database: string;
  readonly password: string;
  readonly parameters: readonly (readonly [string, string])[];
}

/**
 * The variables of a Neon project, out of the two addresses that Neon gives for it. Undefined where these cannot both be
 * the project's: when they do not lie below its proxy, or differ in more than the pooler.
 */
export function neonEnvOf(project: {
  readonly pooledUri: string;
  readonly unpooledUri: string;
  /** What the hosts of the project's computes end in: `c-2.us-east-2.aws.neon.tech`. */
  readonly proxyHost: string;
}): ProviderEnv | undefined {
  const pooled = parse(project.pooledUri);
  const unpooled = parse(project.unpooledUri);
  if (!pooled || !unpooled) return undefined;
  const { proxyHost } = project;
  if (pooled.host !== proxyHost && !pooled.host.endsWith(`.${proxyHost}`)) return undefined;
  if (!isSamePlace(pooled, unpooled)) return undefined;
  return {
    DATABASE_URL: format(pooled),
    DATABASE_URL_UNPOOLED: format(unpooled),
    PGHOST: pooled.host,
    PGUSER: pooled.user,
    PGDATABASE: pooled.database,
    PGPASSWORD: pooled.password,
  };
}

function parse(uri: string): ConnectionUri | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(
      uri,
    );
    const parts = {
      host: hostname,
      user: decodeURIComponent(username),
      database: decodeURIComponent(pathname.slice(1)),
      password: decodeURIComponent(password),
    };
    const parameters = [...searchParams];
    const isWhole =
      PROTOCOLS.has(protocol) &&
      hash === "" &&
      // One host, by its name: neither a list of them, which this scheme lets through, nor the path of a socket.
      /^[a-z0-9.-]+$/i.test(hostname) &&
      Object.values(parts).every(Boolean) &&
      areAllowed(parameters) &&
      // The parser takes line breaks out of an address, in silence.
      [uri, ...Object.values(parts), ...parameters.flat()].every(isPlain);
    return isWhole ? { ...parts, port, parameters } : undefined;
  } catch {
    // Neither an address nor well escaped.
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

/** Out of the parts that were looked at, so that nobody reads in it what was overlooked. */
function format({ host, port, user, database, password, parameters }: ConnectionUri): string {
  const [name, secret, path] = [user, password, database].map(encodeURIComponent);
  const place = port === "" ? host : `${host}:${port}`;
  // Not with URLSearchParams, whose "+" for a space PostgreSQL's own parser does not read.
  const query = parameters.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  return `postgresql://${name}:${secret}@${place}/${path}${query === "" ? "" : `?${query}`}`;
}

function isSamePlace(pooled: ConnectionUri, unpooled: ConnectionUri): boolean {
  return (
    withoutPooler(pooled.host) === unpooled.host &&
    pooled.port === unpooled.port &&
    pooled.user === unpooled.user &&
    pooled.database === unpooled.database &&
    pooled.password === unpooled.password
  );
}

/** `ep-silent-smoke-806639-pooler.…` and `ep-silent-smoke-806639.…` are one compute. */
function withoutPooler(host: string): string {
  const [compute = "", ...rest] = host.split(".");
  return [compute.endsWith(POOLER) ? compute.slice(0, -POOLER.length) : compute, ...rest].join(".");
}
