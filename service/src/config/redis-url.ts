const SENTINEL_URL =
  /^(rediss?)\+sentinel:\/\/(?:([^:@/]*):([^@/]*)@)?([\w.-]+(?::\d+)?(?:,[\w.-]+(?::\d+)?)*)\/([\w.-]+)$/;

/**
 * Reads `redis+sentinel://user:password@host:port,host:port/master-name`, or `rediss+sentinel:` for TLS: the login at the
 * Redis servers, the Sentinels, and what they call the master. Returns undefined for any other text.
 */
export function parseSentinelUrl(text: string) {
  const [, protocol, username, password, hosts = "", name = ""] = SENTINEL_URL.exec(text) ?? [];
  if (protocol === undefined) return undefined;
  const sentinels = hosts.split(",").map((address) => {
    const [host = "", port = "26379"] = address.split(":");
    return { host, port: Number(port) };
  });
  return {
    ...{ sentinels, name },
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === "rediss" && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}
