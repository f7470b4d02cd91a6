import { createPrivateKey, createPublicKey } from "node:crypto";
import { isLoopbackAddress } from "../foundation/networks.ts";

/** Returns a check for URLs with one of these protocols, such as `https:`. */
export function isUrlOf(...protocols: readonly string[]): (text: string) => boolean {
  return (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** An http or https URL to which a path can be appended: without user, query or fragment. */
export function isPlainUrl(text: string): boolean {
  if (!isUrlOf("http:", "https:")(text) || /[?#]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

export function isSameUrl(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}

/** Connections to these addresses reach the same machine. */
const UNSPECIFIED = new Set(["0.0.0.0", "::"]);

export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname.toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const address = host.replace(/^\[|\]$/g, "");
  return isLoopbackAddress(address) || UNSPECIFIED.has(address);
}

/** An Ed25519 private key, PKCS #8 PEM. */
export function isEd25519Key(pem: string): boolean {
  return isKeyType(() => createPrivateKey(pem).asymmetricKeyType);
}

/**
 * An Ed25519 public key, SPKI PEM. Private keys are refused: OpenSSL would accept them, but the list of public keys is
 * published.
 */
export function isEd25519PublicKey(pem: string): boolean {
  return !pem.includes("PRIVATE") && isKeyType(() => createPublicKey(pem).asymmetricKeyType);
}

function isKeyType(read: () => string | undefined): boolean {
  try {
    return read() === "ed25519";
  } catch {
    return false;
  }
}
