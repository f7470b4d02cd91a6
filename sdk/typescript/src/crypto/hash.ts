import { type Bytes, toBytes, toHex } from "./bytes.ts";

export type WebCryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Node's own module, which Bun and Deno also have. It is not imported, because other runtimes do not have it. WebCrypto,
 * which every runtime has, takes 20 times as long, because each call runs in another thread.
 */
const node = globalThis.process?.getBuiltinModule?.("node:crypto");

/** Returns the SHA-256 in lowercase hex. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  if (node) return node.createHash("sha256").update(data).digest("hex");
  const bytes = typeof data === "string" ? toBytes(data) : new Uint8Array(data);
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Returns the HMAC-SHA256 in lowercase hex. */
export async function hmacSha256Hex(key: string, text: string): Promise<string> {
  if (node) return node.createHmac("sha256", key).update(text).digest("hex");
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", await importHmacKey(key, "sign"), toBytes(text))));
}

/** Returns the key of `crypto.subtle` for HMAC-SHA256. */
export function importHmacKey(key: string | Bytes, usage: "sign" | "verify"): Promise<WebCryptoKey> {
  const bytes = typeof key === "string" ? toBytes(key) : key;
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}
