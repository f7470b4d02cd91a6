import { createHash, createSecretKey, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnvelopeError, open, seal } from "../../crypto/envelope.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { fingerprintOf, openServiceEnv, sealServiceEnv, serviceEnvProblem, toProjectNames } from "./service-env.ts";

const envNames = { DATABASE_URL: "APP_DATABASE_URL", PGHOST: "PGHOST" };
const env = { DATABASE_URL: "postgres://u:p@h/d", PGHOST: "h" };

describe("toProjectNames", () => {
  it("returns the values under their names in the project, and omits variables without one", () => {
    const more = { ...env, constructor: "x", toString: "y", NEW: "z" };

    expect(toProjectNames({ envNames }, more)).toEqual({
      APP_DATABASE_URL: env.DATABASE_URL,
      PGHOST: "h",
    });
  });
});

describe("serviceEnvProblem", () => {
  it("returns undefined for the catalog's names with values of up to 32 KiB, including empty ones", () => {
    expect(serviceEnvProblem({ envNames }, env)).toBeUndefined();
    expect(serviceEnvProblem({ envNames }, { DATABASE_URL: "é".repeat(16 * 1024), PGHOST: "" })).toBeUndefined();
  });

  it.each([
    ["a missing name", { PGHOST: "h" }, "DATABASE_URL is missing"],
    ["an unknown name", { ...env, LD_PRELOAD: "/x.so" }, "more names than in the catalog"],
    ["a NUL character", { ...env, PGHOST: "a\0b" }, "PGHOST is too long or not text"],
    ["an unpaired surrogate", { ...env, PGHOST: "a\ud800" }, "PGHOST is too long or not text"],
    ["a value of more than 32 KiB", { ...env, PGHOST: "é".repeat(16 * 1024 + 1) }, "PGHOST is too long or not text"],
  ])("returns the problem: %s", (_, given, problem) => {
    expect(serviceEnvProblem({ envNames }, given)).toBe(problem);
  });
});

describe("sealServiceEnv and openServiceEnv", () => {
  const dataKey = { version: 1, key: createSecretKey(randomBytes(32)) };
  const tenantId = "dev_1";
  const vault: TenantVault = {
    sealsUnder: 1,
    seal: (context, text) => seal(dataKey, { tenantId, ...context }, Buffer.from(text)),
    open: (context, sealed) => open(dataKey, { tenantId, ...context }, sealed),
    fingerprint: (text) => text,
  };
  const place = { serviceId: "srv_1", version: 1 } as const;

  it("return the same values for any environment", () => {
    const anyEnv = fc.dictionary(fc.stringMatching(/^[A-Z_]+$/), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(anyEnv, (values) => {
        const valueSealed = sealServiceEnv(vault, place, values);
        expect(openServiceEnv(vault, { ...place, valueSealed })).toEqual({ ...values });
      }),
    );
  });

  it.each([
    ["service", { serviceId: "srv_2" }],
    ["version", { version: 2 }],
  ] as const)("EnvelopeError: the ciphertext belongs to a different %s", (_, other) => {
    const valueSealed = sealServiceEnv(vault, place, env);

    expect(() => openServiceEnv(vault, { ...place, ...other, valueSealed })).toThrow(EnvelopeError);
  });

  it("EnvelopeError: the ciphertext is the service's password of the same version", () => {
    const context = { kind: "service_secret", subject: "srv_1", version: 1 };
    const password = vault.seal({ ...context, field: "password" }, "{}");
    const sealedEnv = vault.seal({ ...context, field: "env" }, "{}");

    expect(() => openServiceEnv(vault, { ...place, valueSealed: password })).toThrow(EnvelopeError);
    expect(openServiceEnv(vault, { ...place, valueSealed: sealedEnv })).toEqual({});
  });
});

describe("fingerprintOf", () => {
  it("returns the SHA-256 of the canonical JSON, whatever the order of the values", () => {
    const expected = createHash("sha256").update('{"A":"1","B":"é\\n"}').digest("hex");

    expect(fingerprintOf({ A: "1", B: "é\n" })).toBe(expected);
    expect(fingerprintOf({ B: "é\n", A: "1" })).toBe(expected);
  });
});
