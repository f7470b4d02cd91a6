import type { Check } from "../compose/doctor/check.ts";
import { examine } from "../compose/doctor/doctor.ts";
import { type Terminal, UsageError } from "./command-line.ts";

/** Prints one line for each check, or one JSON object. Throws `UsageError` if a check found a fault. */
export async function doctorCommand({ environment, print }: Terminal, { json }: { readonly json: boolean }) {
  const checks = await examine(environment);
  const faults = checks.filter(({ status }) => status === "fault").length;
  if (json) print(JSON.stringify({ ok: faults === 0, checks }));
  else for (const check of checks) print(lineOf(check));
  if (faults > 0) throw new UsageError(`${faults} of ${checks.length} checks found a fault.`);
}

function lineOf({ status, check, detail, fix }: Check): string {
  return `${status.padEnd(7)}  ${check}: ${detail}${fix === "" ? "" : `\n         ${fix}`}`;
}
