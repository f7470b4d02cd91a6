import type { Answer } from "../signed-client.ts";
import type { CredentialClass, Operation, WrongCall } from "./operation.ts";
import type { World } from "./world.ts";
import { type CallOf, callOf, wrongCredentials } from "./wrong-credentials.ts";

type Keep = (answer: Answer, world: World) => void;

interface Extra {
  /** Notes what later rows need of the answer. */
  readonly keep?: Keep;
  readonly alsoWrong?: readonly WrongCall[];
}

/** A row behind a credential: called as whom it is for, and as everybody whom its class refuses. */
export function guarded(
  name: Operation["name"],
  credential: Exclude<CredentialClass, "public">,
  status: number,
  call: CallOf,
  { keep, alsoWrong = [] }: Extra = {},
): Operation {
  const callers = {
    tenant: ({ live }: World) => live,
    signed: ({ live }: World) => live,
    dashboard: ({ session }: World) => session,
    admin: ({ adminCaller }: World) => adminCaller(),
  };
  return {
    name,
    credential,
    status,
    wrong: [...wrongCredentials(credential, call), ...alsoWrong],
    call: async (world) => kept(await callers[credential](world)(callOf(call, world)), world, keep),
  };
}

/** A row that needs no credential of the request: what can be wrong is what it carries. */
export function open(
  name: Operation["name"],
  status: number,
  call: CallOf,
  { keep, alsoWrong = [] }: Extra = {},
): Operation {
  return {
    name,
    credential: "public",
    status,
    wrong: alsoWrong,
    call: async (world) => kept(await world.nobody(callOf(call, world)), world, keep),
  };
}

/** A public call with something wrong in it. */
export function wrong(as: string, status: number, call: CallOf): WrongCall {
  return { as, status, call: (world) => world.nobody(callOf(call, world)) };
}

function kept(answer: Answer, world: World, keep: Keep | undefined): Answer {
  if (answer.status < 400) keep?.(answer, world);
  return answer;
}
