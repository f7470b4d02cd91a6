import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { createJwksTokenIssuers } from "./jwks-token-issuers.ts";

const ISSUER = "https://issuer.example";
const AUDIENCE = "https://purser.example";
const NOW = new Date("2026-11-21T10:00:00.000Z");
const SECONDS = NOW.getTime() / 1_000;
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: "agent", jti: "1", exp: SECONDS + 60 };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKey(alg: "EdDSA" | "ES256" | "RS256" = "EdDSA"): IssuerKey {
  const pair =
    alg === "EdDSA"
      ? generateKeyPairSync("ed25519")
      : alg === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...pair, kid: randomUUID(), alg };
}

/** Serves an issuer's keys. Tests change `keys` and `act`. */
async function startIssuer(coolDownMs = 30_000) {
  const state = { keys: [newKey()], status: 200, fetches: 0, body: "" };
  const server = createServer((_request, response) => {
    state.fetches += 1;
    const keys = state.keys.map(({ publicKey, kid, alg }) => ({
      ...publicKey.export({ format: "jwk" }),
      kid,
      alg,
    }));
    response.writeHead(state.status, { "content-type": "application/json" });
    response.end(state.body || JSON.stringify({ keys }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  const issuers = createJwksTokenIssuers([{ issuer: ISSUER, jwksUrl }], {
    timeoutMs: 1_000,
    coolDownMs,
  });
  const verify = (token: string) => issuers.verify({ token, audience: AUDIENCE, now: NOW });
  const failureOf = (token: string) =>
    verify(token).then(
      () => "none",
      ({ failure }) => failure,
    );
  return { state, verify, failureOf };
}

function tokenOf(
  { alg, kid, privateKey }: IssuerKey,
  claims: Readonly<Record<string, unknown>> = {},
  header: object = {},
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}

describe("verify", () => {
  it.each(["EdDSA", "ES256", "RS256"] as const)("returns the facts of a token: %s", async (alg) => {
    const { state, verify } = await startIssuer();
    state.keys = [newKey(alg)];
    const [key = newKey()] = state.keys;

    expect(await verify(await tokenOf(key, { agent_id: "other", owner: "o" }))).toEqual({
      issuer: ISSUER,
      tokenId: "1",
      subjects: ["agent", "other"],
      owner: "o",
      expiresAt: new Date(NOW.getTime() + 60_000),
    });
  });

  it.each([
    ["another issuer", { iss: "https://other.example" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "https://other.example" }],
    ["no expiry", { exp: undefined }],
    ["no id", { jti: undefined }],
    ["expired", { exp: SECONDS }],
    ["not valid yet", { nbf: SECONDS + 60 }],
  ])("unauthorized: %s", async (_what, claims) => {
    const { state, failureOf } = await startIssuer();
    const [key = newKey()] = state.keys;

    expect(await failureOf(await tokenOf(key, claims))).toBe("unauthorized");
  });

  it("unauthorized: a malformed token, another key, or a key in the token", async () => {
    const { state, failureOf } = await startIssuer();
    const [key = newKey()] = state.keys;
    const forged = newKey();
    const jwk = forged.publicKey.export({ format: "jwk" });
    const header = { kid: key.kid, jwk, jku: "http://127.0.0.1:1/jwks" };

    expect(await failureOf("a.b.c")).toBe("unauthorized");
    expect(await failureOf(await tokenOf({ ...forged, kid: key.kid }))).toBe("unauthorized");
    expect(await failureOf(await tokenOf(forged, {}, header))).toBe("unauthorized");
    expect(state.fetches).toBe(1);
  });

  it("unauthorized: an unsigned token, or one that is signed with the public key as a secret", async () => {
    const { state, failureOf } = await startIssuer();
    const [key = newKey()] = state.keys;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const secret = key.publicKey.export({ format: "der", type: "spki" });
    const hmac = await new SignJWT(CLAIMS).setProtectedHeader({ alg: "HS256", kid: key.kid }).sign(secret);

    expect(await failureOf(`${part({ alg: "none" })}.${part(CLAIMS)}.`)).toBe("unauthorized");
    expect(await failureOf(hmac)).toBe("unauthorized");
  });

  it("fetches the keys once, and again for an unknown key id", async () => {
    const { state, failureOf } = await startIssuer(0);
    const [first = newKey()] = state.keys;
    expect(await failureOf(await tokenOf(first))).toBe("none");
    expect(await failureOf(await tokenOf(first))).toBe("none");
    expect(state.fetches).toBe(1);
    const second = newKey();
    state.keys = [second];

    expect(await failureOf(await tokenOf(second))).toBe("none");
    expect(await failureOf(await tokenOf(first))).toBe("unauthorized");
  });

  it.each([
    ["an error", { status: 500 }],
    ["a redirect", { status: 302 }],
    ["a page", { body: "<html>" }],
    ["no keys", { body: "{}" }],
    ["more than 1 MiB", { body: JSON.stringify({ keys: [], more: "x".repeat(1_048_576) }) }],
  ])("unavailable: the issuer responds with %s", async (_what, change) => {
    const { state, failureOf } = await startIssuer();
    const [key = newKey()] = state.keys;
    Object.assign(state, change);

    expect(await failureOf(await tokenOf(key))).toBe("unavailable");
  });
});
