import type { AgentCommand } from "../agent-argument.js";
import { errorText } from "../error-text.js";
import type { Host } from "../host.js";
import { createLog } from "../log.js";
import { startAgent } from "../start-agent.js";

/** The result of starting an installed agent and sending it `initialize`. */
export type AgentCheck =
  | {
      readonly ok: true;
      readonly agent: { readonly name: string; readonly version: string } | null;
      readonly protocolVersion: number;
      readonly startupMs: number;
    }
  | { readonly ok: false; readonly error: string };

/** How long an agent may take to respond to `initialize`, in milliseconds; slow ones take five seconds. */
const initializeMs = 30_000;

/** Starts an agent, sends it `initialize` and ends it. The function opens no session. The returned promise never rejects. */
export async function checkAgent(agent: AgentCommand, host: Host, stop: AbortSignal): Promise<AgentCheck> {
  try {
    const connect = { deadlines: { initializeMs }, onDiagnostic: () => {} };
    await using started = await startAgent(agent, host, {
      cwd: host.cwd,
      log: createLog(host, "error"),
      stop,
      connect,
    });
    const { info, protocolVersion } = started.connection;
    return {
      ok: true,
      agent: info === undefined ? null : { name: info.title ?? info.name, version: info.version },
      protocolVersion,
      startupMs: Math.round(started.startupMs),
    };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}
