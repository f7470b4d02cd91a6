import { describe, expect, it } from "vitest";
import { neonEnvOf } from "./neon-env.ts";

const PROXY_HOST = "c-2.us-east-2.aws.neon.tech";
const UNPOOLED = `postgresql://neondb_owner:npg_a%2Fb@ep-silent-smoke-806639.${PROXY_HOST}/neondb?sslmode=require`;
const POOLED = UNPOOLED.replace("806639.", "806639-pooler.");

describe("neonEnvOf", () => {
  it("returns both connection URIs and the parts of the pooled one", () => {
    const env = neonEnvOf({ pooledUri: POOLED, unpooledUri: UNPOOLED, proxyHost: PROXY_HOST });

    expect(env).toEqual({
      DATABASE_URL: POOLED,
      DATABASE_URL_UNPOOLED: UNPOOLED,
      PGHOST: `ep-silent-smoke-806639-pooler.${PROXY_HOST}`,
      PGUSER: "neondb_owner",
      PGDATABASE: "neondb",
      PGPASSWORD: "npg_a/b",
    });
  });

  it("preserves the allowed query parameters and the port", () => {
    const more = "sslmode=verify-full&channel_binding=require&options=endpoint%3Dep-silent%20x";
    const [pooledUri = "", unpooledUri = ""] = [POOLED, UNPOOLED].map((uri) =>
      uri.replace("/neondb?sslmode=require", `:5433/neondb?${more}`),
    );

    const env = neonEnvOf({ pooledUri, unpooledUri, proxyHost: PROXY_HOST });

    expect(env).toMatchObject({ DATABASE_URL: pooledUri, DATABASE_URL_UNPOOLED: unpooledUri });
  });

  it("rebuilds the URIs, with all special characters escaped", () => {
    const [pooledUri = "", unpooledUri = ""] = [POOLED, UNPOOLED].map((uri) => uri.replace("npg_", "npg'$"));

    const env = neonEnvOf({ pooledUri, unpooledUri, proxyHost: PROXY_HOST });

    expect(env).toMatchObject({
      DATABASE_URL: expect.stringContaining(":npg'%24a%2Fb@"),
      PGPASSWORD: "npg'$a/b",
    });
  });

  const both = (from: string, to: string) => [POOLED.replace(from, to), UNPOOLED.replace(from, to)];
  // Replaces `from` with `to` in the unpooled URI. Returns the result twice, because the test uses it both as the
  // pooled and as the unpooled URI.
  const twice = (from: string, to: string) => Array(2).fill(UNPOOLED.replace(from, to));
  it.each([
    ["another region's hosts", ...both("us-east-2", "us-west-2")],
    ["hosts with the same suffix but a different domain", ...both(".c-2.", ".evil-c-2.")],
    ["another project's compute", POOLED.replace("806639", "806640"), UNPOOLED],
    ["another user in one", POOLED.replace("neondb_owner", "eve"), UNPOOLED],
    ["another database in one", POOLED.replace("/neondb?", "/eve?"), UNPOOLED],
    ["another password in one", POOLED.replace("npg_", "npg-"), UNPOOLED],
    ["another port in one", POOLED.replace("/neondb?", ":1/neondb?"), UNPOOLED],
    ["another protocol", ...both("postgresql:", "mysql:")],
    ["no password", ...both(":npg_a%2Fb", "")],
    ["no user", ...both("neondb_owner", "")],
    ["no database", ...both("/neondb?", "/?")],
    ["a malformed escape", ...both("%2F", "%F")],
    ["not a URL", "neondb", "neondb"],
    ["another host in the query", ...both("?", "?host=evil.example&")],
    ["another host in the query, escaped", ...both("?", "?%68ostaddr=192.0.2.1&")],
    ["a file in the query", ...both("?", "?passfile=/tmp/x&")],
    ["a repeated parameter", ...both("?", "?sslmode=disable&")],
    ["a fragment", `${POOLED}#x`, `${UNPOOLED}#x`],
    ["several hosts", ...twice("@", "@evil.example,")],
    ["several hosts, escaped", ...twice("@", "@evil.example%2C")],
    ["a socket path as the host", ...twice("@", "@%2Ftmp%2F.")],
    ["a line break", ...both("neondb?", "neondb\n?")],
    ["a line break in the password", ...both("npg_", "npg_%0A")],
    ["NUL in the user", ...both("neondb_owner", "neondb_owner%00")],
    ["a lone surrogate in the database", ...both("neondb?", "neondb\ud800?")],
    ["connections without TLS", ...both("sslmode=require", "sslmode=disable")],
    ["certificates that are not verified", ...both("sslmode=require", "sslmode=no-verify")],
    ["options with a line break", ...both("?", "?options=a%0Ab&")],
  ])("undefined: %s", (_what, pooledUri = "", unpooledUri = "") => {
    expect(neonEnvOf({ pooledUri, unpooledUri, proxyHost: PROXY_HOST })).toBeUndefined();
  });
});
