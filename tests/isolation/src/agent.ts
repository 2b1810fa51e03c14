import { Connection, linkedTransports, type Transport } from "@acp-kit/jsonrpc";

/** The activity of the agents of all principals. */
export interface AgentRecord {
  /** The prompts that were run. */
  readonly prompts: string[];
  /** Sessions whose turn was cancelled. */
  readonly cancelled: string[];
  /** Results of permission requests. */
  readonly permissions: unknown[];
  /** Other requests and notifications, by method. */
  readonly others: string[];
}

export const emptyRecord = (): AgentRecord => ({ prompts: [], cancelled: [], permissions: [], others: [] });

/**
 * Starts an agent. For a prompt `hold <text>`, it sends the text, requests a permission and ends the turn after the
 * response. It echoes every other prompt.
 */
export function startAgent(record: AgentRecord): Transport {
  const [ours, theirs] = linkedTransports();
  let sessions = 0;
  const connection = new Connection(theirs, {
    fallback: {
      request: (method) => ({ handler: () => void record.others.push(method) }),
      notification: (method) => ({ handler: () => void record.others.push(method) }),
    },
  });
  connection.onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }));
  connection.onRequest("session/new", () => {
    sessions += 1;
    return { sessionId: `agent-${sessions}` };
  });
  connection.onNotification("session/cancel", (params) => {
    record.cancelled.push((params as { sessionId: string }).sessionId);
  });
  connection.onRequest("session/prompt", async (params) => {
    const { sessionId, prompt } = params as { sessionId: string; prompt: readonly { text: string }[] };
    const text = prompt[0]?.text ?? "";
    record.prompts.push(text);
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: text.replace("hold ", "") } };
    await connection.notify("session/update", { sessionId, update });
    if (text.startsWith("hold ")) {
      const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
      const toolCall = { toolCallId: "call", title: text.slice(5) };
      record.permissions.push(
        await connection.request("session/request_permission", { sessionId, toolCall, options }).catch(() => "failed"),
      );
    }
    return { stopReason: "end_turn" };
  });
  connection.listen();
  return ours;
}
