import type { StartChildOptions } from "@acp-kit/stdio/node";
import { AgentContext } from "../agent/agent-context.js";
import type { AgentTestOptions } from "../agent/agent-options.js";
import { agentScenarios } from "../agent/agent-scenarios.js";
import { agentWatches } from "../agent/agent-watches.js";
import { notTestableForAgents } from "../agent/not-testable.js";
import { buildReport } from "../report/build-report.js";
import type { ConformanceReport } from "../report/report.js";
import type { ScenarioOutcome } from "../runner/run-options.js";
import { runScenarios } from "../runner/run-scenarios.js";
import type { PeerProcess } from "../wire/peer-process.js";
import { member, textOf } from "../wire/values.js";
import { spawnPeer } from "./peer-child.js";
import { temporaryFiles } from "./temporary-files.js";

/** What {@link testAgent} tests, and how. */
export interface TestAgentOptions extends AgentTestOptions {
  /** How the agent is started, once or more for each scenario. A function plays the agent without a process. */
  readonly agent: StartChildOptions | (() => Promise<PeerProcess>);
  /** What the report calls the agent where a function plays it. @defaultValue `(in this process)` */
  readonly command?: string;
  /** Only scenarios and watches whose id, or one of whose rules, begins so. */
  readonly only?: readonly string[];
  /** None of those whose id, or one of whose rules, begins so. */
  readonly skip?: readonly string[];
  /** How many agents run at a time. @defaultValue 1 */
  readonly jobs?: number;
  /** The time that each scenario has. @defaultValue 120000 */
  readonly timeoutMs?: number;
  /** Where the sessions' directories are made. @defaultValue the system's temporary directory */
  readonly directory?: string;
  /** Ids of scenarios, watches or rules that are known to fail. One that doesn't fail makes the report non-conformant. */
  readonly expectedFailures?: readonly string[];
  readonly signal?: AbortSignal;
  onOutcome?(outcome: ScenarioOutcome<AgentContext>): void;
}

/**
 * Tests an agent, black box, over its standard input and output. Leaves no process behind.
 *
 * @throws {ProcessError} when the agent can't be started.
 */
export async function testAgent(options: TestAgentOptions): Promise<ConformanceReport> {
  const { agent, only = [], skip = [], jobs, timeoutMs, signal, onOutcome } = options;
  const wanted = ({ id, verifies }: { id: string; verifies: readonly string[] }): boolean => {
    const hits = (prefix: string): boolean =>
      id === prefix || id.startsWith(prefix) || verifies.some((each) => each === prefix);
    return (only.length === 0 || only.some(hits)) && !skip.some(hits);
  };
  const watches = agentWatches.filter(wanted);
  // A watch alone has nothing to see: what it is about has to be said first.
  const scenarios = agentScenarios.filter(
    (scenario) => wanted(scenario) || (only.length > 0 && watches.length > 0 && isTour(scenario.id)),
  );
  const startedAt = new Date();
  const start = performance.now();
  let info: unknown;
  const stopped = new AbortController();
  signal?.addEventListener("abort", () => stopped.abort(signal.reason), { once: true });
  if (signal?.aborted) stopped.abort(signal.reason);
  let notStarted: { readonly error: unknown } | undefined;
  const stop = (error: unknown): never => {
    notStarted ??= { error };
    stopped.abort(error);
    throw error;
  };
  const outcomes = await runScenarios<AgentContext>({
    scenarios,
    watches,
    ...(jobs !== undefined && { jobs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    signal: stopped.signal,
    async open(_scenario, telling) {
      const agentCwd = typeof agent === "function" ? process.cwd() : (agent.cwd ?? process.cwd());
      const files = await temporaryFiles(agentCwd, options.directory);
      const spawn = typeof agent === "function" ? agent : () => spawnPeer(agent).catch(stop);
      const context = new AgentContext(options, files, spawn, telling);
      return {
        context,
        dialogues: context.dialogues,
        async close() {
          await context.close();
          await files.removeAll();
        },
      };
    },
    onOutcome(outcome) {
      info ??= agentInfoIn(outcome);
      onOutcome?.(outcome);
    },
  });
  if (notStarted) throw notStarted.error;
  const name = textOf(member(info, "name"));
  const version = textOf(member(info, "version"));
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
    startedAt,
    durationMs: performance.now() - start,
    outcomes,
    ...(options.expectedFailures && { expectedFailures: options.expectedFailures }),
    notTestable: notTestableForAgents,
  });
}

function isTour(id: string): boolean {
  return id.startsWith("tour/") || id === "prompt/text";
}

function agentInfoIn({ dialogues }: ScenarioOutcome<AgentContext>): unknown {
  for (const { entries } of dialogues) {
    for (const entry of entries) {
      const info =
        "message" in entry && entry.from === "agent" ? member(entry.message, "result", "agentInfo") : undefined;
      if (info !== undefined) return info;
    }
  }
  return undefined;
}
