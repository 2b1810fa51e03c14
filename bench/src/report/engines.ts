// Measures the engines of a gateway: their writes and reads per second, beside bare prototypes of the same operations
// on the same servers.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresFolder, redisProgram, startPostgres, startRedis, type TestServer } from "@acp-kit/servers";
import { type Measure, type Row, ratioGoal } from "./measure.js";
import { type Sample, sample } from "./run.js";

interface Measured {
  readonly name: "memory" | "sqlite" | "redis" | "postgres";
  readonly title: string;
  readonly url: string;
  readonly hasBare: boolean;
  /** Returns the number of bytes that the server stores. */
  readonly bytes: (() => number) | undefined;
}

const medianOf = (samples: readonly Sample[], figure: (sample: Sample) => number): number =>
  samples.map(figure).sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
const rate = ({ count = 0, ms = 0 }: Sample): number => (count / ms) * 1_000;

/** Runs the engine and the bare prototype in turn, so that a slow minute of the machine affects both. */
async function both(
  { name, url, hasBare }: Measured,
  task: object,
  rounds: number,
): Promise<{ ours: Sample[]; bare: Sample[] }> {
  const samples = { ours: [] as Sample[], bare: [] as Sample[] };
  for (let round = 0; round < rounds; round++)
    for (const side of hasBare ? (["ours", "bare"] as const) : (["ours"] as const)) {
      const engine = side === "ours" ? name : `bare-${name}`;
      const place = name === "sqlite" ? join(url, `${performance.now()}.db`) : url;
      samples[side].push(await sample({ script: "engines/run.mjs", args: [engine, place, JSON.stringify(task)] }));
    }
  return samples;
}

async function rowsOf(engine: Measured, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  const compare = async (title: string, task: object): Promise<readonly Sample[]> => {
    const { ours, bare } = await both(engine, task, rounds);
    const figures = { ours: medianOf(ours, rate), ...(engine.hasBare && { bare: medianOf(bare, rate) }) };
    const goal = engine.hasBare && { goal: ratioGoal("≥ 0.8 of bare", figures, { over: "bare", atLeast: 0.8 }) };
    rows.push({ title: `${engine.title}: ${title}`, unit: "/s", figures, ...goal });
    return ours;
  };
  for (const sessions of [1, 200]) {
    const ours = await compare(`updates of 300 B appended, ${sessions} sessions, 20 in a batch`, {
      do: "appends",
      sessions,
      seconds: 3,
    });
    for (const percentile of ["p50Ms", "p99Ms"] as const) {
      const title = `${engine.title}: ${percentile.slice(0, 3)} of an append, ${sessions} sessions`;
      rows.push({ title, unit: "ms", figures: { ours: medianOf(ours, (one) => one[percentile] ?? Number.NaN) } });
    }
  }
  await compare("updates of one session replayed", { do: "replay", entries: 50_000 });
  const before = engine.bytes?.();
  const idle = await sample({
    script: "engines/run.mjs",
    args: [
      engine.name,
      engine.name === "sqlite" ? join(engine.url, "idle.db") : engine.url,
      JSON.stringify({ do: "idle", count: 10_000 }),
    ],
  });
  rows.push({
    title: `${engine.title}: a renewal with 10,000 owned sessions`,
    unit: "ms",
    figures: { ours: idle.renewMs ?? Number.NaN },
  });
  if (engine.bytes !== undefined && before !== undefined)
    rows.push({
      title: `${engine.title}: an idle session of 20 updates, in the engine`,
      unit: "KiB",
      figures: { ours: (engine.bytes() - before) / 10_000 / 1_024 },
    });
  return rows;
}

export const engines: Measure = {
  name: "engines",
  async measure(rounds) {
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-bench-"));
    const servers: TestServer[] = [];
    const all: Measured[] = [
      { name: "memory", title: "memory", url: "", hasBare: false, bytes: undefined },
      { name: "sqlite", title: "SQLite", url: folder, hasBare: false, bytes: undefined },
    ];
    const rows: Row[] = [];
    try {
      if (redisProgram() !== undefined) {
        const server = await startRedis();
        servers.push(server);
        const info = (): string =>
          execFileSync("redis-cli", ["-p", `${server.port}`, "info", "memory"], { encoding: "utf8" });
        const bytes = (): number => Number(/used_memory:(\d+)/.exec(info())?.[1]);
        all.push({ name: "redis", title: "Redis, everysec", url: server.url, hasBare: true, bytes });
      }
      if (postgresFolder() !== undefined) {
        const server = await startPostgres();
        servers.push(server);
        const psql = join(postgresFolder() ?? "", "psql");
        const size =
          "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'acp_kit' AND relkind = 'r'";
        const bytes = (): number => Number(execFileSync(psql, ["-Atc", size, server.url], { encoding: "utf8" }));
        all.push({ name: "postgres", title: "PostgreSQL", url: server.url, hasBare: true, bytes });
      }
      for (const engine of all) rows.push(...(await rowsOf(engine, Math.min(rounds, 3))));
    } finally {
      for (const server of servers) await server.stop();
      rmSync(folder, { recursive: true });
    }
    return {
      title: "Engines of a gateway",
      how: "The engine runs in a separate process, and its server on the same machine with default durability. The limit is a prototype of the same operations (`bench/src/engines/bare-*.mjs`).",
      rows,
    };
  },
};
