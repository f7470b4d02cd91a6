import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { writePrivateFile } from "../private-file.ts";
import type { Anvil } from "./anvil.ts";

/** Saving takes at most one part in this many of the time. */
const PAUSE_FACTOR = 20;

export interface StateSaver {
  /** Saves the state soon. */
  changed(): void;
  /** Saves what is not saved yet. */
  close(): Promise<void>;
}

/**
 * Writes the state of a chain to a file. Anvil's own `--state-interval` can leave a file that it cannot read, because it does
 * not replace the file at once.
 */
export function createStateSaver(anvil: Anvil, file: string, note: (text: string) => void): StateSaver {
  let hasChanged = false;
  let notBeforeMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function save(): Promise<void> {
    if (!hasChanged) return;
    hasChanged = false;
    const startedMs = performance.now();
    const dump = await anvil.call("anvil_dumpState");
    const state = await promisify(gunzip)(Buffer.from(String(dump).slice(2), "hex"));
    await writePrivateFile(file, state.toString());
    const endedMs = performance.now();
    notBeforeMs = endedMs + PAUSE_FACTOR * (endedMs - startedMs);
  }

  function saveNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    saving = saving.then(save).catch(({ message }: Error) => {
      // The next change, or the end, tries again.
      hasChanged = true;
      note(`${file} was not written: ${message}`);
    });
    return saving;
  }

  return {
    changed: () => {
      hasChanged = true;
      timer ??= setTimeout(saveNext, Math.max(0, notBeforeMs - performance.now()));
    },
    close: saveNext,
  };
}
