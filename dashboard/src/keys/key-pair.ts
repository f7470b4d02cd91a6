/** A key pair that the API has just returned, for the only time. */
export interface NewPair {
  readonly api_key: string;
  readonly api_secret: string | null;
}

/** Returns what a dialog shows of a new pair. */
export function secretsOf({ api_key, api_secret }: NewPair): [label: string, secret: string][] {
  return [["API key", api_key], ...(api_secret === null ? [] : [["API secret", api_secret] as [string, string]])];
}

/** Returns the lines of a `.env` file, with the variables that the SDKs read. */
export function environmentOf({ api_key, api_secret }: NewPair): string {
  return `PURSER_API_KEY=${api_key}\n${api_secret === null ? "" : `PURSER_API_SECRET=${api_secret}\n`}`;
}
