import { readdir, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FastifyReply } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import type { Visit } from "./page.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The files of the built dashboard, or of the built documents. */
export interface BuiltFiles {
  has(file: string): Promise<boolean>;
  read(file: string): Promise<string>;
  /** Sends the file, for example `assets/a.js`, compressed if the browser accepts it. Throws `not_found` if it is not listed. */
  send(visit: Visit, file: string): Promise<FastifyReply>;
}

/**
 * Reads the list of a folder's files, and again after another build has replaced the folder. Only listed files are read, so
 * no path leads out of the folder.
 */
export function builtFiles(folder: string): BuiltFiles {
  let list: { readonly builtAtMs: number; readonly names: ReadonlySet<string> } | undefined;

  async function has(file: string): Promise<boolean> {
    const builtAtMs = (await stat(folder).catch(() => undefined))?.mtimeMs;
    if (builtAtMs === undefined) return false;
    if (list?.builtAtMs !== builtAtMs) {
      const names = await readdir(folder, { recursive: true });
      list = { builtAtMs, names: new Set(names.map((name) => name.replaceAll(sep, "/"))) };
    }
    return list.names.has(file);
  }

  async function send({ request, reply }: Visit, file: string): Promise<FastifyReply> {
    const type = TYPES[/\.(\w+)$/.exec(file)?.[1] ?? ""];
    if (type === undefined || !(await has(file))) throw new AppError("not_found");
    const acceptsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    const compressed = acceptsGzip && (await has(`${file}.gz`));
    if (compressed) reply.header("content-encoding", "gzip");
    const content = await readFile(join(folder, compressed ? `${file}.gz` : file));
    return reply.headers({ "content-type": type, vary: "accept-encoding" }).send(content);
  }

  return { has, read: (file) => readFile(join(folder, file), "utf8"), send };
}

/** The headers of a file whose name has a hash of its content. */
export const ASSET_HEADERS = { "cache-control": "public, max-age=31536000, immutable" } as const;
