import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJsonFile, writeJson } from "./json-file.ts";

/** What `purser init` saves in a folder. It has ids only, so that it can be committed. */
export interface FolderConfig {
  readonly project_id?: string;
  readonly agent_id?: string;
}

const NAME = join(".purser", "config.json");

/** Returns the configuration of a folder or of the nearest folder above it, and its file. */
export function findFolderConfig(folder: string): { readonly file: string; readonly config: FolderConfig } | undefined {
  const file = join(folder, NAME);
  if (existsSync(file)) return { file, config: readJsonFile<FolderConfig>(file) ?? {} };
  const parent = dirname(folder);
  return parent === folder ? undefined : findFolderConfig(parent);
}

export function saveFolderConfig(folder: string, config: FolderConfig): string {
  const file = join(folder, NAME);
  writeJson(file, config, 0o644);
  return file;
}
