/** Returns a system error's code, for example `ENOENT`. Returns undefined for any other value. */
export function errno(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Returns the result of a file operation, or undefined if the file does not exist. */
export async function ifExists<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (thrown) {
    if (errno(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}
