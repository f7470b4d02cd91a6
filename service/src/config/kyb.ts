import { KYB_USES, type KybUse, type Profile } from "../foundation/vocabulary.ts";
import type { Reader } from "./reader.ts";

const NAME = "KYB_REQUIRED_FOR";

/** Reads what requires a verified business in live mode. An empty text means nothing. Other profiles ignore the variable. */
export function readKybRequiredFor(read: Reader, profile: Profile): readonly KybUse[] {
  if (profile !== "production" || read.isEmpty(NAME)) return [];
  const names = read.list(NAME, KYB_USES);
  const uses = KYB_USES.filter((use) => names.includes(use));
  if (uses.length !== names.length) read.report(`${NAME} is not a list of ${KYB_USES.join(" and ")}.`);
  return uses;
}
