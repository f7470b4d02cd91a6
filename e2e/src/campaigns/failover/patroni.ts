import type { ChildProcess } from "node:child_process";
import { chmod, chown, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findServerUser, locatePackage } from "@purser/embedded-postgres";
import { freePort } from "../../../../service/test/fast-state/redis.ts";
import { preparePython } from "../../../../service/test/python/python-packages.ts";
import { killServer } from "../../own-postgres.ts";
import { until } from "../../until.ts";
import { startProgram, stopProgram } from "./programs.ts";

const NODES = ["node1", "node2", "node3"];
/** A former primary is made again as a copy of the new one. */
const HEALTHY_WITHIN_MS = 120_000;
/**
 * The lock of the primary expires after `ttl`, which cannot be less than 20 seconds. A primary whose server alone has ended
 * gives the lock up at once (`primary_start_timeout`).
 */
const CLUSTER_SETTINGS = {
  ...{ ttl: 20, loop_wait: 2, retry_timeout: 5, primary_start_timeout: 0 },
  ...{ synchronous_mode: true, synchronous_node_count: 1 },
  postgresql: {
    ...{ use_pg_rewind: false, remove_data_directory_on_diverged_timelines: true },
    parameters: { max_connections: 200, synchronous_commit: "on", wal_keep_size: "512MB", unix_socket_directories: "" },
  },
};

/** A machine with Patroni and its PostgreSQL. */
interface Node {
  readonly name: string;
  readonly port: number;
  /** The port of Patroni's API. */
  readonly restPort: number;
  readonly home: string;
  patroni: ChildProcess | undefined;
}

/** A node as Patroni shows it. */
type Member = Readonly<Record<"name" | "role" | "state", string>>;

export interface Cluster {
  readonly nodes: readonly Node[];
  /** Waits until there is a primary, a synchronous replica and another replica. */
  untilHealthy(): Promise<void>;
  /** Kills the server of the primary, and on a lost machine Patroni too. Waits until another node is the primary. */
  losePrimary(what: "postgres" | "machine"): Promise<void>;
  stop(): Promise<void>;
}

/** Starts etcd and three nodes with Patroni, whose superuser `postgres` has this password. */
export async function startCluster(folder: string, password: string): Promise<Cluster> {
  const prepared = await preparePython({
    name: "patroni-4.1.5",
    requirements: new URL("requirements.txt", import.meta.url),
  });
  if ("skipped" in prepared) throw new Error(prepared.skipped);
  const { python } = prepared;
  const user = await findServerUser();
  const place = { python, password, binaries: await createPrograms(folder, python), etcdPort: await freePort() };
  const etcd = await startEtcd(folder, place.etcdPort);
  const start = (node: Node) => {
    const options = { ...user, env: { PATH: process.env["PATH"] } };
    node.patroni = startProgram(join(python, "../patroni"), [join(node.home, "patroni.json")], options);
  };
  const nodes: Node[] = [];
  for (const name of NODES) {
    const home = join(folder, name);
    await mkdir(home);
    if (user !== undefined) await chown(home, user.uid, user.gid);
    const node = { name, home, port: await freePort(), restPort: await freePort(), patroni: undefined };
    await writeFile(join(home, "patroni.json"), JSON.stringify(configurationOf(node, place)));
    nodes.push(node);
    start(node);
  }

  const members = async () => {
    for (const { restPort } of nodes) {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
      if (response === undefined) continue;
      const found: readonly Member[] = Object(await response.json()).members ?? [];
      return found.filter(({ state }) => state === "running" || state === "streaming");
    }
    return [];
  };
  const primary = async () => {
    const leader = (await members()).find(({ role }) => role === "leader");
    return nodes.find(({ name }) => name === leader?.name);
  };
  return {
    nodes,
    async untilHealthy() {
      const isHealthy = async () => {
        const roles = (await members()).map(({ role }) => role).toSorted();
        return roles.join() === "leader,replica,sync_standby" || undefined;
      };
      await until("PostgreSQL has a primary and two replicas", isHealthy, HEALTHY_WITHIN_MS);
    },
    async losePrimary(what) {
      const { value: node } = await until("there is a primary", primary);
      if (what === "machine") node.patroni?.kill("SIGKILL");
      const [pid] = (await readFile(join(node.home, "data/postmaster.pid"), "utf8")).split("\n");
      await killServer(Number(pid));
      const isOther = async () => ![undefined, node].includes(await primary()) || undefined;
      await until("there is another primary", isOther, HEALTHY_WITHIN_MS);
      if (what === "machine") start(node);
    },
    async stop() {
      await Promise.all(nodes.map(({ patroni }) => stopProgram(patroni)));
      await stopProgram(etcd);
    },
  };
}

/** Returns the folder with the programs that Patroni runs: those of the package, and what it lacks. */
async function createPrograms(folder: string, python: string): Promise<string> {
  const binaries = join(folder, "bin");
  await mkdir(binaries);
  for (const name of ["postgres", "initdb", "pg_ctl"]) {
    await symlink(join(locatePackage(), "native/bin", name), join(binaries, name));
  }
  for (const name of ["pg_isready", "pg_controldata"]) {
    const script = `#!/bin/sh\nexec ${python} ${fileOf("postgres_programs.py")} ${name} "$@"\n`;
    await writeFile(join(binaries, name), script);
    await chmod(join(binaries, name), 0o755);
  }
  return binaries;
}

async function startEtcd(folder: string, port: number): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  const settings = {
    ...{ name: "etcd1", "data-dir": join(folder, "etcd"), "initial-cluster": `etcd1=${peer}` },
    ...{ "listen-client-urls": client, "advertise-client-urls": client },
    ...{ "listen-peer-urls": peer, "initial-advertise-peer-urls": peer },
  };
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const etcd = startProgram("etcd", options);
  await until("etcd is healthy", async () => (await fetch(`${client}/health`)).ok || undefined);
  return etcd;
}

function configurationOf(
  { name, home, port, restPort }: Node,
  {
    python,
    password,
    binaries,
    etcdPort,
  }: Readonly<Record<"python" | "password" | "binaries", string>> & { etcdPort: number },
) {
  const address = (at: number) => ({ listen: `127.0.0.1:${at}`, connect_address: `127.0.0.1:${at}` });
  const login = { username: "postgres", password };
  return {
    ...{
      scope: "purser",
      name,
      restapi: address(restPort),
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      log: { dir: home },
    },
    bootstrap: { dcs: CLUSTER_SETTINGS, initdb: [{ encoding: "UTF8" }, { locale: "C" }] },
    postgresql: {
      ...{ ...address(port), data_dir: join(home, "data"), bin_dir: binaries, pgpass: join(home, "pgpass") },
      authentication: { superuser: login, replication: login },
      pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
      create_replica_methods: ["copy"],
      copy: { command: `${python} ${fileOf("copy_replica.py")}` },
    },
  };
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
