import { closeSync, fchmodSync, openSync, renameSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { AppError } from "../../foundation/errors.ts";
import { parseJson } from "../../foundation/text.ts";
import type { ExpiringMap } from "./expiring-map.ts";
import { CLAIM_MARGIN_MS } from "./fast-state-rules.ts";

/** The file is replaced by one without expired claims if it has this number of lines, and this number for each claim. */
const LINES_MAX = 1_000;
const LINES_PER_CLAIM_MAX = 4;

const OWNER_ONLY = 0o600;

const claimLine = Compile(Type.Tuple([Type.String(), Type.Number(), Type.Union([Type.String(), Type.Null()])]));

/** A claim on a single-use id until `expiresAtMs`. Later callers that claim the same id receive `note`. */
export interface Claim {
  readonly id: string;
  readonly expiresAtMs: number;
  readonly note: string | null;
}

/**
 * Writes text to a file descriptor and returns the number of bytes written. Tests replace it to simulate disk errors.
 */
export type WriteText = (fd: number, text: string) => number;

/**
 * A log of the claims that must survive a restart (docs/rules/replay-protection.md). Each claim is one line of JSON,
 * written without fsync.
 */
export class ClaimsFile {
  readonly #path: string;
  readonly #claims: ExpiringMap<Claim>;
  readonly #write: WriteText;
  #fd: number | undefined;
  #isClosed = false;
  /** Infinite until the first claim, which starts a new file. */
  #lines = Number.POSITIVE_INFINITY;
  /** Whether the last line may be incomplete after a failed write. */
  #torn = false;

  /** @param claims all claims that have not expired */
  constructor(path: string, claims: ExpiringMap<Claim>, write: WriteText = writeSync) {
    this.#path = path;
    this.#claims = claims;
    this.#write = write;
  }

  /**
   * Returns after the operating system has accepted the line. Throws `service_unavailable` and makes no claim if the
   * write fails.
   */
  append(claim: Claim, nowMs: number): void {
    try {
      if (this.#isClosed) throw new Error("The claims file is closed.");
      const linesMax = Math.max(LINES_MAX, LINES_PER_CLAIM_MAX * this.#claims.size);
      const fd = this.#fd === undefined || this.#lines >= linesMax ? this.#replace(nowMs) : this.#fd;
      const line = this.#torn ? `\n${toLine(claim)}` : toLine(claim);
      this.#torn = true;
      this.#writeAll(fd, line);
      this.#torn = false;
      this.#lines += 1;
    } catch (cause) {
      throw new AppError("service_unavailable", { internal: "could not append to the claims file", cause });
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Replaces the file by one with the claims that have not expired. If this fails, the old file stays in use. */
  #replace(nowMs: number): number {
    const lines = [...this.#claims.values()].filter((claim) => keepUntilMs(claim) > nowMs).map(toLine);
    const newPath = `${this.#path}.new`;
    const fd = openSync(newPath, "w", OWNER_ONLY);
    try {
      fchmodSync(fd, OWNER_ONLY);
      if (lines.length > 0) this.#writeAll(fd, lines.join(""));
      renameSync(newPath, this.#path);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = fd;
    this.#lines = lines.length;
    this.#torn = false;
    return fd;
  }

  #writeAll(fd: number, text: string): void {
    const written = this.#write(fd, text);
    // Writing to a full disk can store only part of the text without an error.
    if (written !== Buffer.byteLength(text)) throw new Error(`Only ${written} bytes were written.`);
  }
}

/** Returns the claims in the file, including expired ones, in the order in which they were made. */
export async function readClaims(path: string): Promise<readonly Claim[]> {
  // Creates the file if it is missing. Rejects if the folder is missing.
  await using file = await open(path, "a+", OWNER_ONLY);
  const claims: Claim[] = [];
  for await (const text of file.readLines({ autoClose: false })) {
    const claim = parseLine(text);
    if (claim !== undefined) claims.push(claim);
  }
  return claims;
}

/** The time until which a claim must be stored, including a margin for clock differences. */
export function keepUntilMs(claim: Claim): number {
  return claim.expiresAtMs + CLAIM_MARGIN_MS;
}

function toLine({ id, expiresAtMs, note }: Claim): string {
  return `${JSON.stringify([id, expiresAtMs, note])}\n`;
}

/** Returns undefined if the line is incomplete. A claim on an incomplete line was never confirmed to a caller. */
function parseLine(text: string): Claim | undefined {
  const line = parseJson(text);
  if (!claimLine.Check(line)) return undefined;
  const [id, expiresAtMs, note] = line;
  return { id, expiresAtMs, note };
}
