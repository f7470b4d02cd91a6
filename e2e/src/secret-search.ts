/** Number of characters to search for. This many characters of a secret do not occur in a text by chance. */
const PIECE_LENGTH = 16;

/** Prefixes of API keys and secrets. The prefixes are not secret. */
const PREFIX = /^svc_s[ks]_(live|test)_/;

/**
 * Prefix of a simulator key. The rest of the key is an account name. The name alone is not secret, so only the whole
 * key is searched for.
 */
const NAMED_KEY = "sandbox-";

/**
 * Returns a function that finds the secrets in a text and returns their names. A secret is found if any 16 consecutive
 * characters of it occur, even if escaped for JSON or a URL, or encoded as hex or base64. If a secret is itself hex or
 * base64, its decoded bytes are searched for too. Secrets shorter than 16 characters are searched for as a whole.
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

/** Maps each piece to the name of its secret, grouped by piece length. A text is scanned once per length. */
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
  // Each line of a PEM key is searched for separately, because line breaks can be stored in different forms.
  const lines = secret.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
  return lines.flatMap((line) => {
    const text = line.replace(PREFIX, "");
    const decoded = decode(text).map((bytes) => bytes.toString("latin1"));
    const encoded = [text, ...decoded].flatMap((form) => encodedFormsOf(form));
    return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), ...decoded, ...encoded];
  });
}

function encodedFormsOf(text: string): string[] {
  const bytes = Buffer.from(text, "latin1");
  const base64 = ["", "a", "ab"].map((before) =>
    // The first and last four base64 characters are removed, because they also depend on the text before and after the
    // secret.
    Buffer.concat([Buffer.from(before), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const forms = [...base64, ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
  return [bytes.toString("hex"), ...forms].filter((form) => form.length >= PIECE_LENGTH / 2);
}

/** Returns the decoded bytes if the text is hex or base64url, otherwise an empty list. */
function decode(text: string): Buffer[] {
  if (/^([0-9a-f]{2}){16,}$/.test(text)) return [Buffer.from(text, "hex")];
  return /^[\w-]{22,}$/.test(text) ? [Buffer.from(text, "base64url")] : [];
}
