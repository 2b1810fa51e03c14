import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { StartChildOptions } from "@acp-kit/stdio/node";
import { agentScenarios, agentWatches } from "../agent/agent-checks.js";
import { AgentContext } from "../agent/agent-context.js";
import { type AgentFacts, obstacleTo, unknownAgent } from "../agent/agent-facts.js";
import { type AgentTestOptions, agentTimes } from "../agent/agent-options.js";
import type { AgentScenario } from "../agent/agent-scenario.js";
import { learnAgent } from "../agent/learn-agent.js";
import { isNeededBy, isTour } from "../agent/watched-scenarios.js";
import { remoteRequirements } from "../areas/remote-transport/rules.js";
import { remoteScenarios } from "../areas/remote-transport/server.js";
import { version2AgentWatches, version2Scenarios } from "../areas/version-2/agent.js";
import { unknownExpectedFailure } from "../expected-failures.js";
import { Pace } from "../pace.js";
import { buildReport } from "../report/build-report.js";
import type { ConformanceReport } from "../report/report.js";
import { createReporting } from "../runner/create-reporting.js";
import type { Attempt, OpenContext, ScenarioOutcome } from "../runner/run-options.js";
import { runScenarios } from "../runner/run-scenarios.js";
import { isNamed, isSkipped, type Wanted, wantedBy } from "../runner/selection.js";
import type { ScenarioContext } from "../scenario.js";
import { checkTimes } from "../timer.js";
import { Inconclusive } from "../verdict.js";
import type { PeerProcess } from "../wire/peer-process.js";
import { member, textOf } from "../wire/values.js";
import { type AgentHome, AgentHomes } from "./agent-homes.js";
import { defaultJobs } from "./default-jobs.js";
import { kitVersion } from "./kit-version.js";
import { spawnPeer } from "./peer-child.js";
import { type RemoteServer, testRemote } from "./remote/test-remote.js";
import { temporaryFiles } from "./temporary-files.js";

/** Options of {@link testAgent}. */
export interface TestAgentOptions extends AgentTestOptions {
  /** The command that starts the agent, once or more for each scenario; or a function that runs it in this process. */
  readonly agent: StartChildOptions | ((home: AgentHome) => Promise<PeerProcess>);
  /** The command that the report shows if `agent` is a function. @defaultValue `(in this process)` */
  readonly command?: string;
  /** The server of the agent. The kit also tests its remote transports, with raw HTTP and WebSocket. */
  readonly remote?: RemoteServer;
  /**
   * The version of the protocol to test; `auto`: each version that the peer speaks. The rules of version 2 are advice.
   * @defaultValue "auto"
   */
  readonly protocol?: 1 | 2 | "auto";
  /** Runs only scenarios and watches whose id starts with one of these, or that verify a rule with one of these ids. */
  readonly only?: readonly string[];
  /** Skips scenarios and watches whose id starts with one of these, or that verify a rule with one of these ids. */
  readonly skip?: readonly string[];
  /**
   * The number of processes of the peer that run at the same time; each worker has its own home.
   * @defaultValue the number of processors, up to 8; 1 for a function, or if `home` is `"shared"`
   */
  readonly jobs?: number;
  /** The time limit of each scenario, in milliseconds. @defaultValue 300000 */
  readonly timeoutMs?: number;
  /** Whether a failed scenario runs a second time, in a fresh process and home, before it counts. @defaultValue true */
  readonly confirm?: boolean;
  /**
   * The home folder of the peer's processes. `own`: an empty home for each worker; `shared`: the home of this process,
   * for peers that find their login there; `{ template }`: a copy of that folder for each worker. @defaultValue "own"
   */
  readonly home?: "own" | "shared" | { readonly template: string };
  /** The parent directory of the sessions' directories. @defaultValue the system's temporary directory */
  readonly directory?: string;
  /** Ids of scenarios, watches or rules that are known to fail. If one of them passes, the report is not conformant. */
  readonly expectedFailures?: readonly string[];
  /** Aborting stops the run: the report has the results so far and is marked as partial. */
  readonly signal?: AbortSignal;
  /** Called with the number of scenarios before the first one runs. */
  onStart?(scenarios: number): void;
  onOutcome?(outcome: ScenarioOutcome): void;
}

