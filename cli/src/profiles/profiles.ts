import { homedir } from "node:os";
import { join } from "node:path";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import { readJsonFile, writePrivateJson } from "../json-file.ts";
import type { Environment } from "../terminal.ts";
import { type CredentialPlace, type Credentials, credentialStore } from "./credential-store.ts";

export const DEFAULT_PROFILE = "default";
/** Where `npm start` serves. */
export const DEFAULT_BASE_URL = "http://127.0.0.1:8080";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A login that was saved: a server, and the key pair for it. */
export interface Profile {
  readonly base_url: string;
  readonly mode: "live" | "test";
  readonly key_id: string | null;
  readonly email: string | null;
  readonly credentials_in: CredentialPlace;
}

interface ProfileFile {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export class Profiles {
  readonly #file: string;
  readonly #store;

  constructor(environment: Environment) {
    const folder = configFolder(environment);
    this.#file = join(folder, "profiles.json");
    this.#store = credentialStore(join(folder, "credentials.json"), environment["PURSER_KEYRING"] !== "off");
  }

  get current(): string {
    return this.#read().current;
  }

  all(): Readonly<Record<string, Profile>> {
    return this.#read().profiles;
  }

  find(name: string): Profile | undefined {
    const { profiles } = this.#read();
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  }

  /** @throws CliError if there is no such profile. */
  get(name: string): Profile {
    const found = this.find(name);
    if (found !== undefined) return found;
    const names = Object.keys(this.all());
    throw new CliError({
      message: `There is no profile "${name}". ${names.length === 0 ? "None is saved yet." : `Saved are: ${names.join(", ")}.`}`,
      code: "profile_not_found",
      exitCode: EXIT_CODES.auth,
      nextSteps: [`purser login --profile ${name}`],
    });
  }

  credentials(name: string): Promise<Credentials> {
    return this.#store.read(name, this.get(name).credentials_in);
  }

  /** @throws CliError if a profile cannot have the name, or cannot be saved. */
  checkName(name: string): void {
    if (!NAME.test(name)) {
      throw new CliError({
        message:
          "A profile's name has 1 to 63 letters, digits, dots, underscores and hyphens, and starts with a letter or digit.",
        code: "invalid_profile_name",
        exitCode: EXIT_CODES.usage,
      });
    }
    writePrivateJson(this.#file, this.#read());
  }

  /**
   * Saves a profile. It becomes the current one, unless there is a current one and the user has named this one. `reason` says
   * why its credentials are not in the keychain.
   */
  async save(
    name: string,
    profile: Omit<Profile, "credentials_in">,
    credentials: Credentials,
    { isNamed }: { readonly isNamed: boolean },
  ): Promise<{ place: CredentialPlace; reason?: string }> {
    this.checkName(name);
    const saved = await this.#store.save(name, credentials);
    const profiles = { ...this.all(), [name]: { ...profile, credentials_in: saved.place } };
    const keeps = isNamed && this.find(this.current) !== undefined;
    writePrivateJson(this.#file, { current: keeps ? this.current : name, profiles });
    return saved;
  }

  use(name: string): Profile {
    const profile = this.get(name);
    writePrivateJson(this.#file, { current: name, profiles: this.all() });
    return profile;
  }

  async remove(name: string): Promise<void> {
    const { credentials_in: place } = this.get(name);
    const { [name]: _removed, ...profiles } = this.all();
    const { current } = this;
    const next = Object.hasOwn(profiles, current) ? current : (Object.keys(profiles)[0] ?? DEFAULT_PROFILE);
    writePrivateJson(this.#file, { current: next, profiles });
    await this.#store.remove(name, place);
  }

  #read(): ProfileFile {
    return readJsonFile<ProfileFile>(this.#file) ?? { current: DEFAULT_PROFILE, profiles: {} };
  }
}

/** `~/.config/purser`, or the place that the system or the user prefers. */
function configFolder(environment: Environment): string {
  const chosen = environment["PURSER_CONFIG_DIR"];
  if (chosen) return chosen;
  const base = process.platform === "win32" ? environment["APPDATA"] : environment["XDG_CONFIG_HOME"];
  return join(base || join(homedir(), ".config"), "purser");
}
