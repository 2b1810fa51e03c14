// Runs measurements in one process, and measures the start and the end of processes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { boundGoal, type Measure, type Row, ratioGoal } from "./measure.js";
import { interleave, median, type Run, type Samples, type Side } from "./run.js";

const gc = ["--expose-gc"];

export const pair: Measure = {
  name: "pair",
  async measure(rounds) {
    const run = (side: Side, count: number): Run => ({ script: "solo/pair.mjs", args: [side, String(count)] });
    const samples = await interleave({ ours: run("ours", 300_000), sdk: run("sdk", 50_000) }, rounds);
    const rate = (side: Side): number =>
      median(samples, side, ({ count = Number.NaN, ms = Number.NaN }) => (count / ms) * 1e3);
    const figures = { ours: rate("ours"), sdk: rate("sdk") };
    return {
      title: "In one process",
      how: "Agent and client linked in memory, as in a test; the agent awaits each update.",
      rows: [
        {
          title: "updates delivered",
          unit: "/s",
          figures,
          goal: ratioGoal("≥ 10 × the SDK", figures, { over: "sdk", atLeast: 10 }),
        },
      ],
    };
  },
};

const whatTheyImport = {
  agent: ["@acp-kit/agent", "@acp-kit/stdio/node"],
  client: ["@acp-kit/client", "@acp-kit/stdio/node"],
};

export const start: Measure = {
  name: "start",
  async measure(rounds) {
    const sdk = "@agentclientprotocol/sdk";
    const bundles = mkdtempSync(join(tmpdir(), "acp-kit-bench-"));
    const rows: Row[] = [];
    try {
      for (const [who, modules] of Object.entries(whatTheyImport)) {
        const run = (args: readonly string[]): Run => ({ script: "solo/import.mjs", args, nodeOptions: gc });
        const samples = await interleave({ ours: run(modules), sdk: run([sdk]), bare: run([]) }, rounds * 3);
        const time = beyondNothing(samples, "ms", 1);
        const memory = beyondNothing(samples, "bytes", 2 ** 20);
        const bundled = await interleave(
          {
            ours: run([await inOneFile(modules, bundles)]),
            sdk: run([await inOneFile([sdk], bundles)]),
            bare: run([]),
          },
          rounds * 3,
        );
        rows.push(
          {
            title: `${who}: import`,
            unit: "ms",
            figures: time,
            goal: ratioGoal("≤ 0.2 × the SDK", time, { over: "sdk", atMost: 0.2 }),
          },
          { title: `${who}, bundled into one file: import`, unit: "ms", figures: beyondNothing(bundled, "ms", 1) },
          {
            title: `${who}: resident memory`,
            unit: "MiB",
            figures: memory,
            goal: boundGoal("≤ 4 MiB", memory.ours, 4),
          },
        );
      }
    } finally {
      rmSync(bundles, { recursive: true });
    }
    return {
      title: "Start",
      how: "The cost of an import beyond an empty process: wall time, and resident memory after a garbage collection. Bundled: by esbuild, with everything that the modules export.",
      rows,
    };
  },
};

/** Returns the medians of acp-kit and of the SDK, minus the median of a process that imports nothing. */
function beyondNothing(samples: Samples, name: string, unit: number): { readonly ours: number; readonly sdk: number } {
  const of = (side: Side): number => median(samples, side, (one) => one[name] ?? Number.NaN);
  return { ours: (of("ours") - of("bare")) / unit, sdk: (of("sdk") - of("bare")) / unit };
}

/** Writes a bundle of these modules into the folder. Returns its path. */
async function inOneFile(modules: readonly string[], folder: string): Promise<string> {
  const outfile = join(folder, `${modules.join("+").replaceAll("/", "-")}.mjs`);
  const contents = modules.map((module) => `export * from ${JSON.stringify(module)};`).join("\n");
  const stdin = { contents, resolveDir: import.meta.dirname, loader: "js" } as const;
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "error" });
  return outfile;
}

export const idle: Measure = {
  name: "idle",
  async measure(rounds) {
    const rows: Row[] = [];
    for (const [what, count] of [
      ["sessions", 2_000],
      ["connections", 200],
    ] as const) {
      const run = (side: Side): Run => ({
        script: "solo/idle.mjs",
        args: [side, what, String(count)],
        nodeOptions: gc,
      });
      const samples = await interleave({ ours: run("ours"), sdk: run("sdk") }, Math.min(rounds, 3));
      const of = (side: Side): number => median(samples, side, ({ bytes = Number.NaN }) => bytes / 1024);
      const figures = { ours: of("ours"), sdk: of("sdk") };
      rows.push({
        title: `one idle ${what.slice(0, -1)}, both ends`,
        unit: "KiB",
        figures,
        ...(what === "sessions" && { goal: boundGoal("≤ 4 KiB", figures.ours, 4) }),
      });
    }
    return {
      title: "Idle",
      how: "The heap memory of each open session or connection, for agent and client together.",
      rows,
    };
  },
};

export const lifecycle: Measure = {
  name: "lifecycle",
  async measure(rounds) {
    const run = (side: Side): Run => ({ script: "solo/lifecycle.mjs", args: [side, "15"] });
    const samples = await interleave({ ours: run("ours"), bare: run("bare") }, rounds);
    const of = (side: Side): number => median(samples, side, ({ ms = Number.NaN }) => ms);
    const figures = { ours: of("ours"), bare: of("bare") };
    return {
      title: "Processes",
      how: "Starting an agent's process and ending it cleanly, beside `child_process.spawn` of the same program.",
      rows: [
        {
          title: "one process, started and ended",
          unit: "ms",
          figures,
          goal: { words: "≤ 15 ms beyond node's own", met: figures.ours - figures.bare <= 15 },
        },
      ],
    };
  },
};

export const transcripts: Measure = {
  name: "transcripts",
  async measure(rounds) {
    const rows: Row[] = [];
    for (const [update, count] of [
      ["chunk", 25_000],
      ["chunk", 100_000],
      ["chunk", 400_000],
      ["tool_call_update", 100_000],
    ] as const) {
      const run: Run = { script: "solo/transcript.mjs", args: [update, String(count)], nodeOptions: gc };
      const samples = await interleave({ ours: run }, Math.min(rounds, 3));
      const of = (name: string): number => median(samples, "ours", (one) => one[name] ?? Number.NaN);
      const what = `${count.toLocaleString("en-US")} × ${update}`;
      const isGoal = update === "chunk" && count === 100_000;
      rows.push(
        {
          title: `${what}: each`,
          unit: "µs",
          figures: { ours: of("us") },
          ...(isGoal && { goal: boundGoal("≤ 1 µs", of("us"), 1) }),
        },
        {
          title: `${what}: kept of each, beyond its text`,
          unit: "B",
          figures: { ours: of("bytes") },
          ...(isGoal && { goal: boundGoal("no growth (≤ 4 B)", of("bytes"), 4) }),
        },
      );
    }
    return {
      title: "Transcript",
      how: "The cost of a session's transcript beyond decoding; it is read every 100 updates. Each client of the SDK writes its own.",
      rows,
    };
  },
};
