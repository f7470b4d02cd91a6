import { rename } from "node:fs/promises";
import { join } from "node:path";
import { withAdminClient } from "@purser/embedded-postgres";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { findProcessesUsing } from "../../embedded-postgres/test/folder-processes.ts";
import { startSupervisedPostgres } from "../src/supervised-postgres.ts";
import { postmasterOf, useLocalProfile } from "./local-profile.ts";

const lab = useLocalProfile(afterEach);

async function arrange() {
  const dataDir = await lab.stoppedDataDir();
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const postgres = await startSupervisedPostgres({ dataDir, port: undefined, note });
  onTestFinished(() => postgres.stop());
  return { dataDir, notes, postgres };
}

describe("startSupervisedPostgres", () => {
  it("restarts PostgreSQL at the same address when it is killed, and stops the restarted server", async () => {
    const { dataDir, notes, postgres } = await arrange();

    process.kill(postgres.server.pid, "SIGKILL");
    await until("PostgreSQL is restarted", async () => notes.length > 0 || undefined);

    expect(notes).toEqual(["PostgreSQL ended unexpectedly and was restarted. No acknowledged write is lost."]);
    expect(await postmasterOf(dataDir)).not.toBe(postgres.server.pid);
    await withAdminClient(postgres.server, "postgres", (client) => client.query("select 1"));
    await postgres.stop();
    expect(await findProcessesUsing(dataDir)).toEqual([]);
  });

  it("lost: the data files are missing, and no empty cluster is created", async () => {
    const { dataDir, notes, postgres } = await arrange();

    await rename(join(dataDir, "postgres/cluster"), join(dataDir, "postgres/moved"));
    process.kill(postgres.server.pid, "SIGKILL");

    expect((await postgres.lost).message).toMatch(
      /PostgreSQL has ended and cannot be restarted\. Its files in .* are missing\./,
    );
    expect(notes).toEqual([]);
    await postgres.stop();
    expect(await findProcessesUsing(dataDir)).toEqual([]);
  });
});
