// Measurements between two processes.
import { boundGoal, type Measure, type Row, ratioGoal } from "./measure.js";
import { interleave, median, type Run, type Sample, type Samples, type Side } from "./run.js";

const MiB = 2 ** 20;

const task = (side: Side, task: object): Run => ({ script: "wire/client.mjs", args: [side, JSON.stringify(task)] });
const updates = (side: Side, update: string, count: number): Run =>
  task(side, { do: "updates", job: { update, count } });

const perSecond = ({ count = Number.NaN, ms = Number.NaN }: Sample): number => (count / ms) * 1_000;

/** The median figure of each side. */
function figuresOf(samples: Samples, figure: (sample: Sample) => number): Partial<Record<Side, number>> {
  const sides = (["ours", "sdk", "bare"] as const).filter((side) => samples[side] !== undefined);
  return Object.fromEntries(sides.map((side) => [side, median(samples, side, figure)]));
}

/**
 * The number of updates that each side sends, which takes about a second. In a shorter measurement, the CPU time of the
 * compilation of hot functions would be a tenth of the figure.
 */
const counts: Readonly<Record<string, Readonly<Record<Side, number>>>> = {
  chunk: { ours: 600_000, sdk: 60_000, bare: 600_000 },
  tool_call_update: { ours: 300_000, sdk: 20_000, bare: 300_000 },
  tool_call: { ours: 60_000, sdk: 20_000, bare: 60_000 },
  plan: { ours: 60_000, sdk: 20_000, bare: 60_000 },
};

const countOf = (update: string, side: Side): number => counts[update]?.[side] ?? 0;

export const throughput: Measure = {
  name: "throughput",
  async measure(rounds) {
    const rows: Row[] = [];
    const goals: Record<string, [string, number, number]> = {
      chunk: ["≥ 5 × the SDK and ≥ 0.65 of the limit", 5, 0.65],
      tool_call_update: ["≥ 15 × the SDK", 15, 0],
    };
    for (const update of Object.keys(counts)) {
      const run = (side: Side): Run => updates(side, update, countOf(update, side));
      const lean = task("ours", { do: "updates", job: { update, count: countOf(update, "ours") }, lean: true });
      const samples = await interleave({ ours: run("ours"), lean, sdk: run("sdk"), bare: run("bare") }, rounds);
      const rate = figuresOf(samples, perSecond);
      const cpu = figuresOf(samples, ({ cpuUs = Number.NaN }) => cpuUs);
      const leanRate = median(samples, "lean", perSecond);
      const [words, overSdk, overBare] = goals[update] ?? [];
      rows.push({
        title: `${update}: updates delivered`,
        unit: "/s",
        figures: rate,
        ...(words !== undefined && {
          goal: ratioGoal(
            words,
            rate,
            { over: "sdk", atLeast: overSdk ?? 0 },
            { over: "bare", atLeast: overBare ?? 0 },
          ),
        }),
      });
      rows.push({
        title: `${update}, no transcript: updates delivered`,
        unit: "/s",
        figures: { ...rate, ours: leanRate },
      });
      rows.push({
        title: `${update}: CPU of the client for each`,
        unit: "µs",
        figures: cpu,
        goal: ratioGoal("≤ 1.6 × the limit", cpu, { over: "bare", atMost: 1.6 }),
      });
    }
    return {
      title: "Updates, agent process → client process",
      how: "The agent sends `session/update` over stdio to a handler that counts, and awaits each. A chunk has 40 characters, a tool_call_update 255 B, a tool_call 5 KB with a diff, a plan 20 entries. By default, acp-kit keeps a transcript of the session and applies compatibility rules; in the rows without a transcript, it does as little as the others.",
      rows,
    };
  },
};

