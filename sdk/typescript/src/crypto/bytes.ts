/** Encodings of bytes. Node's `Buffer` does not exist on every runtime. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the bytes of hex digits. The caller has checked that they are an even number of hex digits. */
export function fromHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Returns undefined if the text is not Base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Returns undefined unless the text is exactly what `toBase64Url` returns for these bytes. */
export function fromBase64Url(text: string): Bytes | undefined {
  const bytes = fromBase64(String(text).replaceAll("-", "+").replaceAll("_", "/"));
  return bytes !== undefined && toBase64Url(bytes) === text ? bytes : undefined;
}
