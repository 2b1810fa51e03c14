// Measures acp-kit and the official SDK and writes the report: `pnpm --filter @acp-kit/bench report`, after a build, on
// an idle machine.
//   … report throughput sizes     only these, printed and not written
//   ROUNDS=3 … report             fewer rounds than 5
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { type Bars, barChart } from "./report/chart.js";
import { engines } from "./report/engines.js";
import { gateway } from "./report/gateway.js";
import { installed } from "./report/installed.js";
import type { Measure, Row, Section } from "./report/measure.js";
import { remote } from "./report/remote.js";
import { type Environment, render } from "./report/render.js";
import { sizes } from "./report/sizes.js";
import { idle, lifecycle, pair, start, transcripts } from "./report/solo.js";
import { growth, large, pressure, requests, throughput, versions } from "./report/wire.js";

const measures: readonly Measure[] = [
  throughput,
  versions,
  pressure,
  requests,
  large,
  pair,
  growth,
  transcripts,
  start,
  idle,
  lifecycle,
  remote,
  gateway,
  engines,
  sizes,
];
const rounds = Number(process.env.ROUNDS ?? 5);
const wanted = process.argv.slice(2);
const home = new URL("../", import.meta.url);
const started = performance.now();

const sections: Section[] = [];
for (const measure of measures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const from = performance.now();
  sections.push(await measure.measure(rounds));
  console.error(`${measure.name.padEnd(12)} ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

const charts = {
  "throughput.svg": barChart(
    "Updates delivered per second, agent process → client process",
    "/s",
    rowsOf(sections, ": updates delivered")
      .filter(({ title }) => /^(chunk|tool_call_update)[,:]/.test(title))
      .map(bars),
  ),
  "requests.svg": barChart("Round trips per second over stdio", "/s", rowsOf(sections, "round trips").map(bars)),
};
const environment = environmentOf();
const report = render(environment, sections, wanted.length === 0 ? Object.keys(charts) : []);
if (wanted.length > 0) console.log(report);
else {
  for (const [name, picture] of Object.entries(charts)) writeFileSync(new URL(name, home), picture);
  writeFileSync(
    new URL("report.json", home),
    `${JSON.stringify({ version: 1, environment, sections }, undefined, 2)}\n`,
  );
  writeFileSync(new URL("report.md", home), report);
  console.error(`bench/report.md, ${environment.minutes.toFixed(1)} minutes`);
}

function rowsOf(all: readonly Section[], title: string): Row[] {
  return all.flatMap(({ rows }) => rows).filter((row) => row.title.includes(title));
}

function bars({ title, figures: { ours, sdk, bare } }: Row): Bars {
  const sides = { "acp-kit": ours, "official SDK": sdk, "bare limit": bare };
  const values = Object.entries(sides).flatMap(([side, value]) => (value === undefined ? [] : [{ side, value }]));
  return { label: title.split(":")[0] ?? title, values };
}

function environmentOf(): Environment {
  const [processor] = cpus();
  return {
    date: new Date().toISOString(),
    processor: processor?.model.trim() ?? "?",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    versions: Object.fromEntries(["@agentclientprotocol/sdk", "zod"].map((name) => [name, installed(name).version])),
    rounds,
    minutes: (performance.now() - started) / 60_000,
  };
}
