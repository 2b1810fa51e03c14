import type { PeerProcess } from "../src/wire/peer-process.js";
import { runInProcess } from "./in-process.js";

/** Any JSON value. Tests access its members without checks. */
// biome-ignore lint/suspicious/noExplicitAny: messages and their mistakes have every shape
type Message = any;

/** Changes the agent's output: returns the messages to write instead of one message. */
export type DraftMistake = (message: Message) => readonly Message[];

/**
 * Starts a small agent of the draft of version 2 in this process. It keeps every rule of the draft, except for one
 * mistake.
 *
 * @param options.worksUntilCancelled whether the work of a prompt ends only with `session/cancel`
 */
export function startDraftAgent(
  mistake: DraftMistake = (message) => [message],
  { worksUntilCancelled = false }: { readonly worksUntilCancelled?: boolean } = {},
): Promise<PeerProcess> {
  return runInProcess(({ write }) => {
    let isInitialized = false;
    const sessions = new Set<string>();
    const send = (message: Message): void => {
      for (const each of mistake(message)) write(`${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`);
    };
    const update = (sessionId: string, value: Message): void =>
      send({ method: "session/update", params: { sessionId, update: value } });

    const responseTo = ({ method, params }: Message): Message => {
      if (method === "initialize") return initialize(params);
      if (!isInitialized) return { error: { code: -32_600, message: "Not initialized" } };
      const { sessionId } = params ?? {};
      if (sessionId !== undefined && !sessions.has(sessionId)) {
        return { error: { code: -32_002, message: "Unknown session", data: { sessionId } } };
      }
      switch (method) {
        case "session/new":
          return params.mcpServers?.some(({ type }: Message) => type !== "stdio")
            ? invalid
            : { result: { sessionId: opened() } };
        case "session/resume":
          return params.replayFrom === undefined ? { result: {} } : invalid;
        case "session/list":
          return { result: { sessions: [] } };
        case "session/close":
          return { result: {} };
        case "session/prompt":
          return prompt(sessionId, params.prompt);
        case "auth/login":
        case "auth/logout":
          return invalid;
        default:
          return { error: { code: -32_601, message: "Method not found" } };
      }
    };
    const invalid = { error: { code: -32_602, message: "Invalid params" } };
    const opened = (): string => {
      const id = `session-${sessions.size + 1}`;
      sessions.add(id);
      return id;
    };
    const initialize = ({ protocolVersion }: Message): Message => {
      if (protocolVersion < 1) {
        const data = { requested: protocolVersion, supported: [2, 1] };
        return { error: { code: -32_022, message: "Unsupported version", data } };
      }
      isInitialized = true;
      if (protocolVersion === 1) return { result: { protocolVersion: 1 } };
      const authMethods = [{ methodId: "token", type: "agent", name: "Token" }];
      const capabilities = { session: { prompt: { image: {} } } };
      return {
        result: { protocolVersion: 2, info: { name: "draft-agent", version: "1.0.0" }, capabilities, authMethods },
      };
    };
    const prompt = (sessionId: string, content: Message): Message => {
      const messageId = "message-1";
      update(sessionId, { sessionUpdate: "user_message", messageId, content });
      update(sessionId, { sessionUpdate: "state_update", state: "running" });
      setImmediate(() => {
        const text = { type: "text", text: "Hello" };
        update(sessionId, { sessionUpdate: "agent_message_chunk", messageId: "message-2", content: text });
        if (!worksUntilCancelled)
          update(sessionId, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
      });
      return { result: { messageId } };
    };

    return {
      line(text) {
        const message: Message = JSON.parse(text);
        if (Array.isArray(message)) send({ id: null, error: { code: -32_600, message: "No batches" } });
        else if (message.method === "session/cancel" && worksUntilCancelled)
          update(message.params.sessionId, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
        else if (message.id !== undefined && message.method !== undefined)
          send({ id: message.id, ...responseTo(message) });
      },
    };
  });
}
