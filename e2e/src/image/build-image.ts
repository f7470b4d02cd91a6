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

async function copy(words: readonly string[], { context, stage, stages }: Access): Promise<void> {
  const from = /^--from=(.+)$/.exec(words[0] ?? "")?.[1];
  const paths = from === undefined ? words : words.slice(1);
  const [to = "", sources] = [paths.at(-1), paths.slice(0, -1)];
  const target = path.join(stage.root, path.posix.resolve(stage.workdir, to));
  const base = from === undefined ? context : stages.get(from)?.root;
  if (base === undefined) throw new Error(`COPY --from=${from}: there is no such stage.`);
  const files = from === undefined ? await contextFiles(context) : undefined;
  for (const source of sources) {
    // Docker copies the content of a folder into the target, and a file into a target that ends with a slash.
    const isFile = to.endsWith("/");
    const destination = isFile ? path.join(target, path.basename(source)) : target;
    await copyTree(
      path.join(base, source),
      destination,
      files && new Set([...files].map((file) => path.join(base, file))),
    );
  }
}

/** Copies a file or a folder. Of the context, only the given files and the folders that contain them. */
async function copyTree(source: string, target: string, files: ReadonlySet<string> | undefined): Promise<void> {
  const wanted = files && new Set([...files].flatMap(ancestorsOf));
  await cp(source, target, {
    ...{ recursive: true, verbatimSymlinks: true, mode: 0 },
    filter: (file) => wanted === undefined || file === source || wanted.has(file),
  });
}

function ancestorsOf(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [] : [file, ...ancestorsOf(parent)];
}

/** Returns what Docker sends as the context: the files of the work tree that .dockerignore does not exclude. */
async function contextFiles(context: string): Promise<ReadonlySet<string>> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", args, { cwd: context, maxBuffer: 64 * 1024 * 1024 });
  const excluded = (await readFile(path.join(context, ".dockerignore"), "utf8")).split("\n").filter(Boolean);
  const isExcluded = (file: string) =>
    ancestorsOf(`/${file}`).some((part) => excluded.some((pattern) => path.matchesGlob(part.slice(1), pattern)));
  return new Set(stdout.split("\n").filter((file) => file !== "" && !isExcluded(file)));
}

function readInstructions(text: string): (readonly [instruction: string, rest: string])[] {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
}
