import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@purser/embedded-postgres";

/** Starts a PostgreSQL server in a temporary folder, as tests that need a separate server do. */
export async function startOwnPostgres(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-fixture-"));
  await chmod(dataDir, 0o755);
  await startEmbeddedPostgres({ dataDir, fsync: false });
}
