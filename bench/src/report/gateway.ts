// Measures a gateway between a client and an agent: its overhead, and how the overhead grows.
import { boundGoal, type Measure, type Row } from "./measure.js";
import { type Sample, sample } from "./run.js";

const engines = ["memory", "sqlite"] as const;
type Through = (typeof engines)[number] | "direct";

/** The number of runs whose median is the figure. Each run has its own process. */
const TRIES = 3;

async function play(through: Through, task: object, tries: number): Promise<(name: string) => number> {
  const samples: Sample[] = [];
  const nodeOptions = ["--expose-gc"];
  for (let i = 0; i < tries; i++)
    samples.push(await sample({ script: "gateway/run.mjs", args: [through, JSON.stringify(task)], nodeOptions }));
  return (name) =>
    samples.map((one) => one[name] ?? Number.NaN).sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

const rateOf = (figure: (name: string) => number): number => (figure("count") / figure("ms")) * 1_000;
const row = (title: string, unit: string, ours: number, goal?: Row["goal"]): Row => ({
  title,
  unit,
  figures: { ours },
  ...(goal && { goal }),
});
const atLeast = (words: string, ours: number, bound: number): NonNullable<Row["goal"]> => ({
  words,
  met: ours >= bound,
});
const nameOf = { memory: "memory", sqlite: "SQLite" } as const;

/** Measures the delivered updates in proportion to those over a pipe without a gateway. */
async function throughput(tries: number): Promise<Row[]> {
  const task = { do: "updates", count: 200_000 };
  const rates: Record<Through, number[]> = { direct: [], memory: [], sqlite: [] };
  // In turn, so that a slow minute of the machine affects all of them.
  for (let i = 0; i < tries; i++)
    for (const through of ["direct", ...engines] as const) rates[through].push(rateOf(await play(through, task, 1)));
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const direct = median(rates.direct);
  return [
    row("chunk, agent process → client process: updates through no gateway", "/s", direct),
    ...engines.flatMap((engine) => {
      const rate = median(rates[engine]);
      const least = engine === "memory" ? 0.4 : 0.25;
      return [
        row(`chunk, through the process of a gateway, ${nameOf[engine]}: updates`, "/s", rate),
        row(
          `part of what no gateway delivers, ${nameOf[engine]}`,
          "×",
          rate / direct,
          atLeast(`≥ ${least}`, rate / direct, least),
        ),
      ];
    }),
  ];
}

/**
 * Measures the gateway in version 2 in proportion to a pipe in version 2, and conversion in proportion to the gateway
 * with an agent of the client's version.
 */
async function versions(tries: number): Promise<Row[]> {
  const runs = {
    direct: ["direct", 2, 2],
    memory: ["memory", 2, 2],
    sqlite: ["sqlite", 2, 2],
    first: ["memory", 1, 1],
    toV1: ["memory", 1, 2],
    toV2: ["memory", 2, 1],
  } as const;
  const rates = Object.fromEntries(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let i = 0; i < tries; i++)
    for (const [name, [through, version, agentVersion]] of Object.entries(runs)) {
      const task = { do: "updates", count: 200_000, version, agentVersion };
      rates[name]?.push(rateOf(await play(through, task, 1)));
    }
  const rate = (name: keyof typeof runs): number =>
    rates[name]?.sort((a, b) => a - b)[(rates[name]?.length ?? 0) >> 1] ?? Number.NaN;
  const part = (title: string, of: number, least: number): Row => row(title, "×", of, atLeast(`≥ ${least}`, of, least));
  return [
    part("version 2: part of what no gateway delivers, memory", rate("memory") / rate("direct"), 0.4),
    part("version 2: part of what no gateway delivers, SQLite", rate("sqlite") / rate("direct"), 0.25),
    part("agent of version 2, client of version 1: part of unconverted", rate("toV1") / rate("first"), 0.5),
    part("agent of version 1, client of version 2: part of unconverted", rate("toV2") / rate("memory"), 0.5),
  ];
}

async function latency(tries: number): Promise<Row[]> {
  const task = { do: "latency", sessions: 100, seconds: 2 };
  const direct = await play("direct", task, tries);
  const rows: Row[] = [];
  for (const engine of engines) {
    const through = await play(engine, task, tries);
    for (const [percentile, most] of [
      ["p50Us", 500],
      ["p99Us", 5_000],
    ] as const) {
      const added = through(percentile) - direct(percentile);
      const title = `100 updates/s on each of 100 sessions, ${nameOf[engine]}: ${percentile.slice(0, 3)} added`;
      rows.push(row(title, "µs", added, boundGoal(`≤ ${most} µs`, added, most)));
    }
  }
  return rows;
}

async function sessions(): Promise<Row[]> {
  const many = await play("sqlite", { do: "sleeping", count: 10_000, isAttached: false }, 1);
  const attached = await play("sqlite", { do: "sleeping", count: 1_000, isAttached: true }, 1);
  const memory = (where: string, figure: (name: string) => number): Row => {
    const kib = figure("bytes") / 1_024;
    return row(`a sleeping session ${where}: memory`, "KiB", kib, boundGoal("≤ 16 KiB", kib, 16));
  };
  return [
    memory("without a client", many),
    memory("with a client that has it open", attached),
    row("10,000 sleeping sessions in one server: created, with a turn of 2 updates", "/s", rateOf(many)),
    row("10,000 sleeping sessions in one server: load one and run a turn", "ms", many("wakeMs")),
  ];
}

async function readers(tries: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const observers of [1, 10, 100, 1_000]) {
    const figure = await play(
      "memory",
      { do: "observers", observers, updates: Math.min(10_000, 50_000 / observers) },
      tries,
    );
    rows.push(row(`${observers} observers of one session: updates delivered to all`, "/s", rateOf(figure)));
  }
  for (const engine of engines)
    for (const entries of [25_000, 100_000]) {
      const figure = await play(engine, { do: "catchUp", entries }, tries);
      const rate = rateOf(figure);
      const name = `${nameOf[engine]}, ${entries} updates missed`;
      rows.push(row(`${name}: caught up from the engine`, "/s", rate, atLeast("≥ 100,000/s", rate, 100_000)));
      if (entries === 25_000) continue;
      const first = figure("firstMs");
      rows.push(row(`${name}: connect, resume, first missed update`, "ms", first, boundGoal("≤ 20 ms", first, 20)));
    }
  return rows;
}

export const gateway: Measure = {
  name: "gateway",
  async measure(rounds) {
    const tries = Math.min(rounds, TRIES);
    return {
      title: "Through a gateway",
      how: "For throughput and latency, client, gateway and agent are separate processes on stdio. Otherwise, client and agent are in the gateway's process, and the client only counts messages. Memory is heap and external memory after a garbage collection.",
      rows: [
        ...(await throughput(tries)),
        ...(await versions(tries)),
        ...(await latency(1)),
        ...(await sessions()),
        ...(await readers(1)),
      ],
    };
  },
};
