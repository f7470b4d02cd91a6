/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Series {
  readonly labels: readonly string[];
  /** How many values are in each bucket and in no lower one. The last bucket has no bound. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of seconds in Prometheus's text format. Counting a value takes about a tenth of the time that the histogram of
 * prom-client takes, which would be several percent of a signed GET.
 */
export class SecondsHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, Map<string, Map<string | number, Series>>>();

  constructor(name: string, help: string, labelNames: readonly [string, string, string]) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
  }

  add(first: string, second: string, third: string | number, seconds: number): void {
    const series = this.#series.get(first)?.get(second)?.get(third) ?? this.#start(first, second, third);
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const byFirst of this.#series.values())
      for (const bySecond of byFirst.values())
        for (const series of bySecond.values()) lines.push(...this.#linesOf(series));
    return `${lines.join("\n")}\n`;
  }

  #start(first: string, second: string, third: string | number): Series {
    const labels = [first, second, String(third)].map(
      (value, at) => `${this.#labelNames[at]}=${JSON.stringify(value)}`,
    );
    const series = { labels, counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 };
    const byFirst = this.#series.get(first) ?? new Map();
    const bySecond = byFirst.get(second) ?? new Map();
    this.#series.set(first, byFirst.set(second, bySecond.set(third, series)));
    return series;
  }

  #linesOf({ labels, counts, sum }: Series): string[] {
    const all = labels.join(",");
    let count = 0;
    const buckets = counts.map((inBucket, at) => {
      count += inBucket;
      return `${this.#name}_bucket{${all},le="${BOUNDS[at] ?? "+Inf"}"} ${count}`;
    });
    return [...buckets, `${this.#name}_sum{${all}} ${sum}`, `${this.#name}_count{${all}} ${count}`];
  }
}
