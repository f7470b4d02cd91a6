import { closeSync, fchmodSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { AppError } from "../../foundation/errors.ts";
import { CLAIM_MARGIN_MS } from "./fast-state-rules.ts";

/**
 * How long claims are appended to one file before the other file is reused. Claims on nonces and signatures are stored
 * for less time (at most 66 s plus CLAIM_MARGIN_MS). They expire before their file is reused, so they do not have to be
 * copied.
 */
const SEGMENT_MS = 120_000;

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
 * A log of the claims that must survive a restart (docs/api.md, section 6.1). It alternates between two segment files,
 * `<path>.0` and `<path>.1`, every two minutes. A file is truncated when it is reused. Before that, its claims that
 * have not expired are copied to the other file. Each claim is one line of JSON, written without fsync.
 */
export class ClaimsFile {
  readonly #path: string;
  readonly #write: WriteText;
  /**
   * Claims that must be stored for longer than SEGMENT_MS. They are copied before their file is reused. After a start,
   * the map contains the claims of both files, because the first `append` starts a new segment.
   */
  readonly #longLived = new Map<string, Claim>();
  /**
   * The number of the current segment. The first line of each file is the number of its segment, so that the numbering
   * continues after a restart.
   */
  #segmentNumber: number;
  #fd: number | undefined;
  #segmentStartedMs = Number.NEGATIVE_INFINITY;
  /** Whether the last line may be incomplete after a crash or a failed write. */
  #torn = true;

  constructor(path: string, write: WriteText, previous: { found: readonly Claim[]; segmentNumber: number }) {
    this.#path = path;
    this.#write = write;
    for (const claim of previous.found) this.#longLived.set(claim.id, claim);
    this.#segmentNumber = previous.segmentNumber;
    this.#fd = openSegment(segmentPath(path, previous.segmentNumber), "a");
  }

  /**
   * Returns after the operating system has accepted the line. Throws `service_unavailable` and makes no claim if the
   * write fails.
   */
  append(claim: Claim, nowMs: number): void {
    try {
      if (Math.abs(nowMs - this.#segmentStartedMs) >= SEGMENT_MS) this.#startNextSegment(nowMs);
      this.#writeLines(toLine(claim));
    } catch (cause) {
      throw new AppError("service_unavailable", {
        internal: "could not append to the claims file",
        cause,
      });
    }
    if (keepUntilMs(claim) > nowMs + SEGMENT_MS) this.#longLived.set(claim.id, claim);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /**
   * Starts the next segment. Its file is truncated, so the long-lived claims are first copied to the current segment.
   * If copying them or opening the file fails, the current segment stays in use, and the next `append` tries again.
   * Claims that are copied twice are harmless.
   */
  #startNextSegment(nowMs: number): void {
    for (const claim of this.#longLived.values()) {
      if (keepUntilMs(claim) <= nowMs) this.#longLived.delete(claim.id);
    }
    const carried = Array.from(this.#longLived.values(), toLine).join("");
    if (carried !== "") this.#writeLines(carried);

    const fd = openSegment(segmentPath(this.#path, this.#segmentNumber + 1), "w");
    this.close();
    this.#fd = fd;
    this.#segmentNumber += 1;
    this.#segmentStartedMs = nowMs;
    this.#torn = false;
    this.#writeLines(`${this.#segmentNumber}\n`);
  }

  #writeLines(lines: string): void {
    if (this.#fd === undefined) throw new Error("The claims file is closed.");
    const text = this.#torn ? `\n${lines}` : lines;
    this.#torn = true;
    const written = this.#write(this.#fd, text);
    // Writing to a full disk can store only part of the text without an error.
    if (written !== Buffer.byteLength(text)) throw new Error(`Only ${written} bytes were written.`);
    this.#torn = false;
  }
}

/** Reads all claims from the files at `path`, including expired ones, and opens the files for new claims. */
export async function openClaimsFile(
  path: string,
  write: WriteText = writeSync,
): Promise<{ readonly file: ClaimsFile; readonly found: readonly Claim[] }> {
  const segments = [await readSegment(path, 0), await readSegment(path, 1)];
  const found = lastOfEach(segments.flatMap(({ claims }) => claims));
  const segmentNumber = Math.max(...segments.map((segment) => segment.segmentNumber));
  return { file: new ClaimsFile(path, write, { found, segmentNumber }), found };
}

/** Returns each id's claim with the latest expiry. An id can be claimed again after a claim has expired. */
function lastOfEach(claims: readonly Claim[]): Claim[] {
  const last = new Map<string, Claim>();
  for (const claim of claims) {
    const other = last.get(claim.id);
    if (other === undefined || other.expiresAtMs < claim.expiresAtMs) last.set(claim.id, claim);
  }
  return [...last.values()];
}

/** The time until which a claim must be stored, including a margin for clock differences. */
export function keepUntilMs(claim: Claim): number {
  return claim.expiresAtMs + CLAIM_MARGIN_MS;
}

function segmentPath(path: string, segmentNumber: number): string {
  return `${path}.${segmentNumber % 2}`;
}

function openSegment(path: string, flag: "a" | "w"): number {
  const fd = openSync(path, flag, OWNER_ONLY);
  fchmodSync(fd, OWNER_ONLY);
  return fd;
}

async function readSegment(path: string, which: 0 | 1): Promise<{ claims: Claim[]; segmentNumber: number }> {
  const claims: Claim[] = [];
  let segmentNumber = 0;
  const file = await open(segmentPath(path, which)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return { claims, segmentNumber };
  for await (const text of file.readLines()) {
    const line = parseLine(text);
    if (typeof line === "number") segmentNumber = line;
    else if (line !== undefined) claims.push(line);
  }
  return { claims, segmentNumber };
}

function toLine({ id, expiresAtMs, note }: Claim): string {
  return `${JSON.stringify([id, expiresAtMs, note])}\n`;
}

/**
 * Returns a claim or a segment number, or undefined if the line is incomplete. A claim on an incomplete line was
 * never confirmed to a caller.
 */
function parseLine(text: string): Claim | number | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === "number") return line;
    if (!claimLine.Check(line)) return undefined;
    const [id, expiresAtMs, note] = line;
    return { id, expiresAtMs, note };
  } catch {
    return undefined;
  }
}
