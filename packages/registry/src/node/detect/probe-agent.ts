import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";

/** The response of an agent to `initialize`, or the reason why the agent sent none. */
export type AgentProbe =
  | {
      readonly speaks: true;
      readonly protocolVersion: number;
      /** The agent's own name; `null` if the agent sends none. */
      readonly name: string | null;
      readonly version: string | null;
      /** The ids of its login methods. */
      readonly authMethods: readonly string[];
      readonly startupMs: number;
      /** The commands of processes that the agent left running outside its group, and that `probeAgent` has ended. */
      readonly leftBehind: readonly string[];
    }
  | { readonly speaks: false; readonly error: string };

/** Options of {@link probeAgent}. */
export interface ProbeOptions {
  /** Maximum time until the response, in milliseconds. Slow agents need five seconds. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const maxErrorLength = 500;

/**
 * Starts an agent in an empty folder, sends `initialize`, and ends the agent with all of its processes. Opens no
 * session and starts no login.
 *
 * The returned promise rejects only with the reason of an aborted signal.
 */
export async function probeAgent(agent: SpawnAgentOptions, options: ProbeOptions = {}): Promise<AgentProbe> {
  checkOptions("probeAgent", options, optionKinds);
  const { timeoutMs = 30_000, signal } = options;
  signal?.throwIfAborted();
  let cwd: string;
  try {
    cwd = await mkdtemp(join(tmpdir(), "acp-kit-probe-"));
  } catch (cause) {
    return { speaks: false, error: `Can't create a temporary folder in ${tmpdir()}: ${(cause as Error).message}` };
  }
  const started = performance.now();
  try {
    signal?.throwIfAborted();
    const child = spawnAgent({ ...agent, cwd, detachedProcesses: "end" });
    try {
      const connect = { limits: { initializeTimeoutMs: timeoutMs }, onDiagnostic: () => {}, ...(signal && { signal }) };
      const { info, protocolVersion, authMethods } = await connectAgent(child, connect);
      const startupMs = Math.round(performance.now() - started);
      await child.close();
      const { detachedProcesses } = await child.exited;
      return {
        speaks: true,
        protocolVersion,
        name: info?.title ?? info?.name ?? null,
        version: info?.version ?? null,
        authMethods: authMethods.map(({ id }) => id),
        startupMs,
        leftBehind: detachedProcesses.map(({ command }) => command),
      };
    } catch (error) {
      await child.close();
      signal?.throwIfAborted();
      return { speaks: false, error: (error as Error).message.slice(0, maxErrorLength) };
    }
  } finally {
    // If it fails, the operating system removes the temporary folder later
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

const optionKinds: OptionKinds<ProbeOptions> = { timeoutMs: "value", signal: "value" };