/**
 * Tests an agent as a black box, over its standard input and output. Leaves no process behind.
 *
 * Starts with a plain conversation. Its result decides which scenarios can run.
 *
 * @throws {ProcessError} if the agent can't be started.
 * @throws {TypeError} if a time limit is not a number of 0 or more, or no check has one of the ids of
 * `expectedFailures`.
 */
export async function testAgent(options: TestAgentOptions): Promise<ConformanceReport> {
  checkOptions("testAgent", options, optionKinds);
  const { agent, timeoutMs = 300_000, confirm, signal, onOutcome } = options;
  checkTimes(options, [
    "initializeTimeoutMs",
    "requestTimeoutMs",
    "turnTimeoutMs",
    "lateResponseTimeoutMs",
    "stopTimeoutMs",
    "quietMs",
    "exitGraceMs",
    "timeoutMs",
  ]);
  const unknown = unknownExpectedFailure("agent", options.expectedFailures ?? []);
  if (unknown !== undefined) throw new TypeError(`options.expectedFailures: ${unknown}`);
  const wanted = wantedBy(options);
  const startedAt = new Date();
  const start = performance.now();
  const { home = "own" } = options;
  const { jobs = defaultJobs(agent, home) } = options;
  const homes = new AgentHomes({
    ...(typeof home === "object" && home),
    ...(options.directory !== undefined && { directory: options.directory }),
  });
  const pace = new Pace(options);
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal); // one listener per running scenario
  const onAbort = (): void => stopped.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) stopped.abort(signal.reason);
  let notStarted: { readonly error: unknown } | undefined;
  const stop = (error: unknown): never => {
    notStarted ??= { error };
    stopped.abort(error);
    throw error;
  };
  const open = async (
    facts: AgentFacts,
    reporting: ScenarioContext,
    attempt: Pick<Attempt, "job" | "number">,
  ): Promise<OpenContext<AgentContext>> => {
    const agentCwd = typeof agent === "function" ? process.cwd() : (agent.cwd ?? process.cwd());
    const files = await temporaryFiles(agentCwd, options.directory);
    const place = await homes.for(attempt);
    const env = home === "shared" ? {} : place.env;
    const spawn = (): Promise<PeerProcess> =>
      typeof agent === "function" ? agent(place) : spawnPeer({ ...agent, env: { ...env, ...agent.env } }).catch(stop);
    const context = new AgentContext({ options, files, spawn, reporting, facts, pace });
    return {
      context,
      dialogues: context.dialogues,
      async close() {
        await context.close();
        // A process that left the agent's process group may still write to a file.
        await files.removeAll().catch(() => {});
      },
    };
  };
  try {
    const facts = signal?.aborted ? unknownAgent : await factsOf(open);
    const versions = versionsOf(facts, options.protocol);
    const { scenarios, watches } = wantedChecks(wanted, versions, options);
    options.onStart?.(scenarios.length + (options.remote ? remoteScenarios.filter(wanted).length : 0));
    let info: unknown;
    const outcomes = await runScenarios<AgentContext>({
      scenarios,
      watches,
      timeoutMs,
      jobs,
      confirm,
      signal: stopped.signal,
      async open(scenario, reporting, attempt) {
        const obstacle = obstacleTo(scenario, facts, options.prompts);
        if (obstacle !== undefined) throw new Inconclusive(obstacle);
        return open(facts, reporting, attempt);
      },
      onOutcome(outcome) {
        info ??= agentInfoIn(outcome);
        onOutcome?.(outcome);
      },
    });
    if (notStarted) throw notStarted.error;
    const ofTransports = options.remote ? await testTransports(options, options.remote, wanted, stopped.signal) : [];
    const name = textOf(member(info, "name"));
    const version = textOf(member(info, "version"));
    const { initializeTimeoutMs, requestTimeoutMs, turnTimeoutMs, exitGraceMs } = { ...agentTimes, ...options };
    return buildReport({
      role: "agent",
      subject: {
        command:
          typeof agent === "function"
            ? (options.command ?? "(in this process)")
            : [agent.command, ...(agent.args ?? [])].join(" "),
        ...(name !== undefined && { name }),
        ...(version !== undefined && { version }),
      },
      kit: kitVersion(),
      limits: { initializeTimeoutMs, requestTimeoutMs, turnTimeoutMs, exitGraceMs },
      startedAt,
      durationMs: performance.now() - start,
      outcomes: [...outcomes, ...ofTransports],
      versions,
      moreRequirements: options.remote ? remoteRequirements : [],
      only: options.only,
      blocked: blockedBy(facts, versions),
      stopped: signal?.aborted,
      expectedFailures: options.expectedFailures,
    });
  } finally {
    signal?.removeEventListener("abort", onAbort); // a caller may use one signal for many runs
    await homes.close();
  }
}

