// Measures decoding, beside `JSON.parse` alone and beside the official SDK's zod:
// `pnpm --filter @acp-kit/bench decode`, after a build. CPU time of this process, medians of interleaved rounds in
// random order.
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { decodeSessionNotification } from "@acp-kit/types/decode";
import { rejected, valid } from "./decode-messages.js";

interface Zod {
  safeParse(value: unknown): { readonly success: boolean };
}

const rounds = Number(process.env.ROUNDS ?? 15);
// The SDK does not export its schemas, so they are imported by path.
const zodPath = fileURLToPath(new URL("../schema/zod.gen.js", import.meta.resolve("@agentclientprotocol/sdk")));
const { zSessionNotification }: { zSessionNotification: Zod } = await import(pathToFileURL(zodPath).href);

/** A value computed from all results, because the compiler could remove work whose result is not used. */
let used = 0;

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  parse: (text) => JSON.parse(text),
  ours: (text) => decodeSessionNotification.try(JSON.parse(text)).ok,
  official: (text) => zSessionNotification.safeParse(JSON.parse(text)).success,
};

/** Microseconds of CPU per message, for each reader. */
function measure(text: string): Record<string, number> {
  const counts = Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, Math.max(20, Math.round(40_000 / cost(read, text, 300)))]),
  );
  const samples = new Map(Object.keys(readers).map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round++) {
    for (const [name, read] of shuffled(Object.entries(readers))) {
      const each = cost(read, text, counts[name] ?? 1);
      if (round >= 0) samples.get(name)?.push(each);
    }
  }
  return Object.fromEntries([...samples].map(([name, times]) => [name, median(times)]));
}

function cost(read: (text: string) => unknown, text: string, count: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) if (read(text)) used++;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Measures the import and the first message in new processes, in turn. */
function cold(text: string): Record<string, { milliseconds: number; mebibytes: number }> {
  const script = fileURLToPath(new URL("./decode-cold.mjs", import.meta.url));
  const modules = { ours: import.meta.resolve("@acp-kit/types/decode"), official: pathToFileURL(zodPath).href };
  const samples = { ours: [], official: [] } as Record<string, { milliseconds: number; mebibytes: number }[]>;
  for (let round = 0; round < rounds; round++) {
    for (const [name, specifier] of shuffled(Object.entries(modules))) {
      const output = execFileSync(process.execPath, [script, specifier, name, text], {
        encoding: "utf8",
        cwd: fileURLToPath(new URL("..", import.meta.url)),
      });
      samples[name]?.push(JSON.parse(output));
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, runs]) => [
      name,
      {
        milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
        mebibytes: median(runs.map(({ mebibytes }) => mebibytes)),
      },
    ]),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const microseconds = (value = Number.NaN) => `${value.toFixed(2)} µs`.padStart(11);
console.log(`${"".padEnd(24)}      bytes   JSON.parse  parse+ours parse+zod   ours/parse  zod/ours`);
for (const [name, text] of Object.entries({ ...valid, "rejected message": rejected })) {
  const { parse = Number.NaN, ours = Number.NaN, official = Number.NaN } = measure(text);
  const ratios = `${(ours / parse).toFixed(2).padStart(10)}× ${(official / ours).toFixed(1).padStart(8)}×`;
  console.log(
    `${name.padEnd(24)} ${String(text.length).padStart(10)}${microseconds(parse)}${microseconds(ours)}${microseconds(official)} ${ratios}`,
  );
}
console.log("\nimport and first message, fresh process     ms     RSS MiB");
for (const [name, { milliseconds, mebibytes }] of Object.entries(cold(valid.chunk ?? ""))) {
  console.log(`${name.padEnd(40)} ${milliseconds.toFixed(1).padStart(6)} ${mebibytes.toFixed(1).padStart(9)}`);
}
if (used === 0) throw new Error("nothing was read");
