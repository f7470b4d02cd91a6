import { once } from "node:events";
import { chmod, chown, cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  arrange,
  arrangeStopped,
  copyPackage,
  createTemplate,
  findOrdinaryUser,
  killChild,
  needsRoot,
  ownFolder,
  report,
  serversUnder,
  spawnSleeper,
  spawnZombie,
  startChild,
  tempFolder,
} from "../test/fixtures.ts";
import { withAdminClient } from "./admin-client.ts";
import { poll } from "./poll.ts";
import { isRunning, processes } from "./processes.ts";
import { removeAbandonedDataFolder } from "./remove-abandoned.ts";
import { findServerUser } from "./server-user.ts";
import { type EmbeddedPostgres, start as startIn } from "./start.ts";

let template: string;

beforeAll(async () => {
  const { dataDir, remove } = await createTemplate();
  template = dataDir;
  return remove;
});

async function query(server: Pick<EmbeddedPostgres, "url">, sql: string) {
  return withAdminClient(server, "postgres", async (client) => (await client.query(sql)).rows);
}

const writeRow = "create table saved (value int); insert into saved values (42)";
const readRow = "select value from saved";
const savedRow = [{ value: 42 }];

async function fileMode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe("a data folder without a database", () => {
  test("created: UTF8, locale C, fsync on, only scram on 127.0.0.1; other users cannot read the password, the cluster or the log", async () => {
    const { dataDir, start } = await arrange();

    const server = await start({ fsync: true });

    expect(server.outcome).toBe("created");
    const [database] = await query(
      server,
      `select pg_encoding_to_char(encoding) as encoding, datcollate, datctype,
         current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses,
         current_setting('unix_socket_directories') as sockets,
         (select array_agg(distinct auth_method) from pg_hba_file_rules) as methods
       from pg_database where datname = 'postgres'`,
    );
    expect(database).toEqual({
      encoding: "UTF8",
      datcollate: "C",
      datctype: "C",
      fsync: "on",
      addresses: "127.0.0.1",
      sockets: "",
      methods: ["scram-sha-256"],
    });
    const home = join(dataDir, "postgres");
    expect(await fileMode(join(home, "password"))).toBe("600");
    expect(await fileMode(join(home, "server.log"))).toBe("600");
    expect(await fileMode(join(home, "cluster"))).toBe("700");
    const withPassword = (await processes.list()).filter((p) => p.commandLine.includes(server.password));
    expect(withPassword).toEqual([]);
    const url = server.url("postgres").replace(server.password, "guessed");
    const guess = new Client({ connectionString: url });
    await expect(guess.connect()).rejects.toMatchObject({ code: "28P01" });
  });

  test("created: removes the unfinished database of a start that was killed", async () => {
    const place = await arrange();
    const home = join(place.dataDir, "postgres");
    const child = startChild(place);
    await report(child, "progress");
    const unfinished = await poll(5_000, async () => {
      const names = await readdir(home);
      return names.find((name) => name.startsWith("unfinished-"));
    });
    await killChild(child);
    expect(await readdir(home)).toContain(unfinished);

    const server = await place.start();

    expect(server.outcome).toBe("created");
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await readdir(home)).filter((name) => name.startsWith("unfinished"))).toEqual([]);
  });

  test("data_dir_unusable: the path is relative", async () => {
    const { start } = await arrange();

    await expect(start({ dataDir: "data" })).rejects.toMatchObject({ code: "data_dir_unusable" });
  });
});

