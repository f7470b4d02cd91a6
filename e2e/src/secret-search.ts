/** A piece of this length turns up in no text by chance, in none of the forms below. */
const PIECE_LENGTH = 16;

/** What stands in front of secrets and is none itself. */
const PREFIX = /^svc_s[ks]_(live|test)_/;

/** A key for the simulators is its account's name behind this word. The name is told to everybody, so it counts whole. */
const NAMED_KEY = "sandbox-";

/**
 * Looks for known secrets in texts, whole or in any piece of 16 characters, as they are and in the disguises that a store may
 * give them: escaped in JSON or in an address, in hex, in base64 at each of its three places, and the bytes behind a secret
 * that is itself hex or base64. Shorter secrets count where they stand whole.
 *
 * @returns the names of those that a text holds
 */
export function createSecretSearch(secrets: ReadonlyMap<string, string>) {
  const pieces = piecesOf(secrets);
  return (text: string): string[] => {
    const found = new Set<string>();
    for (const [length, names] of pieces) {
      for (let at = 0; at + length <= text.length; at += 1) {
        const name = names.get(text.slice(at, at + length));
        if (name !== undefined) found.add(name);
      }
    }
    return [...found];
  };
}

/** The secrets' names by their pieces, and these by their length: a text is gone through once for each length. */
function piecesOf(secrets: ReadonlyMap<string, string>) {
  const pieces = new Map<number, Map<string, string>>();
  const add = (piece: string, name: string) => {
    const ofLength = pieces.get(piece.length) ?? new Map<string, string>();
    pieces.set(piece.length, ofLength.set(piece, name));
  };
  for (const [name, secret] of secrets) {
    const isWhole = secret.startsWith(NAMED_KEY);
    for (const form of formsOf(secret)) {
      for (const piece of isWhole ? [form] : windowsOf(form)) add(piece, name);
    }
  }
  return pieces;
}

function windowsOf(form: string): string[] {
  const count = Math.max(1, form.length - PIECE_LENGTH + 1);
  return Array.from({ length: count }, (_, at) => form.slice(at, at + PIECE_LENGTH));
}

function formsOf(secret: string): string[] {
  // Of a key in PEM each line counts for itself: how they are joined depends on where they stand.
  const lines = secret.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
  return lines.flatMap((line) => {
    const text = line.replace(PREFIX, "");
    const behind = bytesBehind(text).map((bytes) => bytes.toString("latin1"));
    const written = [text, ...behind].flatMap((form) => encodedFormsOf(form));
    return [
      text,
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
      ...behind,
      ...written,
    ];
  });
}

function encodedFormsOf(text: string): string[] {
  const bytes = Buffer.from(text, "latin1");
  const base64 = ["", "a", "ab"].map((before) =>
    // The first and last characters depend on what stands beside the secret.
    Buffer.concat([Buffer.from(before), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const forms = [
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [bytes.toString("hex"), ...forms].filter((form) => form.length >= PIECE_LENGTH / 2);
}

/** The bytes that a text writes down, where it does. */
function bytesBehind(text: string): Buffer[] {
  if (/^([0-9a-f]{2}){16,}$/.test(text)) return [Buffer.from(text, "hex")];
  return /^[\w-]{22,}$/.test(text) ? [Buffer.from(text, "base64url")] : [];
}
