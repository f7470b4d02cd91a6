/** Shorter pieces than this turn up in any text by chance. */
const PIECE_LENGTH = 20;

/**
 * The names of the secrets that a text holds, whole or in a telling part: of a key in PEM each line counts, of the rest
 * the last characters, since what stands in front of them (`svc_sk_live_`) is no secret.
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
