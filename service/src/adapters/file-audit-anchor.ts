import { type FileHandle, open } from "node:fs/promises";
import type { TenantId } from "../foundation/ids.ts";
import type { AuditChain } from "../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../ports/audit-anchor.ts";

interface Anchored {
  readonly checkpoint: SignedCheckpoint;
  readonly reference: string;
}

/**
 * Anchors checkpoints in a file of JSON lines that only ever grows, in a folder that the database cannot write to: for the
 * local profile and for tests. Each line is on the disk (fsync) before `publish` resolves. Several processes may append to
 * one file, since each line is one write in append mode; what others have added is read before each answer.
 */
export function createFileAuditAnchor({ path }: { readonly path: string }): AuditAnchor {
  const newest = new Map<string, Anchored>();
  let readBytes = 0;
  let queue: Promise<unknown> = Promise.resolve();

  /** One at a time, so that two readers do not take the same lines twice. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = queue.then(work, work);
    queue = turn.catch(() => {});
    return turn;
  }

  async function readNewLines(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    // A file that has become shorter was cut by somebody: what it says now is what counts.
    if (size < readBytes) {
      newest.clear();
      readBytes = 0;
    }
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(size - readBytes),
      0,
      size - readBytes,
      readBytes,
    );
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    const lines = buffer.subarray(0, end).toString("utf8").split("\n");
    let offset = readBytes;
    for (const line of lines) {
      remember(line, offset);
      offset += Buffer.byteLength(line) + 1;
    }
    readBytes += end;
  }

  function remember(line: string, offset: number): void {
    if (line === "") return;
    const checkpoint: SignedCheckpoint = JSON.parse(line);
    const key = keyOf(checkpoint.tenantId, checkpoint.chain);
    const known = newest.get(key);
    if (known !== undefined && known.checkpoint.sequence > checkpoint.sequence) return;
    newest.set(key, { checkpoint, reference: `file:${path}#${offset}` });
  }

  return {
    type: "signed_checkpoint",
    publish: (checkpoint) =>
      inTurn(async () => {
        await using file = await open(path, "a+", 0o600);
        await readNewLines(file);
        const key = keyOf(checkpoint.tenantId, checkpoint.chain);
        const known = newest.get(key);
        if (known?.checkpoint.checkpointHash === checkpoint.checkpointHash) return known.reference;
        await file.appendFile(`${JSON.stringify(checkpoint)}\n`);
        await file.sync();
        await readNewLines(file);
        return newest.get(key)?.reference ?? `file:${path}`;
      }),
    latest: (tenantId, chain) =>
      inTurn(async () => {
        await using file = await open(path, "a+", 0o600);
        await readNewLines(file);
        return newest.get(keyOf(tenantId, chain));
      }),
  };
}

function keyOf(tenantId: TenantId, chain: AuditChain): string {
  return `${tenantId} ${chain}`;
}
