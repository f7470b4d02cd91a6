import { closeSync, fchmodSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { AppError } from "../../foundation/errors.ts";
import { CLAIM_MARGIN_MS } from "./fast-state-rules.ts";

/** Longer than a nonce or a signature is kept (66 s and the margin), so that only rarer claims outlast a segment. */
const SEGMENT_MS = 120_000;

const OWNER_ONLY = 0o600;

const claimLine = Compile(
  Type.Tuple([Type.String(), Type.Number(), Type.Union([Type.String(), Type.Null()])]),
);

/** Something that may happen once until `expiresAtMs`. The note is what the first caller left for those who come later. */
export interface Claim {
  readonly id: string;
  readonly expiresAtMs: number;
  readonly note: string | null;
}

/** Writes text to a file descriptor and returns how many bytes it took; `writeSync`, and in tests a disk that fails. */
export type WriteText = (fd: number, text: string) => number;

/**
 * The claims that must survive the process (contract, ruling 3): a log in two files, `<path>.0` and `<path>.1`, written in
 * turn for two minutes each. When a file's turn comes again, whatever it held has ended, so it starts empty; claims that
 * last longer are first written again to the file whose turn ends. One line of JSON a claim, without fsync.
 */
export class ClaimsFile {
  readonly #path: string;
  readonly #write: WriteText;
  /** Claims that outlast their file. At the start that is every claim found, since nobody knows how old the files are. */
  readonly #lasting = new Map<string, Claim>();
  /** Counts the turns since the files were made, through every restart. Each file begins with the number of its turn. */
  #turn: number;
  #fd: number | undefined;
  #turnBeganMs = Number.NEGATIVE_INFINITY;
  /** Whether the file may end within a line: after a crash, or a write that failed. */
  #torn = true;

  constructor(path: string, write: WriteText, left: { found: readonly Claim[]; turn: number }) {
    this.#path = path;
    this.#write = write;
    for (const claim of left.found) this.#lasting.set(claim.id, claim);
    this.#turn = left.turn;
    this.#fd = openSegment(segmentPath(path, left.turn), "a");
  }

  /** Returns once the system has taken the line. Throws `service_unavailable` where it has not: the claim then does not stand. */
  append(claim: Claim, nowMs: number): void {
    try {
      if (Math.abs(nowMs - this.#turnBeganMs) >= SEGMENT_MS) this.#changeTurn(nowMs);
      this.#writeLines(toLine(claim));
    } catch (cause) {
      throw new AppError("service_unavailable", { internal: "claims file: append failed", cause });
    }
    if (keepUntilMs(claim) > nowMs + SEGMENT_MS) this.#lasting.set(claim.id, claim);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Nothing changes when a step fails, except that lines may stand twice; the next append tries again. */
  #changeTurn(nowMs: number): void {
    for (const claim of this.#lasting.values()) {
      if (keepUntilMs(claim) <= nowMs) this.#lasting.delete(claim.id);
    }
    const carried = Array.from(this.#lasting.values(), toLine).join("");
    if (carried !== "") this.#writeLines(carried);

    const fd = openSegment(segmentPath(this.#path, this.#turn + 1), "w");
    this.close();
    this.#fd = fd;
    this.#turn += 1;
    this.#turnBeganMs = nowMs;
    this.#torn = false;
    this.#writeLines(`${this.#turn}\n`);
  }

  #writeLines(lines: string): void {
    if (this.#fd === undefined) throw new Error("The claims file is closed.");
    const text = this.#torn ? `\n${lines}` : lines;
    this.#torn = true;
    const written = this.#write(this.#fd, text);
    // A disk that fills up takes a part of the line without an error.
    if (written !== Buffer.byteLength(text)) throw new Error(`Only ${written} bytes were written.`);
    this.#torn = false;
  }
}

/** Reads the claims that an earlier process left at `path`, ended ones among them, and opens the files for more. */
export async function openClaimsFile(
  path: string,
  write: WriteText = writeSync,
): Promise<{ readonly file: ClaimsFile; readonly found: readonly Claim[] }> {
  const segments = [await readSegment(path, 0), await readSegment(path, 1)];
  const found = lastOfEach(segments.flatMap(({ claims }) => claims));
  const turn = Math.max(...segments.map((segment) => segment.turn));
  return { file: new ClaimsFile(path, write, { found, turn }), found };
}

/** What was claimed again after it had ended stands more than once; the claim that ends last is the one that counts. */
function lastOfEach(claims: readonly Claim[]): Claim[] {
  const last = new Map<string, Claim>();
  for (const claim of claims) {
    const other = last.get(claim.id);
    if (other === undefined || other.expiresAtMs < claim.expiresAtMs) last.set(claim.id, claim);
  }
  return [...last.values()];
}

/** The time until which a claim must be found, however clocks differ. */
export function keepUntilMs(claim: Claim): number {
  return claim.expiresAtMs + CLAIM_MARGIN_MS;
}

function segmentPath(path: string, turn: number): string {
  return `${path}.${turn % 2}`;
}

function openSegment(path: string, flag: "a" | "w"): number {
  const fd = openSync(path, flag, OWNER_ONLY);
  fchmodSync(fd, OWNER_ONLY);
  return fd;
}

async function readSegment(path: string, which: 0 | 1): Promise<{ claims: Claim[]; turn: number }> {
  const claims: Claim[] = [];
  let turn = 0;
  const file = await open(segmentPath(path, which)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return { claims, turn };
  for await (const text of file.readLines()) {
    const line = parseLine(text);
    if (typeof line === "number") turn = line;
    else if (line !== undefined) claims.push(line);
  }
  return { claims, turn };
}

function toLine({ id, expiresAtMs, note }: Claim): string {
  return `${JSON.stringify([id, expiresAtMs, note])}\n`;
}

/**
 * A claim, or the number of a turn. Undefined for a torn line: nobody was told of its claim, since a line is whole before
 * a call is answered.
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