/** Measures version 2. The goal of the part of the rate over version 1 is V2-REQ-33. */
export const versions: Measure = {
  name: "versions",
  async measure(rounds) {
    const chunks = (script: string, count: number, version: number): Run => ({
      script: "wire/client.mjs",
      args: [script, JSON.stringify({ do: "updates", version, job: { update: "chunk", count } })],
    });
    const samples = await interleave(
      { ours: chunks("ours", 600_000, 2), v1: chunks("ours", 600_000, 1), sdk: chunks("sdk2", 40_000, 2) },
      rounds,
    );
    const rate = figuresOf(samples, perSecond);
    const ofVersion1 = (rate.ours ?? Number.NaN) / median(samples, "v1", perSecond);
    return {
      title: "Version 2 of the protocol",
      how: "As chunks above, over version 2.",
      rows: [
        {
          title: "chunk: updates delivered",
          unit: "/s",
          figures: rate,
          goal: ratioGoal("≥ 5 × the SDK's version 2", rate, { over: "sdk", atLeast: 5 }),
        },
        {
          title: "chunk: part of the rate over version 1",
          unit: "×",
          figures: { ours: ofVersion1 },
          goal: { words: "≥ 0.75", met: ofVersion1 >= 0.75 },
        },
      ],
    };
  },
};

export const pressure: Measure = {
  name: "pressure",
  async measure(rounds) {
    // A short warm-up, whose memory does not count as growth.
    const burstTask = (side: Side, count: number): Run =>
      task(side, { do: "updates", job: { update: "chunk", count, burst: true }, warmUp: count / 10 });
    const burst = await interleave({ ours: burstTask("ours", 200_000), sdk: burstTask("sdk", 60_000) }, rounds);
    const stallTask = (side: Side): Run =>
      task(side, { do: "stall", job: { update: "chunk", count: 100_000 }, stallMs: 3_000 });
    const stalled = await interleave({ ours: stallTask("ours"), sdk: stallTask("sdk") }, Math.min(rounds, 3));
    const drainTask = (side: Side): Run => task(side, { do: "drain", job: { update: "chunk", count: 200_000 } });
    const ours = await interleave({ ours: drainTask("ours") }, rounds);
    const sdk = await interleave({ sdk: drainTask("sdk") }, 1); // one run is enough, because the time is quadratic
    const rate = figuresOf(burst, perSecond);
    const grown = figuresOf(burst, ({ agentGrown = Number.NaN }) => agentGrown / MiB);
    const held = figuresOf(stalled, (one) => (one.grown ?? Number.NaN) / MiB);
    const agentHeld = figuresOf(stalled, (one) => (one.agentGrown ?? Number.NaN) / MiB);
    const atOnce = figuresOf(stalled, (one) => one.atOnce ?? Number.NaN);
    const drained = figuresOf({ ...ours, ...sdk }, ({ ms = Number.NaN }) => ms / 1_000);
    const lost = (stalled.ours ?? []).some(({ delivered, count }) => delivered !== count);
    return {
      title: "Pressure",
      how: "An agent that never awaits, a client whose handlers block for 3 seconds while 100,000 updates are sent, and 200,000 updates that are read only after the turn. Memory is the growth of the process's peak.",
      rows: [
        {
          title: "burst: updates delivered",
          unit: "/s",
          figures: rate,
          goal: ratioGoal("≥ 5 × the SDK", rate, { over: "sdk", atLeast: 5 }),
        },
        {
          title: "burst: memory of the agent",
          unit: "MiB",
          figures: grown,
          goal: boundGoal("≤ 64 MiB", grown.ours, 64),
        },
        {
          title: "stalled reader: memory of the client",
          unit: "MiB",
          figures: held,
          goal: { words: "≤ 32 MiB, nothing lost", met: !lost && (held.ours ?? Number.NaN) <= 32 },
        },
        { title: "stalled reader: memory of the agent", unit: "MiB", figures: agentHeld },
        { title: "stalled reader: handlers at once", unit: "", figures: atOnce },
        {
          title: "200,000 queued updates, drained",
          unit: "s",
          figures: drained,
          goal: boundGoal("linear, ≤ 0.6 s", drained.ours, 0.6),
        },
      ],
    };
  },
};

