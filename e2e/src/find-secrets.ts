/** Number of characters to search for. This many characters of a secret do not occur in a text by chance. */
const PIECE_LENGTH = 20;

/**
 * Returns the names of the secrets whose last 20 characters occur in the text. Only the last characters are searched
 * for, because prefixes such as `svc_sk_live_` are not secret. Each line of a PEM key counts as a separate secret.
 */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => piecesOf(secret).some((piece) => text.includes(piece)))
    .map(([name]) => name);
}

function piecesOf(secret: string): string[] {
  const lines = secret.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
  return lines.map((line) => line.slice(-PIECE_LENGTH));
}
