// Everything that passes between a client and a server, over the two profiles of the remote transport.
import { boundGoal, type Measure, type Row, ratioGoal } from "./measure.js";
import { interleave, median, type Run, type Sample, type Samples, type Side } from "./run.js";

const profiles = ["streamable HTTP", "WebSocket"] as const;
type Profile = (typeof profiles)[number];

const sides = ["ours", "sdk", "bare"] as const;
const perSecond = ({ count = Number.NaN, ms = Number.NaN }: Sample): number => (count / ms) * 1_000;
const each = ({ count = Number.NaN, ms = Number.NaN }: Sample): number => ms / count;

function play(
  profile: Profile,
  task: (side: Side) => object,
  rounds: number,
  of: readonly Side[] = sides,
): Promise<Samples> {
  const run = (side: Side): Run => ({
    script: "remote/client.mjs",
    args: [side, profile, JSON.stringify(task(side))],
  });
  return interleave(Object.fromEntries(of.map((side) => [side, run(side)])), rounds);
}

function figuresOf(samples: Samples, figure: (sample: Sample) => number): Partial<Record<Side, number>> {
  const known = sides.filter((side) => samples[side] !== undefined);
  return Object.fromEntries(known.map((side) => [side, median(samples, side, figure)]));
}

async function rowsOf(profile: Profile, rounds: number): Promise<Row[]> {
  const few = Math.min(rounds, 3);
  const count = (side: Side): number => (side === "sdk" ? 20_000 : 200_000);
  const chunks = await play(profile, (side) => ({ do: "updates", update: "chunk", count: count(side) }), rounds);
  const rate = figuresOf(chunks, perSecond);
  const words = "≥ 5 × the SDK and ≥ 0.5 of the limit";
  const goal = ratioGoal(words, rate, { over: "sdk", atLeast: 5 }, { over: "bare", atLeast: 0.5 });
  const rows: Row[] = [{ title: `${profile}, chunk: updates delivered`, unit: "/s", figures: rate, goal }];
  for (const atOnce of [1, 64]) {
    const requests = await play(profile, () => ({ do: "requests", count: 6_400, atOnce }), few);
    const title = `${profile}, ${atOnce} in flight`;
    rows.push({ title: `${title}: round trips`, unit: "/s", figures: figuresOf(requests, perSecond) });
    for (const percentile of ["p50Us", "p99Us"]) {
      const figures = figuresOf(requests, (one) => one[percentile] ?? Number.NaN);
      rows.push({ title: `${title}: ${percentile.slice(0, 3)}`, unit: "µs", figures });
    }
  }
  const connects = figuresOf(await play(profile, () => ({ do: "connects", count: 200 }), few), each);
  rows.push({
    title: `${profile}: connect and initialize`,
    unit: "ms",
    figures: connects,
    goal: ratioGoal("≤ 1.3 × the limit", connects, { over: "bare", atMost: 1.3 }),
  });
  return rows;
}

export const remote: Measure = {
  name: "remote",
  async measure(rounds) {
    const rows = [];
    for (const profile of profiles) rows.push(...(await rowsOf(profile, rounds)));
    const idle = await play("WebSocket", () => ({ do: "idle", count: 5_000 }), Math.min(rounds, 3), ["ours", "sdk"]);
    const memory = figuresOf(idle, ({ bytes = Number.NaN }) => bytes / 1_024);
    rows.push({
      title: "5,000 idle WebSocket connections: memory of the server for each",
      unit: "KiB",
      figures: memory,
      goal: boundGoal("≤ 24 KiB", memory.ours, 24),
    });
    return {
      title: "Client process → server process, streamable HTTP and WebSocket",
      how: "Server and client with no options; the agent awaits each chunk of 40 characters. Requests are `session/set_mode`. Connecting is opening a connection, `initialize` and closing it, one after the other. Memory is resident memory behind a collection, before and behind 5,000 initialized connections. The limit is `http2` or `ws` with `JSON.parse`, events of one tick in one write. The SDK's HTTP is version 1.1.",
      rows,
    };
  },
};
