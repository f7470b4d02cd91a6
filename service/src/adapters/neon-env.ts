import type { ProviderEnv } from "../ports/service-provider.ts";

const PROTOCOLS: ReadonlySet<string> = new Set(["postgres:", "postgresql:"]);
const POOLER = "-pooler";

interface ConnectionUri {
  readonly host: string;
  /** Empty: the usual one. */
  readonly port: string;
  readonly user: string;
  readonly database: string;
  readonly password: string;
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
    DATABASE_URL: project.pooledUri,
    DATABASE_URL_UNPOOLED: project.unpooledUri,
    PGHOST: pooled.host,
    PGUSER: pooled.user,
    PGDATABASE: pooled.database,
    PGPASSWORD: pooled.password,
  };
}

function parse(uri: string): ConnectionUri | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname } = new URL(uri);
    const parts = {
      host: hostname,
      user: decodeURIComponent(username),
      database: decodeURIComponent(pathname.slice(1)),
      password: decodeURIComponent(password),
    };
    const isWhole = PROTOCOLS.has(protocol) && Object.values(parts).every(Boolean);
    return isWhole ? { ...parts, port } : undefined;
  } catch {
    // Neither an address nor well escaped.
    return undefined;
  }
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
