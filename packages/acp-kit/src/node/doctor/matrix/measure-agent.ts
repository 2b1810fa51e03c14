import { promptPresets } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import type { AgentQuirks } from "@acp-kit/registry";
import { startModel } from "@acp-kit/testing/model";
import type { AgentCommand } from "../../agent-target.js";
import { usageFailure } from "../../command-failure.js";
import { brokenRules } from "./broken-rules.js";
import { capabilityPaths } from "./capability-paths.js";
import { probeFeatures } from "./probe-features.js";
import { probeRules } from "./probe-rules.js";
import { probeTurns } from "./probe-turns.js";
import { probeVersion2 } from "./probe-version-2.js";
import { type SandboxedAgent, sandboxAgent } from "./sandbox.js";

/** Options of {@link measureAgent}. */
export interface MeasureOptions {
  /** The day of the measurement, as `YYYY-MM-DD`. */
  readonly on: string;
  readonly onStep: (step: string) => void;
  /** Whether to skip the conformance kit, which takes minutes. */
  readonly isQuick: boolean;
  readonly signal: AbortSignal;
}

/** The ids of scenarios about the handshake, sessions, text turns and cancellation. All would take too long. */
const scenarios = [
  "initialize/agrees-on-version-1",
  "initialize/unsupported-version",
  "session/new",
  "session/load",
  "session/list",
  "prompt/text",
  "prompt/two-sessions",
  "cancel/running-turn",
  "watch/",
];

/**
 * Measures a resolved agent: its capabilities, cancellation and exit, messages outside the schema, the compatibility
 * rules that apply, and the broken rules of the protocol. The agent runs with a scripted model and an empty home
 * folder.
 *
 * @throws {CommandFailure} when the agent was not resolved by a name, or doesn't respond to `initialize`.
 */
export async function measureAgent(agent: AgentCommand, options: MeasureOptions): Promise<AgentQuirks> {
  const { identity } = agent;
  const { on, onStep, isQuick, signal } = options;
  if (identity === undefined)
    throw usageFailure("--matrix needs the name of an agent, not a command. `acp-kit agents` lists the names.");
  await using model = await startModel();
  using sandboxed = sandboxAgent(agent, model);
  onStep(`${identity.id}: turns`);
  const turns = await probeTurns(sandboxed);
  signal.throwIfAborted();
  const { agentInfo, agentCapabilities, authMethods, protocolVersion } = turns.initialized;
  const version = identity.version ?? (agentInfo as { version?: string } | undefined)?.version;
  if (typeof protocolVersion !== "number" || version === undefined) {
    throw usageFailure(
      `${identity.id} can't be measured: the agent did not respond to initialize. For the reason, run: acp-kit doctor ${identity.id}`,
    );
  }
  const offers = capabilityPaths(agentCapabilities);
  onStep(`${identity.id}: features`);
  const features =
    turns.sessionId === undefined
      ? { probed: [], offeredButBroken: [], worksUnoffered: [] }
      : await probeFeatures(sandboxed, turns.sessionId, offers);
  signal.throwIfAborted();
  onStep(`${identity.id}: compatibility rules`);
  const rules = await probeRules(sandboxed, { signal });
  signal.throwIfAborted();
  onStep(`${identity.id}: version 2`);
  const version2 = await probeVersion2(sandboxed);
  signal.throwIfAborted();
  if (!isQuick) onStep(`${identity.id}: conformance`);
  const conformance = isQuick ? undefined : await conformanceOf(sandboxed, signal);
  return {
    agent: identity.id,
    name: identity.name,
    versions: `>=${version}`,
    measured: {
      version,
      on,
      where: `${process.platform}-${process.arch}, Node ${process.versions.node.split(".")[0]}`,
    },
    args: agent.args.filter((arg) => !/[/\\]/.test(arg)),
    protocolVersion,
    logins: Array.isArray(authMethods) ? authMethods.map(loginOf) : [],
    needsLogin: turns.needsLogin,
    offers,
    ...features,
    outsideSchema: turns.outsideSchema,
    rules,
    onCancel: turns.onCancel,
    onEndOfInput: turns.onEndOfInput,
    leavesBehind: turns.leavesBehind,
    version2,
    ...(conformance !== undefined && { conformance }),
  };
}

function loginOf(method: { readonly id?: unknown; readonly type?: unknown }): AgentQuirks["logins"][number] {
  return { id: String(method.id), kind: typeof method.type === "string" ? method.type : "agent" };
}

/** Runs the conformance kit, a second time if inconclusive: a busy machine can exceed time limits. */
async function conformanceOf(
  agent: SandboxedAgent,
  signal: AbortSignal,
): Promise<NonNullable<AgentQuirks["conformance"]>> {
  const first = await runConformance(agent, signal);
  return first.verdict === "inconclusive" ? await runConformance(agent, signal) : first;
}

async function runConformance(
  { spawn, authMethod, home }: SandboxedAgent,
  signal: AbortSignal,
): Promise<NonNullable<AgentQuirks["conformance"]>> {
  const { command, args, env, cwd } = spawn;
  const {
    HOME: _,
    USERPROFILE: __,
    XDG_CONFIG_HOME: _c,
    XDG_DATA_HOME: _d,
    XDG_STATE_HOME: _s,
    XDG_CACHE_HOME: _x,
    ...others
  } = env;
  const report = await testAgent({
    protocol: 1,
    agent: { command, args, cwd, env: others },
    prompts: promptPresets.plain,
    only: scenarios,
    home: { template: home },
    // These limits are long, because an agent is slow on a busy machine, and the measurement must not depend on that.
    initializeTimeoutMs: 90_000,
    requestTimeoutMs: 60_000,
    turnTimeoutMs: 90_000,
    signal,
    ...(authMethod !== undefined && { authMethod }),
  });
  return { verdict: report.verdict, breaks: brokenRules(report) };
}
