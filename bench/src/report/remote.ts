// Measures a client and a server over the two profiles of the remote transport.
import { boundGoal, type Measure, type Row, ratioGoal } from "./measure.js";
import { interleave, median, type Run, type Sample, type Samples, type Side } from "./run.js";

const profiles = ["streamable HTTP", "WebSocket"] as const;
type Profile = (typeof profiles)[number];

const sides = ["ours", "sdk", "bare"] as const;

/** The tasks of a pair of processes, by name. The figures of a task are called `name.figure`. */
type Tasks = Readonly<Record<string, object>>;

/** Each task takes about a second. The SDK gets a tenth of the chunks, because each takes ten times as long. */
const tasksOf = (side: Side): Tasks => ({
  connects: { do: "connects", count: 300 },
  one: { do: "requests", count: 3_200, atOnce: 1 },
  many: { do: "requests", count: 6_400, atOnce: 64 },
  chunks: { do: "updates", update: "chunk", count: side === "sdk" ? 40_000 : 400_000 },
});

const perSecond =
  (task: string) =>
  (sample: Sample): number =>
    (figure(sample, task, "count") / figure(sample, task, "ms")) * 1_000;

function figure(sample: Sample, task: string, name: string): number {
  return sample[`${task}.${name}`] ?? Number.NaN;
}

function play(
  profile: Profile,
  tasks: (side: Side) => Tasks,
  rounds: number,
  of: readonly Side[] = sides,
): Promise<Samples> {
  const run = (side: Side): Run => ({
    script: "remote/client.mjs",
    args: [side, profile, JSON.stringify(tasks(side))],
  });
  return interleave(Object.fromEntries(of.map((side) => [side, run(side)])), rounds);
}

function figuresOf(samples: Samples, figure: (sample: Sample) => number): Partial<Record<Side, number>> {
  const known = sides.filter((side) => samples[side] !== undefined);
  return Object.fromEntries(known.map((side) => [side, median(samples, side, figure)]));
}

async function rowsOf(profile: Profile, rounds: number): Promise<Row[]> {
  const samples = await play(profile, tasksOf, rounds);
  const rate = figuresOf(samples, perSecond("chunks"));
  const words = "≥ 5 × the SDK and ≥ 0.5 of the limit";
  const goal = ratioGoal(words, rate, { over: "sdk", atLeast: 5 }, { over: "bare", atLeast: 0.5 });
  const rows: Row[] = [{ title: `${profile}, chunk: updates delivered`, unit: "/s", figures: rate, goal }];
  for (const [task, atOnce] of [
    ["one", 1],
    ["many", 64],
  ] as const) {
    const title = `${profile}, ${atOnce} in flight`;
    rows.push({ title: `${title}: round trips`, unit: "/s", figures: figuresOf(samples, perSecond(task)) });
    for (const percentile of ["p50Us", "p99Us"]) {
      const figures = figuresOf(samples, (sample) => figure(sample, task, percentile));
      rows.push({ title: `${title}: ${percentile.slice(0, 3)}`, unit: "µs", figures });
    }
  }
  const each = (sample: Sample): number => figure(sample, "connects", "ms") / figure(sample, "connects", "count");
  const connects = figuresOf(samples, each);
  rows.push({
    title: `${profile}: connect and initialize`,
    unit: "ms",
    figures: connects,
    goal: ratioGoal("≤ 1.3 × the limit", connects, { over: "bare", atMost: 1.3 }),
  });
  return rows;
}

const IDLE = 5_000;

export const remote: Measure = {
  name: "remote",
  async measure(rounds) {
    const rows = [];
    for (const profile of profiles) rows.push(...(await rowsOf(profile, rounds)));
    const task = { idle: { do: "idle", count: IDLE } };
    const idle = await play("WebSocket", () => task, Math.min(rounds, 2), ["ours", "sdk"]);
    const memory = figuresOf(idle, (sample) => figure(sample, "idle", "bytes") / 1_024);
    rows.push({
      title: `${IDLE.toLocaleString("en")} idle WebSocket connections: memory of the server for each`,
      unit: "KiB",
      figures: memory,
      goal: boundGoal("≤ 24 KiB", memory.ours, 24),
    });
    return {
      title: "Client process → server process, streamable HTTP and WebSocket",
      how: "The agent awaits each chunk of 40 characters. Requests are `session/set_mode`. Connecting is opening a connection, `initialize`, and closing it, in sequence. Memory is the difference of the resident memory before and after opening 5,000 initialized connections. The limit is `http2` or `ws` with `JSON.parse`, events of one tick in one write. The SDK's HTTP is version 1.1.",
      rows,
    };
  },
};
