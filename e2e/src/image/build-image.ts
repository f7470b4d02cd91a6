import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const RUN_MAX_MS = 300_000;

/** One stage of a Dockerfile, whose file system is a folder. */
interface Stage {
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
}

export type Image = Readonly<Stage>;

interface BuildOptions {
  /** The folder with the Dockerfile: a Git work tree. */
  readonly context: string;
  /** An empty folder, in which each stage has one. */
  readonly folder: string;
  /** The environment of RUN: the search path with Node and npm. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a RUN instead of a shell. Returns false to let the shell run it. */
  readonly replaceRun?: (command: string, cwd: string) => Promise<boolean>;
}

/**
 * Follows a Dockerfile without a container engine: FROM, WORKDIR, ENV, COPY, RUN, USER, EXPOSE, ENTRYPOINT and CMD in JSON.
 * A base image is an empty folder, and RUN runs on this machine. Throws on any other instruction, so that no step is left
 * out. Returns the last stage.
 */
export async function buildImage(options: BuildOptions): Promise<Image> {
  const { context, folder } = options;
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, rest] of readInstructions(await readFile(path.join(context, "Dockerfile"), "utf8"))) {
    if (instruction === "FROM") {
      const [, , name = "final"] = rest.split(" ");
      stage = { root: path.join(folder, name), workdir: "/", environment: {}, user: "", entrypoint: [], command: [] };
      await mkdir(stage.root, { recursive: true });
      stages.set(name, stage);
    } else if (stage === undefined) throw new Error(`${instruction} comes before FROM`);
    else await follow(instruction, rest, { ...options, stage, stages });
  }
  if (stage === undefined) throw new Error("The Dockerfile has no stage.");
  return stage;
}

type Access = BuildOptions & { readonly stage: Stage; readonly stages: ReadonlyMap<string, Stage> };

async function follow(instruction: string, rest: string, access: Access): Promise<void> {
  const { stage, environment, replaceRun } = access;
  switch (instruction) {
    case "WORKDIR":
      stage.workdir = path.posix.resolve(stage.workdir, rest);
      await mkdir(path.join(stage.root, stage.workdir), { recursive: true });
      return;
    case "ENV": {
      const [, name = "", value = ""] = /^(\w+)="(.*)"$/.exec(rest) ?? [];
      stage.environment[name] = value;
      return;
    }
    case "COPY":
      return copy(rest.split(" "), access);
    case "RUN": {
      const cwd = path.join(stage.root, stage.workdir);
      if (await replaceRun?.(rest, cwd)) return;
      await run("/bin/sh", ["-c", rest], { cwd, env: environment, timeout: RUN_MAX_MS });
      return;
    }
    case "USER":
      stage.user = rest;
      return;
    case "EXPOSE":
      return;
    case "ENTRYPOINT":
      stage.entrypoint = JSON.parse(rest);
      return;
    case "CMD":
      stage.command = JSON.parse(rest);
      return;
    default:
      throw new Error(`The test cannot follow ${instruction}.`);
  }
}

type CopyOne = (source: string, destination: string) => Promise<unknown>;

async function copy(words: readonly string[], { context, stage, stages }: Access): Promise<void> {
  const [, from] = /^--from=(.+)$/.exec(words[0] ?? "") ?? [];
  const copyOne = from === undefined ? await fromContext(context) : fromStage(stages.get(from));
  const to = words.at(-1) ?? "";
  const target = path.join(stage.root, path.posix.resolve(stage.workdir, to));
  for (const source of words.slice(from === undefined ? 0 : 1, -1)) {
    // Docker copies the content of a folder into the target, and a file into a target that ends with a slash.
    const destination = to.endsWith("/") ? path.join(target, path.basename(source)) : target;
    await mkdir(path.dirname(destination), { recursive: true });
    await copyOne(source, destination);
  }
}

function fromStage(stage: Stage | undefined): CopyOne {
  if (stage === undefined) throw new Error("COPY names a stage that does not exist.");
  const options = ["--archive", "--link", "--no-target-directory"];
  return (source, destination) => run("cp", [...options, path.join(stage.root, source), destination]);
}

async function fromContext(context: string): Promise<CopyOne> {
  const wanted = await contextFiles(context);
  return async (source, destination) => {
    const start = path.join(context, source);
    await cp(start, destination, { recursive: true, filter: (file) => file === start || wanted.has(file) });
  };
}

function ancestorsOf(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [] : [file, ...ancestorsOf(parent)];
}

/** Returns what Docker sends as the context: the files of the work tree that .dockerignore does not exclude, and their folders. */
async function contextFiles(context: string): Promise<ReadonlySet<string>> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", args, { cwd: context, maxBuffer: 64 * 1024 * 1024 });
  const excluded = (await readFile(path.join(context, ".dockerignore"), "utf8")).split("\n").filter(Boolean);
  const isExcluded = (parts: readonly string[]) =>
    parts.some((part) => excluded.some((pattern) => path.matchesGlob(part.slice(1), pattern)));
  const files = stdout
    .split("\n")
    .filter(Boolean)
    .map((file) => ancestorsOf(`/${file}`));
  return new Set(
    files
      .filter((parts) => !isExcluded(parts))
      .flat()
      .map((part) => path.join(context, part)),
  );
}

function readInstructions(text: string): (readonly [instruction: string, rest: string])[] {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
}
