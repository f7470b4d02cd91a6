import { type FileHandle, open } from "node:fs/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TenantId } from "../foundation/ids.ts";
import { AUDIT_CHAINS, type AuditChain } from "../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../ports/audit-anchor.ts";

interface Anchored {
  readonly checkpoint: SignedCheckpoint;
  readonly reference: string;
}

const checkpointLine = Compile(
  Type.Object({
    tenantId: Type.Unsafe<TenantId>(Type.String()),
    chain: Type.Enum([...AUDIT_CHAINS]),
    sequence: Type.Integer(),
    headHash: Type.String(),
    time: Type.String(),
    prevCheckpointHash: Type.String(),
    checkpointHash: Type.String(),
    keyId: Type.String(),
    signature: Type.String(),
  }),
);

/**
 * Anchors checkpoints in a file of JSON lines that only ever grows, in a folder that the database cannot write to: for the
 * local profile and for tests. Each line is on the disk (fsync) before `publish` resolves. Several processes may append to
 * one file, since each line is one write in append mode; what others have added is read before each answer.
 *
 * A line that is none, as a crash in the middle of a write leaves it, is passed over. Nothing is won by spoiling one: the
 * service notes how far it has published, and an anchor that knows less is a mismatch.
 */
export function createFileAuditAnchor({ path }: { readonly path: string }): AuditAnchor {
  let newest = new Map<string, Anchored>();
  let readBytes = 0;
  let inode: number | undefined;
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

  /** Reads what the file has gained, and tells where in it each checkpoint stands. */
  async function readNewLines(
    file: FileHandle,
    onCheckpoint: (found: Anchored) => void = () => {},
  ): Promise<void> {
    const { size, ino } = await file.stat();
    // A file that is shorter, or another one, was put there by somebody: what it says now is what counts.
    if (size < readBytes || (inode !== undefined && ino !== inode)) {
      newest = new Map();
      readBytes = 0;
    }
    inode = ino;
    const length = size - readBytes;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, readBytes);
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    for (let offset = 0; offset < end; ) {
      const lineEnd = buffer.indexOf("\n", offset);
      const checkpoint = parseLine(buffer.toString("utf8", offset, lineEnd));
      const reference = `file:${path}#${readBytes + offset}`;
      if (checkpoint !== undefined) {
        remember({ checkpoint, reference });
        onCheckpoint({ checkpoint, reference });
      }
      offset = lineEnd + 1;
    }
    readBytes += end;
  }

  function remember(found: Anchored): void {
    const key = keyOf(found.checkpoint.tenantId, found.checkpoint.chain);
    const known = newest.get(key);
    if (known === undefined || known.checkpoint.sequence <= found.checkpoint.sequence) {
      newest.set(key, found);
    }
  }

  return {
    type: "signed_checkpoint",
    publish: (checkpoint) =>
      inTurn(async (file) => {
        await readNewLines(file);
        const known = newest.get(keyOf(checkpoint.tenantId, checkpoint.chain));
        if (known?.checkpoint.checkpointHash === checkpoint.checkpointHash) return known.reference;

        // A line that somebody began and did not end must not run into this one.
        const { size } = await file.stat();
        const start = size > readBytes ? "\n" : "";
        await file.appendFile(`${start}${JSON.stringify(checkpoint)}\n`);
        await file.sync();
        let reference: string | undefined;
        await readNewLines(file, (found) => {
          if (found.checkpoint.checkpointHash === checkpoint.checkpointHash)
            reference = found.reference;
        });
        if (reference === undefined)
          throw new Error(`${path} does not keep what is written to it.`);
        return reference;
      }),
    latest: (tenantId, chain) =>
      inTurn(async (file) => {
        await readNewLines(file);
        return newest.get(keyOf(tenantId, chain));
      }),
  };
}

function parseLine(line: string): SignedCheckpoint | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return checkpointLine.Check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(tenantId: TenantId, chain: AuditChain): string {
  return `${tenantId} ${chain}`;
}
