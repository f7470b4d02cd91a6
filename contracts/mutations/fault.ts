/** A fault that the tests of the contracts must catch. */
export interface Fault {
  readonly id: string;
  /** Text of the source. It occurs exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What a user of the contracts would see. */
  readonly meaning: string;
  /** Why no test can catch the fault. Only for a check that repeats another one. */
  readonly equivalentBecause?: string;
}

export interface FaultsOfSource {
  /** The name of a file in `contracts/src`. */
  readonly source: string;
  readonly faults: readonly Fault[];
}

/** Returns the source with the fault. Throws if the text to replace does not occur exactly once. */
export function applyFault(text: string, { id, find, replace }: Fault): string {
  const occurrences = text.split(find).length - 1;
  if (occurrences !== 1) {
    throw new Error(`The fault ${id} must apply once, but its text occurs ${occurrences} times.`);
  }
  return text.replace(find, () => replace);
}
