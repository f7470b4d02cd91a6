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
 * An audit anchor in an append-only file of JSON lines, for the local profile and for tests. The file must be in a
 * folder that the database server cannot write to. Each line is written to disk (fsync) before `publish` resolves.
 * Several processes can share one file: each line is a single write in append mode, and each call first reads the lines
 * that other processes have appended.
 *
 * A crash during a write can leave a malformed line, so malformed lines are skipped. An attacker who damages the newest
 * line is still detected: the database stores the sequence number of the last published checkpoint, and verification
 * reports a mismatch if the newest checkpoint in the file is older.
 */
export function createFileAuditAnchor({ path }: { readonly path: string }): AuditAnchor {
  const newest = new Map<string, Line>();
  let readBytes = 0;
  /** Whether the last line of the file is incomplete. */
  let endsIncomplete = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs operations one after another, because two concurrent reads would process the same lines twice. */
  function serialize<Result>(work: (file: FileHandle) => Promise<Result>): Promise<Result> {
    const result = queue.then(async () => {
      await using file = await open(path, "a+", 0o600);
      return await work(file);
    });
    queue = result.catch(() => {});
    return result;
  }

  async function readNewLines(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size < readBytes) reset();
    const added = await readAt(file, readBytes, size - readBytes);
    const endBytes = added.lastIndexOf("\n") + 1;
    for (let start = 0; start < endBytes; ) {
      const end = added.indexOf("\n", start);
      addLine(added.toString("utf8", start, end), readBytes + start);
      start = end + 1;
    }
    readBytes += endBytes;
    endsIncomplete = added.length > endBytes;
  }

  function addLine(text: string, offsetBytes: number): void {
    const checkpoint = parseCheckpoint(text);
    if (checkpoint === undefined) return;
    const key = keyOf(checkpoint.tenantId, checkpoint.chain);
    const cached = newest.get(key);
    if (cached === undefined || cached.checkpoint.sequence <= checkpoint.sequence) {
      newest.set(key, { text, offsetBytes, checkpoint });
    }
  }

  function reset(): void {
    newest.clear();
    readBytes = 0;
  }

  /** Returns the chain's newest line. Rereads the whole file if that line has changed since it was read. */
  async function findNewest(file: FileHandle, key: string): Promise<Line | undefined> {
    await readNewLines(file);
    const cached = newest.get(key);
    if (cached === undefined || (await isUnchanged(file, cached))) return cached;
    reset();
    await readNewLines(file);
    return newest.get(key);
  }

  const referenceOf = ({ offsetBytes }: Line) => `file:${path}#${offsetBytes}`;

  return {
    type: "signed_checkpoint",
    publish: (checkpoint) =>
      serialize(async (file) => {
        const cached = await findNewest(file, keyOf(checkpoint.tenantId, checkpoint.chain));
        if (cached?.checkpoint.checkpointHash === checkpoint.checkpointHash) {
          return referenceOf(cached);
        }
        const text = JSON.stringify(checkpoint);
        // An interrupted write may have left an incomplete line. A line break separates the new line from it.
        await file.appendFile(`${endsIncomplete ? "\n" : ""}${text}\n`);
        await file.sync();
        return `file:${path}#${await offsetOf(file, text, readBytes)}`;
      }),
    latest: (tenantId, chain) =>
      serialize(async (file) => {
        const line = await findNewest(file, keyOf(tenantId, chain));
        return line && { checkpoint: line.checkpoint, reference: referenceOf(line) };
      }),
  };
}

async function readAt(file: FileHandle, offsetBytes: number, lengthBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lengthBytes), 0, lengthBytes, offsetBytes);
  return buffer.subarray(0, bytesRead);
}

/** Returns true if the file still contains the line at the same offset. */
async function isUnchanged(file: FileHandle, { text, offsetBytes }: Line): Promise<boolean> {
  const expected = Buffer.from(`${text}\n`);
  return expected.equals(await readAt(file, offsetBytes, expected.length));
}

/**
 * Returns the offset of the line `text`, which was appended after `afterBytes`. The function searches for the line,
 * because other processes may have appended lines before it.
 */
async function offsetOf(file: FileHandle, text: string, afterBytes: number): Promise<number> {
  const { size } = await file.stat();
  const found = (await readAt(file, afterBytes, size - afterBytes)).indexOf(`${text}\n`);
  if (found === -1) throw new Error("The anchor's file does not contain the appended line.");
  return afterBytes + found;
}

function keyOf(tenantId: TenantId, chain: AuditChain): string {
  return `${tenantId} ${chain}`;
}