describe("a data folder with a stopped database", () => {
  test("started: same data, password and role; stop() leaves no process and can be called twice", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    const first = await start();
    await query(first, writeRow);
    const process = await processes.find(first.pid);
    await Promise.all([first.stop(), first.stop()]);

    expect(process && (await isRunning(process))).toBe(false);
    expect(await serversUnder(dataDir)).toEqual([]);
    const second = await start();

    expect(second.outcome).toBe("started");
    expect(second.url("postgres")).toContain(first.password);
    await first.stop();
    expect(await query(second, readRow)).toEqual(savedRow);
  });

  test("started: the logs of this run and of the previous one exist", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    for (let run = 0; run < 3; run++) await (await start()).stop();

    const logs = (await readdir(join(dataDir, "postgres"))).filter((name) => name.includes("log"));

    expect(logs.sort()).toEqual(["server.log", "server.log.1"]);
    const log = await readFile(join(dataDir, "postgres/server.log"), "utf8");
    expect(log.match(/ready to accept connections/g)).toHaveLength(1);
  });

  test("started: with the requested port and settings", async () => {
    const { start } = await arrangeStopped(template);
    const { port, stop } = await start();
    await stop();

    const server = await start({ port, settings: { max_connections: "17" } });

    expect(server.port).toBe(port);
    expect(await query(server, "show max_connections")).toEqual([{ max_connections: "17" }]);
  });

  test("port_in_use: another program uses the requested port; no process remains", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? address.port : 0;

    await expect(start({ port })).rejects.toMatchObject({ code: "port_in_use" });

    expect(await serversUnder(dataDir)).toEqual([]);
    expect((await start()).outcome).toBe("started");
  });

  test("start_failed: the message contains the end of the log; no process remains", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    await expect(start({ settings: { shared_buffers: "plenty" } })).rejects.toMatchObject({
      code: "start_failed",
      message: expect.stringContaining('invalid value for parameter "shared_buffers": "plenty"'),
    });

    expect(await serversUnder(dataDir)).toEqual([]);
    expect((await start()).outcome).toBe("started");
  });

  test("password_unusable: the password file is missing or contains a different password; no process remains", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    const file = join(dataDir, "postgres/password");

    await writeFile(file, "another\n");
    await expect(start()).rejects.toMatchObject({ code: "password_unusable" });
    await rm(file);
    await expect(start()).rejects.toMatchObject({ code: "password_unusable" });

    expect(await serversUnder(dataDir)).toEqual([]);
  });
});

describe("a data folder whose server was killed", () => {
  test("started: committed data exists, and a backend that was still running a query is ended", async () => {
    const { start } = await arrangeStopped(template);
    const first = await start({ fsync: true });
    await query(first, writeRow);
    const busy = new Client({ connectionString: first.url("postgres") });
    busy.on("error", () => {});
    await busy.connect();
    const { rows } = await busy.query("select pg_backend_pid() as pid");
    const computed = busy.query("select count(*) from generate_series(1, 1000000000000)");
    computed.catch(() => {});
    await poll(5_000, async () => {
      const [{ active }] = await query(
        first,
        `select exists (select from pg_stat_activity where pid = ${rows[0].pid} and state = 'active') as active`,
      );
      return active || undefined;
    });

    process.kill(first.pid, "SIGKILL");
    await first.stop();
    expect(await processes.find(rows[0].pid)).toBeDefined();
    const second = await start({ fsync: true });

    expect(second.outcome).toBe("started");
    expect(await query(second, readRow)).toEqual(savedRow);
    expect(await processes.find(rows[0].pid)).toBeUndefined();
  });

  test.each([
    ["belongs to no process", async () => 2 ** 22 + 1],
    ["belongs to another program", spawnSleeper],
    ["belongs to a zombie", spawnZombie],
  ])("started: the pid in postmaster.pid %s", async (_what, findPid) => {
    const { dataDir, start } = await arrangeStopped(template);
    const first = await start();
    await query(first, writeRow);
    const file = join(dataDir, "postgres/cluster/postmaster.pid");
    const postmasterFile = await readFile(file, "utf8");
    process.kill(first.pid, "SIGKILL");
    await first.stop();
    await writeFile(file, postmasterFile.replace(/^\d+/, String(await findPid())));

    const second = await start();

    expect(second.outcome).toBe("started");
    expect(await query(second, readRow)).toEqual(savedRow);
  });
});

describe("a data folder whose owner was killed", () => {
  test("adopted: the server is still running; stop() ends it", async () => {
    const place = await arrangeStopped(template);
    const child = startChild(place);
    const orphan = await report(child, "started");
    await query({ url: () => orphan.url }, writeRow);
    await killChild(child);

    const server = await place.start();

    expect(server).toMatchObject({ outcome: "adopted", pid: orphan.pid, port: orphan.port });
    expect(await query(server, readRow)).toEqual(savedRow);
    await server.stop();
    expect(await serversUnder(place.dataDir)).toEqual([]);
  });

  test("adopted: Ctrl-C in the terminal ended the owner but not the server", async () => {
    const place = await arrangeStopped(template);
    const child = startChild(place);
    const { pid } = await report(child, "started");
    const ended = once(child, "exit");

    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;

    expect(await place.start()).toMatchObject({ outcome: "adopted", pid });
  });

  test("started: a running server with different settings is restarted with the same data", async () => {
    const place = await arrangeStopped(template);
    const child = startChild(place);
    const orphan = await report(child, "started");
    await query({ url: () => orphan.url }, writeRow);
    await killChild(child);

    const server = await place.start({ settings: { max_connections: "17" } });

    expect(server.outcome).toBe("started");
    expect(await query(server, "show max_connections")).toEqual([{ max_connections: "17" }]);
    expect(await query(server, readRow)).toEqual(savedRow);
    await vi.waitFor(async () => expect(await serversUnder(place.dataDir)).toEqual([server.pid]), 15_000);
  });
});

