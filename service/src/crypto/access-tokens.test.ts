import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { ADMIN_TOKENS, createAccessTokens, DASHBOARD_TOKENS } from "./access-tokens.ts";

const newPem = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

const PEM = newPem();
const NOW = new Date("2026-11-21T10:00:00.900Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const dashboard = createAccessTokens(PEM, DASHBOARD_TOKENS);
const admin = createAccessTokens(PEM, ADMIN_TOKENS);
const claims = { subject: "dev_1", sessionId: "ses_1" } as const;
const adminClaims = { subject: "adm_1", sessionId: "ses_2" } as const;

/** The payload of a valid dashboard token. Each test changes one part of it. */
const GOOD: JWTPayload = {
  iss: "purser",
  aud: "purser-dashboard",
  sub: "dev_1",
  sid: "ses_1",
  jti: "1",
  iat: NOW.getTime() / 1000 - 1,
  exp: NOW.getTime() / 1000 + 60,
};

function signed(payload: JWTPayload, header: { alg?: string; typ?: string } = {}, pem = PEM) {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header })
    .sign(createPrivateKey(pem));
}

describe("an access token", () => {
  it("returns the claims: it was issued with this key and for this kind", async () => {
    expect(await dashboard.verify(await dashboard.issue(claims, NOW), NOW)).toEqual(claims);
    expect(await admin.verify(await admin.issue(adminClaims, NOW), NOW)).toEqual(adminClaims);
    expect(await dashboard.verify(await signed(GOOD), NOW)).toEqual(claims);
  });

  it.each([
    ["dashboard", 900, () => dashboard.issue(claims, NOW), dashboard],
    ["admin", 600, () => admin.issue(adminClaims, NOW), admin],
  ] as const)("a %s token is valid until its lifetime ends", async (...test) => {
    const [, lifetimeSeconds, issue, tokens] = test;
    const token = await issue();

    expect(await tokens.verify(token, after(lifetimeSeconds - 1))).toBeDefined();
    expect(await tokens.verify(token, after(lifetimeSeconds + 1))).toBeUndefined();
  });

  it("is issued with the type, the algorithm and a unique id", async () => {
    const [one, other] = [await dashboard.issue(claims, NOW), await dashboard.issue(claims, NOW)];

    expect(decodeProtectedHeader(one)).toEqual({ alg: "EdDSA", typ: "at+jwt" });
    expect(decodeJwt(one)).toMatchObject({ iss: "purser", aud: "purser-dashboard", sub: "dev_1" });
    expect(decodeJwt(one).iat).toBe(Math.floor(NOW.getTime() / 1000));
    expect(decodeJwt(one).jti).not.toBe(decodeJwt(other).jti);
  });

  it("rejected: it is of a different kind, signed with the same key", async () => {
    expect(await admin.verify(await dashboard.issue(claims, NOW), NOW)).toBeUndefined();
    expect(await dashboard.verify(await admin.issue(adminClaims, NOW), NOW)).toBeUndefined();
  });

  it.each([
    ["a different issuer", { iss: "purser-admin" }],
    ["a different audience", { aud: "purser-admin" }],
    ["a subject of a different kind", { sub: "adm_1" }],
    ["a session that is not a string", { sid: 1 }],
    ["a subject that is not a string", { sub: 7 as unknown as string }],
  ])("rejected: it has %s", async (_, changed) => {
    expect(await dashboard.verify(await signed({ ...GOOD, ...changed }), NOW)).toBeUndefined();
  });

  it.each(["sub", "sid", "exp", "iat", "jti"])("rejected: it has no %s", async (claim) => {
    const { [claim]: _, ...rest } = GOOD;

    expect(await dashboard.verify(await signed(rest), NOW)).toBeUndefined();
  });

  it("rejected: an admin's token has a developer as its subject", async () => {
    const payload = { ...GOOD, iss: "purser-admin", aud: "purser-admin" };

    expect(await admin.verify(await signed({ ...payload, sub: "adm_1" }), NOW)).toBeDefined();
    expect(await admin.verify(await signed({ ...payload, sub: "dev_1" }), NOW)).toBeUndefined();
  });

  it("rejected: it was signed with a different key", async () => {
    expect(await dashboard.verify(await signed(GOOD, {}, newPem()), NOW)).toBeUndefined();
  });

  it("rejected: its header has a different type", async () => {
    expect(await dashboard.verify(await signed(GOOD, { typ: "JWT" }), NOW)).toBeUndefined();
  });

  it("rejected: its header has a different algorithm for the same key", async () => {
    expect(await dashboard.verify(await signed(GOOD, { alg: "Ed25519" }), NOW)).toBeUndefined();
  });

  it.each(["", "a.b.c", "no token"])("rejected: the text %j is not a token", async (text) => {
    expect(await dashboard.verify(text, NOW)).toBeUndefined();
  });
});
