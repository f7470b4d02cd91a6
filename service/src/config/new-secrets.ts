import { generateKeyPairSync, randomBytes } from "node:crypto";

/** Returns random secrets, by environment variable, for a deployment that exists only for one run. */
export function newSecrets() {
  return {
    PURSER_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PURSER_STATEMENT_KEY: newEd25519Key(),
    PURSER_ACCESS_TOKEN_KEY: newEd25519Key(),
    PURSER_ADMIN_TOKEN_KEY: newEd25519Key(),
    PURSER_CAPTCHA_SECRET: randomBytes(32).toString("hex"),
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString("hex")}`,
    STRIPE_TEST_SECRET_KEY: `sk_test_${randomBytes(16).toString("hex")}`,
  };
}

export function newEd25519Key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