describe("removeAbandonedDataFolder", () => {
  test("false: the owner is running or has stopped the server; true: the owner was killed", async () => {
    const place = await arrangeStopped(template);
    expect(await removeAbandonedDataFolder(place.dataDir)).toBe(false);
    const child = startChild(place);
    const { pid } = await report(child, "started");

    expect(await removeAbandonedDataFolder(place.dataDir)).toBe(false);
    await vi.waitFor(async () => expect(await serversUnder(place.dataDir)).toEqual([pid]), 15_000);
    await killChild(child);

    expect(await removeAbandonedDataFolder(place.dataDir)).toBe(true);
    expect(await serversUnder(place.dataDir)).toEqual([]);
    expect(await readdir(place.folder)).toEqual([]);
    expect(await removeAbandonedDataFolder(place.dataDir)).toBe(false);
  });
});

describe("a data folder with a running owner", () => {
  test("data_dir_in_use: the message contains the owner's pid, and its server continues", async () => {
    const place = await arrangeStopped(template);
    const child = startChild(place);
    const { url } = await report(child, "started");

    await expect(place.start()).rejects.toMatchObject({
      code: "data_dir_in_use",
      message: expect.stringContaining(`process ${child.pid}.`),
    });

    expect(await query({ url: () => url }, "select 1 as one")).toEqual([{ one: 1 }]);
    const stopped = once(child, "exit");
    child.send("stop");
    await stopped;
    expect((await place.start()).outcome).toBe("started");
  });

  test("data_dir_in_use: two of three starts at the same time", async () => {
    const place = await arrange();

    const starts = await Promise.allSettled([place.start(), place.start(), place.start()]);

    const won = starts.filter(({ status }) => status === "fulfilled");
    const lost = starts.flatMap((s) => (s.status === "rejected" ? [s.reason.code] : []));
    expect(won).toHaveLength(1);
    expect(lost).toEqual(["data_dir_in_use", "data_dir_in_use"]);
    await vi.waitFor(async () => expect(await serversUnder(place.dataDir)).toHaveLength(1), 15_000);
  });
});

test("the server does not inherit environment variables", async (context) => {
  if (process.platform !== "linux") return context.skip("reads /proc");
  process.env["PURSER_TEST_SECRET"] = "do not pass on";
  onTestFinished(() => void delete process.env["PURSER_TEST_SECRET"]);
  const { start } = await arrangeStopped(template);

  const { pid } = await start();

  expect(await readFile(`/proc/${pid}/environ`, "utf8")).toBe("LC_ALL=C\0TZ=UTC\0");
});

