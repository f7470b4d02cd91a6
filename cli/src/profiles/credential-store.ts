import { CliError, EXIT_CODES } from "../cli-error.ts";
import { readJsonFile, writePrivateJson } from "../json-file.ts";

/** A key pair. `private_key` is the PEM of an Ed25519 key, and then takes the place of the secret. */
export interface Credentials {
  readonly api_key: string;
  readonly api_secret?: string;
  readonly private_key?: string;
}

/** Where a profile's credentials are: in the keychain of the operating system, or in a file that only the user can read. */
export type CredentialPlace = "keyring" | "file";

const SERVICE = "purser";
/** A locked keychain can wait for a person. */
const KEYRING_MAX_MS = 20_000;

export interface CredentialStore {
  /** Stores the credentials in the keychain, or in the file if there is none. `reason` says why not in the keychain. */
  save(profile: string, credentials: Credentials): Promise<{ place: CredentialPlace; reason?: string }>;
  /** @throws CliError if the credentials cannot be read. */
  read(profile: string, place: CredentialPlace): Promise<Credentials>;
  remove(profile: string, place: CredentialPlace): Promise<void>;
}

/** @param useKeyring false to use only the file, as `PURSER_KEYRING=off` asks for */
export function credentialStore(file: string, useKeyring: boolean): CredentialStore {
  const readFile = () => readJsonFile<Record<string, Credentials>>(file) ?? {};
  return {
    async save(profile, credentials) {
      const reason = useKeyring ? await saveInKeyring(profile, credentials) : "PURSER_KEYRING is off";
      if (reason === undefined) return { place: "keyring" };
      writePrivateJson(file, { ...readFile(), [profile]: credentials });
      return { place: "file", reason };
    },
    async read(profile, place) {
      const found = place === "file" ? readFile()[profile] : await readFromKeyring(profile);
      if (found !== undefined) return found;
      throw new CliError({
        message: `The credentials of the profile "${profile}" are missing in ${place === "file" ? file : "the keychain"}.`,
        code: "credentials_missing",
        exitCode: EXIT_CODES.auth,
        nextSteps: [`purser login --profile ${profile}`],
      });
    },
    async remove(profile, place) {
      if (place === "keyring") await withKeyring(profile, (entry, signal) => entry.deletePassword(signal));
      else {
        const { [profile]: _removed, ...rest } = readFile();
        writePrivateJson(file, rest);
      }
    },
  };
}

/** Returns why the keychain cannot be used, or undefined if it has the credentials now. */
async function saveInKeyring(profile: string, credentials: Credentials): Promise<string | undefined> {
  try {
    // Without a keychain, Linux keeps what is written in the memory of the kernel, from which it cannot be deleted. So the
    // first text is no secret.
    await withKeyring("probe", async (entry, signal) => {
      await entry.setPassword("probe", signal);
      await entry.deletePassword(signal);
    });
    await withKeyring(profile, (entry, signal) => entry.setPassword(JSON.stringify(credentials), signal));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function readFromKeyring(profile: string): Promise<Credentials | undefined> {
  try {
    const text = await withKeyring(profile, (entry, signal) => entry.getPassword(signal));
    return text ? JSON.parse(text) : undefined;
  } catch (error) {
    throw new CliError({
      message: `The keychain could not be read: ${reasonOf(error)}.`,
      code: "keyring_unavailable",
      exitCode: EXIT_CODES.auth,
      nextSteps: [
        "Unlock the keychain and try again.",
        `Or keep the key in a file: PURSER_KEYRING=off purser login --profile ${profile}`,
      ],
    });
  }
}

type Entry = InstanceType<typeof import("@napi-rs/keyring").AsyncEntry>;

/** The package is optional, and loaded only when it is used. */
async function withKeyring<Result>(
  profile: string,
  use: (entry: Entry, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return use(new AsyncEntry(SERVICE, profile), AbortSignal.timeout(KEYRING_MAX_MS));
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return "the package @napi-rs/keyring is not installed";
  }
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
