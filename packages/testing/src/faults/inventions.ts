import type { Random } from "../random.js";

// The messages and lines that faults insert into a conversation.

/** A text that agents typically print before their first message. */
export const usualBanner = "Welcome to the agent v1.2.3!\n(node:1) ExperimentalWarning: something is experimental";

/** Creates an update for a session that the client doesn't know yet. */
export function earlyUpdate(sessionId: string, version: number): object {
  const update = {
    sessionUpdate: "agent_message_chunk",
    ...(version !== 1 && { messageId: "early" }),
    content: { type: "text", text: "early" },
  };
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
}

/** Creates a notification with an unknown method. `bytes` is its size without the line end. */
export function hugeNotification(bytes: number): object {
  const empty = { jsonrpc: "2.0", method: "_acp-kit/huge", params: { padding: "" } };
  const missing = Math.max(0, bytes - JSON.stringify(empty).length);
  return { ...empty, params: { padding: "x".repeat(missing) } };
}

/** Creates a line that is not JSON. */
export function garbage(random: Random): string {
  if (random.next() < 0.5) return random.pick(scraps);
  const characters = Array.from({ length: random.integer(1, 40) }, () =>
    String.fromCharCode(random.integer(0x20, 0x2ff)),
  );
  return `~${characters.join("")}`;
}

const scraps: readonly string[] = [
  "undefined",
  "[object Object]",
  "NaN",
  "}{",
  '{"jsonrpc":"2.0","method":"session/upd',
  "    at main (/agent.js:1:1)",
  "\u001b[32m✔\u001b[0m ready",
];
