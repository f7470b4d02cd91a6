import type { Answer } from "../signed-client.ts";
import type { CredentialClass, Operation, WrongCall } from "./operation.ts";
import type { World } from "./world.ts";
import { type CallOf, callOf, wrongCredentials } from "./wrong-credentials.ts";

type Keep = (answer: Answer, world: World) => void;

interface Extra {
  /** Saves values of the response for later operations. */
  readonly keep?: Keep;
  readonly alsoWrong?: readonly WrongCall[];
}

/** An operation with a credential. It is called with that credential and with each wrong one. */
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

/** An operation without a credential. */
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

/** A call without a credential that must be refused. */
export function wrong(description: string, status: number, call: CallOf): WrongCall {
  return { description, status, call: (world) => world.nobody(callOf(call, world)) };
}

function kept(answer: Answer, world: World, keep: Keep | undefined): Answer {
  if (answer.status < 400) keep?.(answer, world);
  return answer;
}
