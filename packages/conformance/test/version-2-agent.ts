import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { PeerProcess } from "../src/wire/peer-process.js";
import { runInProcess } from "./in-process.js";

/** Any JSON value. Tests access its members without checks. */
// biome-ignore lint/suspicious/noExplicitAny: messages and their mistakes have every shape
export type Message = any;

/** Changes the agent's output: returns the messages to write instead of one message, the response to `request`. */
export type Version2Mistake = (message: Message, request?: Message) => readonly Message[];

/** Options of {@link startVersion2Agent}. */
export interface Version2AgentOptions {
  /** The work of every prompt ends only with `session/cancel`. */
  readonly worksUntilCancelled?: boolean;
  /** Changes the permission response or the elicitation response before the agent reads it. */
  readonly reads?: (response: Message) => Message;
  /** Does not speak version 1. */
  readonly only2?: boolean;
}

const configOptions = [
  {
    configId: "mode",
    type: "select",
    name: "Mode",
    category: "mode",
    currentValue: "ask",
    options: [
      { value: "ask", name: "Ask" },
      { value: "code", name: "Code" },
    ],
  },
];

/** Starts a small agent of version 2 in this process. It keeps every rule, except for one mistake. */
export function startVersion2Agent(
  mistake: Version2Mistake = (message) => [message],
  { worksUntilCancelled = false, reads = (response) => response, only2 = false }: Version2AgentOptions = {},
): Promise<PeerProcess> {
  return runInProcess(({ write }) => {
    let isInitialized = false;
    let count = 0;
    const sessions = new Map<string, { readonly cwd: string; history: Message[]; long: boolean }>();
    const waiting = new Map<unknown, (response: Message) => void>();
    const send = (message: Message, request?: Message): void => {
      for (const each of mistake(message, request)) write(`${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`);
    };
    const update = (sessionId: string, value: Message): void => {
      if (/message/.test(value.sessionUpdate)) sessions.get(sessionId)?.history.push(value);
      send({ method: "session/update", params: { sessionId, update: value } });
    };
    const state = (sessionId: string, value: string, stopReason?: string): void =>
      update(sessionId, { sessionUpdate: "state_update", state: value, ...(stopReason && { stopReason }) });
    const ask = (method: string, params: Message): Promise<Message> => {
      const id = `agent-${++count}`;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, (response) => resolve(reads(response))));
    };
    const error = (code: number, message: string, data?: Message): Message => ({
      error: { code, message, ...(data && { data }) },
    });
    const invalid = error(-32_602, "Invalid params");

    const responseTo = ({ method, params }: Message): Message => {
      if (method === "initialize") return initialize(params);
      if (!isInitialized) return error(-32_600, "Not initialized");
      const { sessionId } = params ?? {};
      if (method === "session/close" && !sessions.has(sessionId)) return { result: {} };
      if (sessionId !== undefined && !sessions.has(sessionId)) return error(-32_002, "Unknown session", { sessionId });
      switch (method) {
        case "session/new": {
          if (params.mcpServers?.some(({ type }: Message) => type !== "stdio")) return invalid;
          const id = `session-${++count}`;
          sessions.set(id, { cwd: params.cwd, history: [], long: false });
          const availableCommands = [{ type: "command", name: "plan", description: "Sends a plan" }];
          return { result: { sessionId: id, configOptions, availableCommands } };
        }
        case "session/resume": {
          if (params.replayFrom !== undefined && params.replayFrom?.type !== "start") return invalid;
          if (params.replayFrom)
            for (const each of sessions.get(sessionId)?.history.splice(0) ?? []) update(sessionId, each);
          state(sessionId, "idle");
          return { result: { configOptions } };
        }
        case "session/list": {
          const all = [...sessions].map(([id, { cwd }]) => ({ sessionId: id, cwd }));
          return { result: { sessions: all.filter(({ cwd }) => params.cwd === undefined || cwd === params.cwd) } };
        }
        case "session/close":
          sessions.delete(sessionId);
          return { result: {} };
        case "session/prompt":
          return prompt(sessionId, params.prompt);
        case "session/set_config_option":
          return params.configId === "mode" ? { result: { configOptions } } : invalid;
        case "auth/login":
        case "auth/logout":
        case "tool_call/cancel":
        case "terminal/cancel":
          return invalid;
        default:
          return error(-32_601, "Method not found");
      }
    };
    const initialize = ({ protocolVersion }: Message): Message => {
      if (protocolVersion < (only2 ? 2 : 1)) {
        return error(-32_022, "Unsupported version", { requested: protocolVersion, supported: [2, 1] });
      }
      isInitialized = true;
      if (protocolVersion === 1) return { result: { protocolVersion: 1 } };
      const authMethods = [{ methodId: "token", type: "agent", name: "Token" }];
      const capabilities = { session: { prompt: { image: {} }, mcp: { stdio: {} } } };
      return { result: { protocolVersion: 2, info: { name: "agent-2", version: "1.0.0" }, capabilities, authMethods } };
    };
    const prompt = (sessionId: string, content: Message): Message => {
      if (content.some(({ type }: Message) => type !== "text")) return invalid;
      const text: string = content[0].text;
      if (text === "/refuse") return error(-32_603, "No model");
      const messageId = randomUUID();
      update(sessionId, { sessionUpdate: "user_message", messageId, content });
      state(sessionId, "running");
      const session = sessions.get(sessionId);
      if (session) session.long = worksUntilCancelled || text === "/long";
      setImmediate(async () => {
        const stopReason = await work(sessionId, text, randomUUID());
        if (!session?.long) state(sessionId, "idle", stopReason);
      });
      return { result: { messageId } };
    };
    const work = async (sessionId: string, text: string, messageId: string): Promise<string> => {
      const [command, path = "/tmp/file"] = text.split(" ");
      const toolCallId = `call-${++count}`;
      const call = (value: Message): void =>
        update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, ...value });
      switch (command) {
        case "/error":
          return "error";
        case "/plan":
          update(sessionId, { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: [] } });
          break;
        case "/tools":
          call({ title: "Read a file", locations: [{ path }], content: [] });
          call({ status: "completed" });
          break;
        case "/terminal":
          update(sessionId, {
            sessionUpdate: "terminal_update",
            terminalId: "terminal-1",
            command: "echo",
            cwd: "/tmp",
          });
          update(sessionId, { sessionUpdate: "terminal_output_chunk", terminalId: "terminal-1", data: "aGk=" });
          update(sessionId, {
            sessionUpdate: "terminal_update",
            terminalId: "terminal-1",
            exitStatus: { exitCode: 0 },
          });
          break;
        case "/edit": {
          call({ title: "Write a file" });
          const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
          const subject = { type: "tool_call", toolCall: { toolCallId } };
          const { result } = await ask("session/request_permission", { sessionId, title: "Write", subject, options });
          const isAllowed = result?.outcome?.optionId === "yes";
          if (isAllowed) writeFileSync(path, "hello");
          call({ status: isAllowed ? "completed" : "failed" });
          break;
        }
        case "/form": {
          const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
          const params = { sessionId, mode: "form", message: "Your name?", requestedSchema };
          const { result } = await ask("elicitation/create", params);
          if (result?.action === "crash") return "error";
        }
      }
      const content = { type: "text", text: "Hello" };
      update(sessionId, { sessionUpdate: "agent_message_chunk", messageId, content });
      return "end_turn";
    };

    return {
      line(text) {
        const message: Message = JSON.parse(text);
        if (Array.isArray(message)) send({ id: null, error: { code: -32_600, message: "No batches" } });
        else if (message.method === "session/cancel") {
          const session = sessions.get(message.params.sessionId);
          if (!session?.long) return;
          session.long = false;
          state(message.params.sessionId, "idle", "cancelled");
        } else if (message.id !== undefined && message.method !== undefined)
          send({ id: message.id, ...responseTo(message) }, message);
        else waiting.get(message.id)?.(message);
      },
    };
  });
}
