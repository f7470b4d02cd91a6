import { type FileHandle, open } from "node:fs/promises";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";

interface Line {
  readonly text: string;
  readonly offsetBytes: number;
  readonly checkpoint: SignedCheckpoint;
}

/**
 * Anchors checkpoints in a file of JSON lines that only ever grows, in a folder that the database cannot write to: for the
 * local profile and for tests. Each line is on the disk (fsync) before `publish` resolves. Several processes may append to
 * one file, since each line is one write in append mode; what others have added is read before each answer.
 *
 * A line that is none, as a crash in the middle of a write leaves it, is passed over. Nothing is won by spoiling one: the
 * service notes how far it has published, and an anchor that knows less is a mismatch.
 */
export function createFileAuditAnchor({ path }: { readonly path: string }): AuditAnchor {
  const newest = new Map<string, Line>();
  let readBytes = 0;
  /** Whether the file ends within a line. */
  let torn = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** One at a time, so that two readers do not take the same lines twice. */
  function inTurn<Result>(work: (file: FileHandle) => Promise<Result>): Promise<Result> {
    const turn = queue.then(async () => {
      await using file = await open(path, "a+", 0o600);
      return await work(file);
    });
    queue = turn.catch(() => {});
    return turn;
  }

  async function readNewLines(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size < readBytes) forget();
    const added = await readAt(file, readBytes, size - readBytes);
    const endBytes = added.lastIndexOf("\n") + 1;
    for (let start = 0; start < endBytes; ) {
      const end = added.indexOf("\n", start);
      remember(added.toString("utf8", start, end), readBytes + start);
      start = end + 1;
    }
    readBytes += endBytes;
    torn = added.length > endBytes;
  }

  function remember(text: string, offsetBytes: number): void {
    const checkpoint = parseCheckpoint(text);
    if (checkpoint === undefined) return;
    const key = keyOf(checkpoint.tenantId, checkpoint.chain);
    const known = newest.get(key);
    if (known === undefined || known.checkpoint.sequence <= checkpoint.sequence) {
      newest.set(key, { text, offsetBytes, checkpoint });
    }
  }

  function forget(): void {
    newest.clear();
    readBytes = 0;
  }

  /** The newest line of a chain as it stands in the file now: what somebody has changed there is read again. */
  async function findNewest(file: FileHandle, key: string): Promise<Line | undefined> {
    await readNewLines(file);
    const known = newest.get(key);
    if (known === undefined || (await stands(file, known))) return known;
    forget();
    await readNewLines(file);
    return newest.get(key);
  }

  const referenceOf = ({ offsetBytes }: Line) => `file:${path}#${offsetBytes}`;

  return {
    type: "signed_checkpoint",
    publish: (checkpoint) =>
      inTurn(async (file) => {
        const known = await findNewest(file, keyOf(checkpoint.tenantId, checkpoint.chain));
        if (known?.checkpoint.checkpointHash === checkpoint.checkpointHash) {
          return referenceOf(known);
        }
        const text = JSON.stringify(checkpoint);
        // A line that somebody began and did not end must not run into this one.
        await file.appendFile(`${torn ? "\n" : ""}${text}\n`);
        await file.sync();
        return `file:${path}#${await offsetOf(file, text, readBytes)}`;
      }),
    latest: (tenantId, chain) =>
      inTurn(async (file) => {
        const line = await findNewest(file, keyOf(tenantId, chain));
        return line && { checkpoint: line.checkpoint, reference: referenceOf(line) };
      }),
  };
}

async function readAt(file: FileHandle, offsetBytes: number, lengthBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(lengthBytes),
    0,
    lengthBytes,
    offsetBytes,
  );
  return buffer.subarray(0, bytesRead);
}

/** Whether the line is where it was read, unchanged. */
async function stands(file: FileHandle, { text, offsetBytes }: Line): Promise<boolean> {
  const expected = Buffer.from(`${text}\n`);
  return expected.equals(await readAt(file, offsetBytes, expected.length));
}

/** Where a line begins that was appended after an offset, behind whatever others have appended there too. */
async function offsetOf(file: FileHandle, text: string, afterBytes: number): Promise<number> {
  const { size } = await file.stat();
  const found = (await readAt(file, afterBytes, size - afterBytes)).indexOf(`${text}\n`);
  if (found === -1) throw new Error("The anchor's file does not keep what is written to it.");
  return afterBytes + found;
}

function keyOf(tenantId: TenantId, chain: AuditChain): string {
  return `${tenantId} ${chain}`;
}
