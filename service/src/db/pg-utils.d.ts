/** A part of the driver that its types leave out. */
declare module "pg/lib/utils.js" {
  /** Text as the server reads it, or bytes, or null. */
  export function prepareValue(value: unknown): string | Uint8Array | null;
}
