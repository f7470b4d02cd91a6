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
  /** Number of rounds in which exactly one of the returned refresh tokens was valid. */
  readonly roundsWithOneValidToken: number;
}

/**
 * In each round, sends one refresh token several times concurrently, to both replicas. Each response contains a refresh
 * token that revokes the one of the response before. Then sends all of them concurrently. The next round uses the token
 * that the valid one gets. Throws if no request of a round receives a token, for example because the server has revoked
 * the token family.
 */
export async function runRefreshCampaign({
  replicas: { urls, seeds },
  rounds,
  concurrency,
  onProgress,
}: RefreshCampaign): Promise<RefreshFigures> {
  const callers = urls.map((url) => unauthenticatedCaller(url, {}, { retriesMax: 0 }));
  const openSession = async () => (await seedSession(seeds, await seedDeveloper(seeds))).refreshToken;
  let refreshToken = await openSession();
  let [completed, started, roundsWithOneValidToken] = [0, 0, 0];
  while (completed < rounds) {
    started += 1;
    if (started > 2 * rounds) throw new Error("Too many rounds failed because the replicas responded 503.");
    const repeated = Array<string>(concurrency).fill(refreshToken);
    const newTokens = await refreshConcurrently(callers, repeated);
    const successors = await refreshConcurrently(callers, newTokens);
    refreshToken = successors[0] ?? (await openSession());
    if (successors.length === 0) continue;
    completed += 1;
    if (successors.length === 1) roundsWithOneValidToken += 1;
    if (completed % 100 === 0) onProgress(`refresh: ${completed} of ${rounds} rounds`);
  }
  return { rounds, requests: 2 * started * concurrency, roundsWithOneValidToken };
}

/**
 * Sends the tokens concurrently, to the replicas in turn. Returns the new tokens. On a busy machine, a request can use up the
 * old token and then get a 503. The list is therefore empty if no request received a token but at least one response is a
 * 503. Throws if no request received a token and no response is a 503.
 */
async function refreshConcurrently(callers: readonly Caller[], refreshTokens: readonly string[]): Promise<string[]> {
  if (refreshTokens.length === 0) return [];
  const responses: ApiResponse[] = await Promise.all(
    refreshTokens.flatMap((refresh_token, index) => {
      const call = { method: "POST", path: REFRESH, body: { refresh_token } } as const;
      return callers.filter((_caller, turn) => turn === index % callers.length).map((caller) => caller(call));
    }),
  );
  const newTokens = responses.filter(({ status }) => status === 200);
  if (newTokens.length > 0) return newTokens.map((response) => text(response, "refresh_token"));
  if (responses.some(({ status }) => status === 503)) return [];
  throw new Error(`No request received a token: ${responses[0]?.text}`);
}
