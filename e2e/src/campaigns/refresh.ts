import { seedDeveloper, seedSession } from "../../../service/test/seeds.ts";
import { type Caller, unauthenticatedCaller } from "../conformance/callers.ts";
import { text } from "../conformance/context.ts";
import type { ApiResponse } from "../signed-client.ts";
import type { Replicas } from "./replicas.ts";

const REFRESH = "/developers/token/refresh";

export interface RefreshCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly rounds: number;
  readonly concurrency: number;
  readonly onProgress: (message: string) => void;
}

export interface RefreshFigures {
  readonly rounds: number;
  readonly requests: number;
  /** Number of rounds in which exactly one request received new tokens. */
  readonly roundsWithOneNewToken: number;
}

/**
 * In each round, sends one refresh token several times concurrently, to both replicas. The next round uses the new
 * token. Throws if no request of a round receives a token, for example because the server has revoked the token family.
 */
export async function runRefreshCampaign({
  replicas: { urls, seeds },
  rounds,
  concurrency,
  onProgress,
}: RefreshCampaign): Promise<RefreshFigures> {
  const callers = urls.map((url) => unauthenticatedCaller(url, {}, { retriesMax: 0 }));
  const openSession = async () =>
    (await seedSession(seeds, await seedDeveloper(seeds))).refreshToken;
  let refreshToken = await openSession();
  let [completed, started, roundsWithOneNewToken] = [0, 0, 0];
  while (completed < rounds) {
    started += 1;
    if (started > 2 * rounds)
      throw new Error("Too many rounds failed because the replicas responded 503.");
    const newTokens = newTokensOf(
      await refreshConcurrently(callers, { refreshToken, concurrency }),
    );
    refreshToken = newTokens[0] ?? (await openSession());
    if (newTokens.length === 0) continue;
    completed += 1;
    if (newTokens.length === 1) roundsWithOneNewToken += 1;
    if (completed % 100 === 0) onProgress(`refresh: ${completed} of ${rounds} rounds`);
  }
  return { rounds, requests: started * concurrency, roundsWithOneNewToken };
}

function refreshConcurrently(
  callers: readonly Caller[],
  { refreshToken, concurrency }: { readonly refreshToken: string; readonly concurrency: number },
): Promise<ApiResponse[]> {
  const call = { method: "POST", path: REFRESH, body: { refresh_token: refreshToken } } as const;
  const calls = Array.from({ length: concurrency / callers.length }, () =>
    callers.map((caller) => caller(call)),
  );
  return Promise.all(calls.flat());
}

/**
 * Returns the new refresh tokens. On a busy machine, a request can use up the old token and then get a 503. The list is
 * therefore empty if no request received a token but at least one response is a 503. Throws if no request received a
 * token and no response is a 503.
 */
function newTokensOf(responses: readonly ApiResponse[]): string[] {
  const newTokens = responses.filter(({ status }) => status === 200);
  if (newTokens.length > 0) return newTokens.map((response) => text(response, "refresh_token"));
  if (responses.some(({ status }) => status === 503)) return [];
  throw new Error(`No request received a token: ${responses[0]?.text}`);
}