export const requests: Measure = {
  name: "requests",
  async measure(rounds) {
    const rows: Row[] = [];
    for (const atOnce of [1, 64]) {
      // About a second for each side.
      const countOf = (side: Side): number => (atOnce === 1 ? 20_000 : side === "sdk" ? 40_000 : 200_000);
      const run = (side: Side): Run => task(side, { do: "requests", count: countOf(side), atOnce });
      const samples = await interleave({ ours: run("ours"), sdk: run("sdk"), bare: run("bare") }, rounds);
      const rate = figuresOf(samples, perSecond);
      const goal =
        atOnce === 1
          ? ratioGoal("≥ 0.85 of the limit", rate, { over: "bare", atLeast: 0.85 })
          : ratioGoal(
              "≥ 3 × the SDK, ≥ 0.7 of the limit",
              rate,
              { over: "sdk", atLeast: 3 },
              { over: "bare", atLeast: 0.7 },
            );
      rows.push({ title: `${atOnce} in flight: round trips`, unit: "/s", figures: rate, goal });
      for (const percentile of ["p50Us", "p99Us"]) {
        const figures = figuresOf(samples, (one) => one[percentile] ?? Number.NaN);
        rows.push({ title: `${atOnce} in flight: ${percentile.slice(0, 3)}`, unit: "µs", figures });
      }
    }
    return { title: "Requests", how: "`session/set_mode`, client process → agent process and back, over stdio.", rows };
  },
};

export const large: Measure = {
  name: "large",
  async measure(rounds) {
    const bytes = 10_000_000;
    const run = (side: Side): Run => task(side, { do: "updates", job: { bytes, count: 1 }, warmUp: 0 });
    const samples = await interleave({ ours: run("ours"), sdk: run("sdk"), bare: run("bare") }, rounds);
    const latency = figuresOf(samples, ({ ms = Number.NaN }) => ms);
    const grown = figuresOf(samples, (one) => (one.grown ?? Number.NaN) / MiB);
    return {
      title: "One message of 10 MB",
      how: "A message chunk of ten million characters, agent process → client process: from the prompt to its response. Memory is the growth of the client's peak.",
      rows: [
        {
          title: "latency",
          unit: "ms",
          figures: latency,
          goal: ratioGoal("≤ 1.2 × the limit", latency, { over: "bare", atMost: 1.2 }),
        },
        {
          title: "memory of the client",
          unit: "MiB",
          figures: grown,
          goal: boundGoal("≤ 4 × the message", grown.ours, (4 * bytes) / MiB),
        },
      ],
    };
  },
};

/** The largest message that the SDK reads by default. */
const sdkLimit = 32 * MiB;

export const growth: Measure = {
  name: "growth",
  async measure(rounds) {
    const few = Math.min(rounds, 3);
    const rows: Row[] = [];
    for (const sessions of [1, 10, 100]) {
      const run = (side: Side, count: number): Run =>
        task(side, { do: "updates", job: { update: "chunk", count }, sessions });
      const samples = await interleave({ ours: run("ours", 200_000), sdk: run("sdk", 50_000) }, few);
      rows.push({ title: `${sessions} sessions at once`, unit: "updates/s", figures: figuresOf(samples, perSecond) });
    }
    for (const [name, bytes] of Object.entries({
      "100 B": 100,
      "10 kB": 1e4,
      "1 MB": 1e6,
      "10 MB": 1e7,
      "50 MB": 5e7,
    })) {
      const count = Math.max(2, Math.min(50_000, Math.round(1.5e8 / bytes)));
      const run = (side: Side): Run =>
        task(side, { do: "updates", job: { bytes, count }, warmUp: Math.ceil(count / 10) });
      const runs = { ours: run("ours"), ...(bytes < sdkLimit && { sdk: run("sdk") }), bare: run("bare") };
      const samples = await interleave(runs, few);
      const figures = figuresOf(samples, (one) => (perSecond(one) * bytes) / 1e6);
      rows.push({ title: `messages of ${name}`, unit: "MB/s", figures });
    }
    return {
      title: "Growth",
      how: "The same number of updates over more sessions of one connection, and messages of growing size. The SDK refuses messages over 32 MiB by default.",
      rows,
    };
  },
};