const optionKinds: OptionKinds<TestAgentOptions> = {
  agent: "value!",
  command: "value",
  remote: "value",
  protocol: "value",
  only: "value",
  skip: "value",
  jobs: "value",
  timeoutMs: "value",
  confirm: "value",
  home: "value",
  directory: "value",
  expectedFailures: "value",
  signal: "value",
  onStart: "function",
  onOutcome: "function",
  prompts: "value!",
  authMethod: "value",
  initializeTimeoutMs: "value",
  requestTimeoutMs: "value",
  turnTimeoutMs: "value",
  lateResponseTimeoutMs: "value",
  stopTimeoutMs: "value",
  quietMs: "value",
  exitGraceMs: "value",
  initializeMeta: "value",
};

type OpenAgent = (
  facts: AgentFacts,
  reporting: ScenarioContext,
  attempt: Pick<Attempt, "job" | "number">,
) => Promise<OpenContext<AgentContext>>;

async function factsOf(open: OpenAgent): Promise<AgentFacts> {
  const { context, close } = await open(
    unknownAgent,
    createReporting(() => {}),
    { job: 0, number: 1 },
  );
  try {
    return await learnAgent(context);
  } finally {
    await close();
  }
}

function testTransports(
  options: TestAgentOptions,
  remote: RemoteServer,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<readonly ScenarioOutcome[]> {
  const { requestTimeoutMs, turnTimeoutMs, quietMs } = { ...agentTimes, ...options };
  const { jobs, timeoutMs, confirm, onOutcome } = options;
  return testRemote({
    ...remote,
    limits: {
      requestTimeoutMs,
      turnTimeoutMs,
      quietMs,
      cwd: options.directory ?? tmpdir(),
      prompt: options.prompts.text ?? "Hello",
    },
    wanted,
    signal,
    jobs,
    timeoutMs,
    confirm,
    onOutcome,
  });
}

function wantedChecks(
  wanted: Wanted,
  versions: readonly number[],
  { only = [], skip }: Pick<TestAgentOptions, "only" | "skip">,
): {
  readonly scenarios: typeof agentScenarios;
  readonly watches: typeof agentWatches;
} {
  const has1 = versions.includes(1);
  const has2 = versions.includes(2);
  const watches = [...(has1 ? agentWatches : []), ...(has2 ? version2AgentWatches : [])].filter(wanted);
  // A watch checks the messages of scenarios. So if `only` selects a watch, the tour runs too; and if `only` names it,
  // all that it needs.
  const named = watches.filter((watch) => isNamed(watch, only));
  const isNeeded = (scenario: AgentScenario): boolean =>
    only.length > 0 &&
    watches.length > 0 &&
    !isSkipped(scenario, skip) &&
    (watches.some((watch) => isTour(scenario.id, watch)) || named.some((watch) => isNeededBy(watch, scenario.id)));
  const all = [...(has1 ? agentScenarios : []), ...(has2 ? version2Scenarios : [])];
  return { scenarios: all.filter((scenario) => wanted(scenario) || isNeeded(scenario)), watches };
}

/** Returns the versions whose rules are tested. An agent that speaks only version 2 is not tested with those of 1. */
function versionsOf(facts: AgentFacts, protocol: TestAgentOptions["protocol"] = "auto"): readonly (1 | 2)[] {
  if (protocol !== "auto") return [protocol];
  if (!facts.speaksVersion2) return [1];
  return facts.version === 1 ? [1, 2] : [2];
}

function blockedBy(facts: AgentFacts, versions: readonly number[]): string | undefined {
  if (versions.includes(1)) return facts.blocked;
  return facts.speaksVersion2 ? undefined : "the agent does not speak version 2 of the protocol";
}

function agentInfoIn({ dialogues }: ScenarioOutcome<AgentContext>): unknown {
  for (const { entries } of dialogues) {
    for (const entry of entries) {
      const info =
        "message" in entry && entry.from === "agent"
          ? (member(entry.message, "result", "agentInfo") ?? member(entry.message, "result", "info"))
          : undefined;
      if (info !== undefined) return info;
    }
  }
  return undefined;
}
