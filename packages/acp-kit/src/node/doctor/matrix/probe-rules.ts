import { type AgentConnection, connectAgent, type Diagnostic, type dialectRules } from "@acp-kit/client";
import { promptPresets } from "@acp-kit/conformance";
import { deferred, onAbort } from "@acp-kit/protocol/internal";
import { spawnAgent } from "@acp-kit/stdio/node";
import type { SandboxedAgent } from "./sandbox.js";

type DialectName = keyof typeof dialectRules;

/** Options of {@link probeRules}. */
export interface ProbeRulesOptions {
  /** Maximum milliseconds for each response. Default: 90,000, so that a busy machine does not matter. */
  readonly stepMs?: number;
  readonly signal?: AbortSignal;
}

/** The time limit in milliseconds of a prompt in a session that does not exist, which may get no response. */
const noSessionMs = 10_000;

/**
 * Uses the agent, and returns the compatibility rules that the client applies to its messages: runs a turn, switches
 * the mode, and loads and prompts a session that does not exist. A request without a response is skipped after its time
 * limit. If the agent can't be initialized, returns no rules; the other measurements report such an agent.
 *
 * Rejects only with the reason of an aborted signal.
 */
export async function probeRules(
  agent: SandboxedAgent,
  options: ProbeRulesOptions = {},
): Promise<readonly DialectName[]> {
  const { stepMs = 90_000, signal } = options;
  const rules = new Set<DialectName>();
  const onDiagnostic = ({ code, data }: Diagnostic): void => {
    const rule = code === "dialect" ? (data as { readonly rule?: DialectName }).rule : undefined;
    if (rule !== undefined) rules.add(rule);
  };
  try {
    await using connection = await connectAgent(spawnAgent({ ...agent.spawn, detachedProcesses: "end" }), {
      onDiagnostic,
      limits: { initializeTimeoutMs: 90_000, requestTimeoutMs: stepMs },
      ...(signal && { signal }),
    });
    await useSession(connection, agent, stepMs, signal);
    await useNoSession(connection, agent, stepMs, signal);
  } catch {
    signal?.throwIfAborted();
  }
  return [...rules].sort();
}

async function useSession(
  connection: AgentConnection,
  { authMethod, cwd }: SandboxedAgent,
  stepMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (authMethod !== undefined) await within(stepMs, connection.authenticate(authMethod), signal);
  const session = await within(stepMs, connection.newSession({ cwd }), signal);
  if (session === undefined) return;
  await within(stepMs, session.prompt(promptPresets.plain.text ?? "Hello").result, signal);
  const mode = session.options.get("mode");
  const other = mode?.type === "select" ? mode.choices.find(({ value }) => value !== mode.value) : undefined;
  if (other !== undefined) await within(stepMs, session.options.set("mode", other.value), signal);
}

async function useNoSession(
  connection: AgentConnection,
  { cwd }: SandboxedAgent,
  stepMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const sessionId = "no-such-session";
  await within(stepMs, connection.loadSession({ sessionId, cwd }), signal);
  const params = { sessionId, prompt: [{ type: "text" as const, text: promptPresets.plain.text ?? "Hello" }] };
  const timeoutMs = Math.min(noSessionMs, stepMs);
  await within(stepMs, connection.peer.request("session/prompt", params, { timeoutMs }), signal);
}

/** Resolves with a step's result; `undefined` if it fails or takes too long. Rejects if the signal aborts. */
async function within<T>(timeoutMs: number, step: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  const stopped = deferred<undefined>();
  const timer = setTimeout(() => stopped.resolve(undefined), timeoutMs);
  const ignore = onAbort(signal, () => stopped.resolve(undefined));
  const result = await Promise.race([step.catch(() => undefined), stopped.promise]);
  clearTimeout(timer);
  ignore();
  signal?.throwIfAborted();
  return result;
}
