import { promptPresets } from "@acp-kit/conformance";
import { clientMethods, isKnownSessionUpdate, protocolMethods } from "@acp-kit/types";
import { initialize } from "./probe-features.js";
import { type RawAnswer, RawExchange, unknownUses } from "./raw-exchange.js";
import type { SandboxedAgent } from "./sandbox.js";

/** The findings about turns, cancellation and exit. */
export interface TurnFindings {
  /** The response to `initialize`. */
  readonly initialized: Readonly<Record<string, unknown>>;
  /** The id of the session in which the turns ran; `undefined` if no session could be opened. */
  readonly sessionId: string | undefined;
  readonly needsLogin: boolean;
  readonly outsideSchema: readonly string[];
  readonly onCancel: string;
  readonly onEndOfInput: string;
  readonly leavesBehind: readonly string[];
}

const authRequired = -32_000;
/** Maximum time for the response to a cancelled prompt, in milliseconds. */
const cancelMs = 60_000;
const known: ReadonlySet<string> = new Set<string>([
  ...Object.values(clientMethods),
  ...Object.values(protocolMethods),
]);

/** Runs a turn, cancels a second turn while text streams, and ends the agent's input. */
export async function probeTurns(agent: SandboxedAgent): Promise<TurnFindings> {
  const raw = new RawExchange(agent);
  try {
    const answer = await initialize(raw, agent);
    const session = await raw.request("session/new", { cwd: agent.cwd, mcpServers: [] });
    const sessionId = session.is === "result" ? String(session.result.sessionId) : undefined;
    let onCancel = "not measured";
    if (sessionId !== undefined) {
      await raw.request("session/prompt", {
        sessionId,
        prompt: [{ type: "text", text: promptPresets.plain.text ?? "Hello" }],
      });
      onCancel = await cancelled(raw, sessionId);
    }
    await raw.process.close();
    const { exitCode, signal, detachedProcesses } = await raw.process.exited;
    return {
      initialized: answer.is === "result" ? answer.result : {},
      sessionId,
      needsLogin: session.is === "error" && session.code === authRequired,
      outsideSchema: unknownUses(raw, known, isKnownSessionUpdate),
      onCancel,
      onEndOfInput: signal === null ? `exits ${exitCode}` : `ended by ${signal}`,
      leavesBehind: [...new Set(detachedProcesses.map(({ command }) => command))].sort(),
    };
  } finally {
    await raw.process.close();
  }
}

async function cancelled(raw: RawExchange, sessionId: string): Promise<string> {
  let hasCancelled = false;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  raw.onUpdate((kind) => {
    if (hasCancelled || kind !== "agent_message_chunk") return;
    hasCancelled = true;
    raw.notify("session/cancel", { sessionId });
    timer = setTimeout(() => stop.abort(), cancelMs);
  });
  const prompt = [{ type: "text", text: promptPresets.plain.long ?? "Count to 2000" }];
  const answer = await raw.request("session/prompt", { sessionId, prompt }, stop.signal);
  clearTimeout(timer);
  return hasCancelled ? ending(answer) : "not measured"; // the agent sent no text
}

function ending(answer: RawAnswer): string {
  if (answer.is === "result") return String(answer.result.stopReason);
  return answer.is === "error" ? `error ${String(answer.code)}` : "none";
}