describe("as root", needsRoot, () => {
  test("root starts the server as an unprivileged user, which owns the cluster", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    const user = await findServerUser();

    const { pid } = await start();

    expect(await stat(join(dataDir, "postgres/cluster"))).toMatchObject({ ...user });
    expect(await stat(`/proc/${pid}`)).toMatchObject({ ...user });
  });

  test("created: the umask is strict", async () => {
    const place = await arrange();
    const launcher = ["sh", "-c", 'umask 077; exec "$@"', "sh"];

    const { outcome } = await report(startChild(place, { launcher }), "started");

    expect(outcome).toBe("created");
    expect(await fileMode(join(place.dataDir, "postgres/cluster"))).toBe("700");
    await vi.waitFor(async () => expect(await serversUnder(place.dataDir)).toHaveLength(1), 15_000);
  });

  test("created: the server's user cannot access the data folder, so the cluster is in the shared folder", async () => {
    const { folder, dataDir, paths, start } = await arrange(0o700);
    const clusters = join(paths.sharedFolder, "clusters");

    const first = await start();
    await query(first, writeRow);
    await first.stop();
    const second = await start();

    expect([first.outcome, second.outcome]).toEqual(["created", "started"]);
    expect(await query(second, readRow)).toEqual(savedRow);
    expect(await fileMode(folder)).toBe("700");
    expect(await readdir(join(dataDir, "postgres"))).not.toContain("cluster");
    const [name = ""] = await readdir(clusters);
    expect(await fileMode(join(clusters, name, "cluster"))).toBe("700");

    // A copy of the data folder refers to the same cluster, which is in use.
    const copy = join(folder, "copy");
    await cp(dataDir, copy, { recursive: true });
    await rm(join(copy, "postgres/owner.2"));
    await expect(start({ dataDir: copy })).rejects.toMatchObject({ code: "data_dir_in_use" });

    // A missing cluster is not replaced by an empty one.
    await second.stop();
    await rm(clusters, { recursive: true });
    await expect(start()).rejects.toMatchObject({ code: "cluster_missing" });
  });

  test("data_dir_unusable: the server's user can no longer access the database", async () => {
    const { folder, start } = await arrangeStopped(template);
    await chmod(folder, 0o700);

    await expect(start()).rejects.toMatchObject({ code: "data_dir_unusable" });

    await chmod(folder, 0o755);
    expect((await start()).outcome).toBe("started");
  });

  test("data_dir_unusable: the data folder belongs to an ordinary user", async () => {
    const { dataDir, start } = await arrangeStopped(template);
    await chown(join(dataDir, "postgres"), 12_345, 12_345);

    await expect(start()).rejects.toMatchObject({
      code: "data_dir_unusable",
      message: expect.stringContaining("12345"),
    });
  });

  test.each([["chown"], ["setuid"]])(
    "server_user_unavailable: the container lacks the capability %s",
    async (capability) => {
      const place = await arrange();
      const launcher = ["setpriv", "--bounding-set", `-${capability}`];

      const failed = await report(startChild(place, { launcher }), "failed");

      expect(failed).toMatchObject({
        code: "server_user_unavailable",
        message: expect.stringContaining("ordinary user"),
      });
      expect((await place.start()).outcome).toBe("created");
    },
  );

  test("shared_folder_unusable: the shared folder belongs to another user", async () => {
    const { paths, start } = await arrange(0o700);
    const user = (await findServerUser()) ?? { uid: 0, gid: 0 };
    await ownFolder(paths.sharedFolder, user);

    await expect(start()).rejects.toMatchObject({ code: "shared_folder_unusable" });
  });

  test("started: the server's user cannot access the binaries, so they are copied once", async () => {
    const place = await arrangeStopped(template);
    const packageDir = await copyPackage(await tempFolder(0o700));
    const paths = { ...place.paths, packageDir };
    const progress: string[] = [];
    const run = async () => {
      const options = { dataDir: place.dataDir, fsync: false };
      const server = await startIn({ ...options, onProgress: (m) => progress.push(m) }, paths);
      onTestFinished(() => server.stop());
      await query(server, "select 1");
      await server.stop();
    };

    await run();
    await run();

    expect(progress.filter((message) => message.startsWith("Copied"))).toHaveLength(1);
  });
});

describe("as an ordinary user", () => {
  test("created, then started: the server runs as the same user, and the package is not writable", async (context) => {
    const user = await findOrdinaryUser();
    if (user === undefined) return context.skip("needs root and a readable checkout");
    const { paths } = await arrange();
    const folder = await tempFolder();
    const packageDir = await copyPackage(await tempFolder());
    const dataDir = await ownFolder(join(folder, "data"), user);
    const place = { dataDir, paths: { ...paths, packageDir } };

    for (const outcome of ["created", "started"]) {
      const child = startChild(place, { user });
      const started = await report(child, "started");
      expect(started.outcome).toBe(outcome);
      expect(await query({ url: () => started.url }, "select 1 as one")).toEqual([{ one: 1 }]);
      expect(await stat(`/proc/${started.pid}`)).toMatchObject({ ...user });
      const ended = once(child, "exit");
      child.send("stop");
      await ended;
    }

    expect(await fileMode(join(dataDir, "postgres"))).toBe("700");
    expect(await serversUnder(dataDir)).toEqual([]);
  });
});
