import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchRawClient } from "../../test/launch-raw-client.js";
import { type LegalClient, legalClients } from "../../test/legal-clients.js";
import type { RawClientOptions } from "../../test/raw-client.mjs";
import { reproDefects } from "../../test/repro-defects.js";
import { type WrongClient, wrongClients } from "../../test/wrong-clients.js";
import { weighs } from "../heaviest-tier.js";
import { nodeHost } from "../node/client/node-host.js";
import { buildReport } from "../report/build-report.js";
import type { ConformanceReport } from "../report/report.js";
import { clientScenarios, clientWatches } from "./client-checks.js";
import { type ClientPlay, playClient } from "./play-client.js";
import { watchedScenarios } from "./watched-scenarios.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-raw-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const checks = [...clientScenarios, ...clientWatches];
const areaOf = (id: string): string => id.split("/")[0] ?? "";
const watched = new Set(clientWatches.map(({ id }) => areaOf(id)));

function play(
  options: Omit<RawClientOptions, "cwd">,
  only: (id: string) => boolean,
  stepTimeoutMs: number,
  habit?: LegalClient,
): Promise<ClientPlay> {
  const launch = launchRawClient({ cwd, ...options }, habit);
  return playClient({
    launch,
    host: nodeHost,
    driving: { cancelStdin: "cancel", stepTimeoutMs, quietMs: 60 },
    wanted: ({ id }) => only(id),
    jobs: 4,
    confirm: false, // in memory, two runs do not differ
  });
}

/** The rules whose faults have a script that reproduces them without the kit. */
const shown = new Set<string>();

const reportOf = ({ outcomes }: ClientPlay): ConformanceReport =>
  buildReport({
    role: "client",
    subject: { command: "client" },
    kit: "1.0.0",
    startedAt: new Date(0),
    durationMs: 1,
    outcomes,
  });

const failuresOf = ({ outcomes }: ClientPlay): string[] =>
  outcomes.filter(({ verdict }) => verdict.status === "failed").map(({ check }) => check.id);

const passedOf = ({ outcomes }: ClientPlay): string[] =>
  outcomes.filter(({ verdict }) => verdict.status === "passed").map(({ check }) => check.id);

test("every check has a unique id", () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+\/[a-z0-9-]+$/.test(id))).toEqual([]);
});

test("a correct client passes every check with all its capabilities", async () => {
  const kinds: readonly Omit<RawClientOptions, "cwd">[] = [
    { capabilities: {} },
    { capabilities: { elicitation: { url: {} } } },
    { capabilities: { auth: { terminal: true } }, turns: 2 },
  ];
  const isTried = (id: string): boolean => areaOf(id) !== "terminals" && areaOf(id) !== "files";
  const all = await Promise.all([play({}, () => true, 10_000), ...kinds.map((kind) => play(kind, isTried, 10_000))]);
  expect(
    all.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ check, verdict }) => (verdict.status === "failed" ? [[check.id, verdict.findings]] : [])),
    ),
  ).toEqual([]);
  const passed = new Set(all.flatMap(passedOf));
  expect(checks.map(({ id }) => id).filter((id) => !passed.has(id))).toEqual([]);
});

test.concurrent.for(legalClients)(
  "conformance.accuses-no-legal-peer: a client that $habit is accused of nothing",
  async (habit, { expect }) => {
    const isTried = (id: string): boolean => areaOf(id) !== "terminals" && id !== "messages/long"; // they are slow
    const { faults } = reportOf(await play({ turns: 2 }, isTried, 10_000, habit));
    const accused = faults.filter(({ weight }) => weighs(weight));
    expect(accused.map(({ rules, finding }) => ({ rules, finding }))).toEqual([]);
  },
);

describe.concurrent("a client that", () => {
  /** Each scenario about terminals starts processes, so only these run to show that the others don't fail. */
  const fewTerminals = new Set(["terminals/life", "terminals/kill", "terminals/malformed"]);

  /**
   * Returns which checks run for a wrong client: the areas of the checks that should fail, and the scenarios that the
   * watches need.
   */
  const played = ({ fails }: WrongClient): ((id: string) => boolean) => {
    const areas = new Set(fails.map(areaOf).filter((area) => !watched.has(area)));
    const ofWatches = fails.every((id) => watched.has(areaOf(id)));
    return (id) => {
      const area = areaOf(id);
      if (watched.has(area) || fails.includes(id)) return true;
      if (id === "messages/long") return false; // it is slow
      if (area === "terminals") return areas.has(area) && fewTerminals.has(id);
      return areas.has(area) || (ofWatches && watchedScenarios.has(id));
    };
  };

  test.for(wrongClients.map((each) => [each.wrong, each] as const))(
    "%s fails exactly the expected checks",
    { timeout: 180_000 }, // the kit waits for each missing response, and a second time with the longer limit
    async ([wrong, client], { expect }) => {
      const { capabilities, turns } = client;
      const expected = [...client.fails].sort();
      const judge = (limitMs: number): Promise<ClientPlay> =>
        play({ wrong, capabilities, turns }, played(client), limitMs);
      // The kit waits until its limit for a missing step. The client decides some permission requests after 600 ms, and
      // terminals start processes. If a step takes longer than the limit on a busy machine, the kit does not judge it,
      // and the test runs again with a longer limit.
      const areas = client.fails.map(areaOf);
      const isSlow = areas.some((area) => area === "permissions" || area === "cancellation");
      const quick = await judge(areas.includes("terminals") ? 2_500 : isSlow ? 1_000 : 500);
      const outcome = failuresOf(quick).sort().join() === expected.join() ? quick : await judge(12_500);
      expect(failuresOf(outcome).sort()).toEqual(expected);
      expect(reproDefects(reportOf(outcome), shown)).toEqual([]);
    },
  );

  test("breaks it exists for every check", () => {
    const failing = new Set(wrongClients.flatMap(({ fails }) => fails));
    expect(checks.map(({ id }) => id).filter((id) => !failing.has(id))).toEqual([]);
    expect([...failing].filter((id) => !checks.some((check) => check.id === id))).toEqual([]);
  });
});

test("conformance.every-client-fault-has-a-repro: each fault of a wrong client has a script, and findings that are understandable without the kit", () => {
  expect(shown.size).toBeGreaterThan(60); // each of the tests above has checked the faults of its own client
});
