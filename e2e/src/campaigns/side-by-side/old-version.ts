import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { linkPackages } from "../../detection/copy-tree.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const MIGRATIONS = "service/src/db/migrations";

/** The project as it was before its newest migration. */
export interface OldVersion {
  readonly commit: string;
  /** The migration that it does not have. */
  readonly migration: string;
  /** Its program that runs a server. */
  readonly serve: string;
  /** Its functions that write test data: those of this version can need the new schema. */
  readonly seeds: typeof import("../../../../service/test/seeds.ts");
  migrate(ownerUrl: string): Promise<unknown>;
  remove(): Promise<void>;
}

/**
 * Returns the last commit that lacks the newest migration and whose migrations have not been changed since. A database with a
 * migration that was changed later cannot be migrated to this version. Undefined without Git's history.
 */
export async function findOldCommit(): Promise<{ commit: string; migration: string } | undefined> {
  const migration = (await readdir(join(ROOT, MIGRATIONS))).sort().at(-1) ?? "";
  const list = (commit: string) => git("ls-tree", commit, `${MIGRATIONS}/`).then((text) => text.split("\n"));
  const current = new Set(await list("HEAD").catch(() => []));
  const changes = await git("log", "--first-parent", "-m", "--format=%H", "-30", "--", MIGRATIONS).catch(() => "");
  for (const change of changes.split("\n")) {
    const commit = await git("rev-parse", "--verify", "--quiet", `${change}^`).catch(() => "");
    if (commit === "") return undefined;
    const files = await list(commit);
    if (files.length < current.size && files.every((file) => current.has(file))) return { commit, migration };
  }
  return undefined;
}

/** Checks the old version out into a folder of its own, with the packages that are installed here. */
export async function checkOutOldVersion(): Promise<OldVersion> {
  const found = await findOldCommit();
  if (found === undefined) throw new Error("Git's history does not have the commit before the newest migration.");
  const folder = await mkdtemp(join(tmpdir(), "purser-old-version-"));
  await git("worktree", "add", "--detach", folder, found.commit);
  await linkPackages(folder);
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const { migrate } = await load("service/src/db/migrate.ts");
  return {
    ...found,
    serve: join(folder, "service/src/bin/serve.ts"),
    seeds: await load("service/test/seeds.ts"),
    migrate: (ownerUrl) => migrate({ ownerUrl }),
    remove: async () => {
      await git("worktree", "remove", "--force", folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd: ROOT });
  return stdout.trim();
}
