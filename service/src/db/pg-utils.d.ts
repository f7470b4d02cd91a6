/** A module of the driver that its types do not declare. */
declare module "pg/lib/utils.js" {
  /** Serializes a value for the server: text, bytes or null. */
  export function prepareValue(value: unknown): string | Uint8Array | null;
}
