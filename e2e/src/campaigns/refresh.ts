import { seedDeveloper, seedSession } from "../../../service/test/seeds.ts";
import { anonymous, type Caller } from "../conformance/callers.ts";
import { text } from "../conformance/world.ts";
import type { Answer } from "../signed-client.ts";
import type { Replicas } from "./replicas.ts";

/** A session ends after 30 days and not before, so one may go on for as long as it likes. */
const REFRESH = "/developers/token/refresh";

export interface RefreshCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly rounds: number;
  readonly atOnce: number;
  readonly onProgress: (message: string) => void;
}

export interface RefreshFigures {
  readonly rounds: number;
  readonly requests: number;
  /** Rounds in which exactly one request got a new pair of tokens. */
  readonly roundsWithOneWinner: number;
}

/**
 * Shows one refresh token many times at once, at both replicas; the winner's next token is that of the next round, so that a
 * family that dies is seen. Throws where nobody wins.
 */
export async function runRefreshCampaign({
  replicas: { urls, seeds },
  rounds,
  atOnce,
  onProgress,
}: RefreshCampaign): Promise<RefreshFigures> {
  const callers = urls.map((url) => anonymous(url, {}, { retriesMax: 0 }));
  const begin = async () => (await seedSession(seeds, await seedDeveloper(seeds))).refreshToken;
  let refreshToken = await begin();
  let [ended, begun, roundsWithOneWinner] = [0, 0, 0];
  while (ended < rounds) {
    begun += 1;
    if (begun > 2 * rounds) throw new Error("The replicas answer 503.");
    const won = winnersOf(await refreshAtOnce(callers, { refreshToken, atOnce }));
    refreshToken = won[0] ?? (await begin());
    if (won.length === 0) continue;
    ended += 1;
    if (won.length === 1) roundsWithOneWinner += 1;
    if (ended % 100 === 0) onProgress(`refresh: ${ended} of ${rounds} rounds`);
  }
  return { rounds, requests: begun * atOnce, roundsWithOneWinner };
}

function refreshAtOnce(
  callers: readonly Caller[],
  { refreshToken, atOnce }: { readonly refreshToken: string; readonly atOnce: number },
): Promise<Answer[]> {
  const call = { method: "POST", path: REFRESH, body: { refresh_token: refreshToken } } as const;
  const calls = Array.from({ length: atOnce / callers.length }, () =>
    callers.map((caller) => caller(call)),
  );
  return Promise.all(calls.flat());
}

/** The tokens that were given. None where a machine that is busy with other things has lost an answer, and its token. */
function winnersOf(answers: readonly Answer[]): string[] {
  const won = answers.filter(({ status }) => status === 200);
  if (won.length > 0) return won.map((answer) => text(answer, "refresh_token"));
  if (answers.some(({ status }) => status === 503)) return [];
  throw new Error(`Nobody got a token: ${answers[0]?.text}`);
}
