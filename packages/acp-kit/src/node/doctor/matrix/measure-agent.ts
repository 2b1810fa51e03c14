import { connectAgent, type Diagnostic, type DialectName } from "@acp-kit/client";
import { promptPresets } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import type { AgentQuirks } from "@acp-kit/registry";
import { spawnAgent } from "@acp-kit/stdio/node";
import { startModel } from "@acp-kit/testing/model";
import type { AgentCommand } from "../../agent-argument.js";
import { usageFailure } from "../../command-failure.js";
import { probeFeatures } from "./probe-features.js";
import { probeTurns } from "./probe-turns.js";
import { type SandboxedAgent, sandboxAgent } from "./sandbox.js";

/** Options of {@link measureAgent}. */
export interface MeasureOptions {
  /** The day of the measurement, as `YYYY-MM-DD`. */
  readonly on: string;
  readonly onStep: (step: string) => void;
  readonly signal: AbortSignal;
}

/** The handshake, sessions, text turns and cancelling. All scenarios take many minutes: they are those of `acp-kit conformance agent`. */
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
 * Measures an agent that was resolved by its name: its capabilities, how it cancels and ends, what is outside the schema, which
 * compatibility rules it needs, and which rules of the protocol it breaks. It gets a scripted model, and a home of its own.
 *
 * @throws {CommandFailure} when it can't be measured: without a name, or if it doesn't start.
 */
export async function measureAgent(agent: AgentCommand, options: MeasureOptions): Promise<AgentQuirks> {
  const { identity } = agent;
  const { on, onStep, signal } = options;
  if (identity === undefined)
    throw usageFailure("--matrix measures agents by their names: acp-kit agents install <name>.");
  await using model = await startModel();
  using sandboxed = sandboxAgent(agent, model);
  onStep(`${identity.id}: turns`);
  const turns = await probeTurns(sandboxed);
  signal.throwIfAborted();
  const { agentInfo, agentCapabilities, authMethods, protocolVersion } = turns.initialized;
  const version = identity.version ?? (agentInfo as { version?: string } | undefined)?.version;
  if (typeof protocolVersion !== "number" || version === undefined) {
    throw usageFailure(
      `${identity.id} can't be measured: it did not respond to initialize. acp-kit doctor ${identity.id} says why.`,
    );
  }
  const offers = pathsOf(agentCapabilities);
  onStep(`${identity.id}: features`);
  const features =
    turns.sessionId === undefined
      ? { offeredButBroken: [], worksUnoffered: [] }
      : await probeFeatures(sandboxed, turns.sessionId, offers);
  signal.throwIfAborted();
  onStep(`${identity.id}: compatibility rules`);
  const rules = await rulesOf(sandboxed);
  signal.throwIfAborted();
  onStep(`${identity.id}: conformance`);
  const conformance = await conformanceOf(sandboxed, signal);
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
    conformance,
  };
}

function loginOf(method: { readonly id?: unknown; readonly type?: unknown }): AgentQuirks["logins"][number] {
  return { id: String(method.id), kind: typeof method.type === "string" ? method.type : "agent" };
}

/** The paths of the capabilities that are on, extensions left out. */
function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (value === false || value === null || value === undefined) return [];
  if (typeof value !== "object") return [path.join(".")];
  const members = Object.entries(value).filter(([name]) => name !== "_meta");
  const own = members.flatMap(([name, member]) => pathsOf(member, [...path, name]));
  return members.length === 0 && path.length > 1 ? [path.join(".")] : own.sort();
}

/** The compatibility rules that the client needs for a session with one turn. */
async function rulesOf(agent: SandboxedAgent): Promise<readonly string[]> {
  const rules = new Set<DialectName>();
  const onDiagnostic = ({ code, data }: Diagnostic): void => {
    const rule = code === "dialect" ? (data as { readonly rule?: DialectName }).rule : undefined;
    if (rule !== undefined) rules.add(rule);
  };
  await using connection = await connectAgent(spawnAgent({ ...agent.spawn, detachedProcesses: "end" }), {
    onDiagnostic,
  });
  try {
    if (agent.authMethod !== undefined) await connection.authenticate(agent.authMethod);
    const session = await connection.newSession({ cwd: agent.cwd });
    await session.prompt(promptPresets.plain.text ?? "Hello").result;
    await connection.loadSession({ sessionId: "no-such-session", cwd: agent.cwd }).catch(() => {});
  } catch {
    // An agent that can't do this shows it in the other findings.
  }
  return [...rules].sort();
}

async function conformanceOf(
  { spawn, authMethod, home }: SandboxedAgent,
  signal: AbortSignal,
): Promise<AgentQuirks["conformance"]> {
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
    agent: { command, args, cwd, env: others },
    prompts: promptPresets.plain,
    only: scenarios,
    home: { template: home },
    signal,
    ...(authMethod !== undefined && { authMethod }),
  });
  const breaks = report.faults
    .filter(({ weight }) => weight === "mandatory" || weight === "capability")
    .flatMap(({ rules }) => rules);
  return { verdict: report.verdict, breaks: [...new Set(breaks)].sort() };
}
