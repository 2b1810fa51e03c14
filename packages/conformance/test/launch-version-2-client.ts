import type { AgentLinkListener } from "../src/client/agent-link.js";
import type { ExitStatus, LaunchClient } from "../src/client/client-process.js";
import type { Message } from "./version-2-agent.js";

/** The mistakes of the client of version 2, each named by the rule that it breaks. */
export interface Version2ClientOptions {
  /** The rule that the client breaks. */
  readonly breaks?: string;
  /** Does not continue with an agent of version 1. */
  readonly only2?: boolean;
}

/** Starts a small client of both versions in this process. It keeps every rule, except for one. */
export function launchVersion2Client({ breaks, only2 = false }: Version2ClientOptions = {}): LaunchClient {
  const is = (rule: string): boolean => rule === breaks;
  return async ({ onAgent }) => {
    let toAgent: AgentLinkListener | undefined;
    let exit: (status: ExitStatus) => void = () => {};
    let isGone = false;
    const exited = new Promise<ExitStatus>((resolve) => {
      exit = resolve;
    });
    const later = (act: () => void): void => void setImmediate(act);
    const leave = (code: number): void => {
      if (isGone) return;
      isGone = true;
      later(() => {
        toAgent?.end();
        exit({ code, signal: null });
      });
    };
    const send = (message: Message): void => {
      const bytes = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      later(() => toAgent?.data(bytes));
    };
    let count = 0;
    const waiting = new Map<unknown, (result: Message) => void>();
    const request = (method: string, params: Message, id: unknown = ++count): Promise<Message> => {
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    };
    const open = new Map<unknown, Message>();
    let version = 0;
    let sessionId = "";
    let onEnd: () => void = () => {};

    const initialize = (): Promise<Message> => {
      const info = { name: "client-2", version: "1.0.0" };
      const capabilities = is("V2-05") ? { elicitation: { form: true } } : {};
      return request("initialize", {
        protocolVersion: 2,
        info: is("V2-04") ? { name: "client-2", version: 1 } : info,
        clientInfo: info,
        capabilities,
        clientCapabilities: {},
      });
    };
    const main = async (): Promise<void> => {
      const initialized = await initialize();
      version = initialized?.protocolVersion;
      const isKnown = version === 2 || (version === 1 && !only2);
      if (!isKnown && !is("V2-03")) return leave(1);
      if (version === 2 && is("V2-08")) void request("auth/login", { methodId: "token" });
      const mcpServers = version !== 2 ? [] : [is("V2-15") ? { name: "files" } : { type: "stdio", name: "files" }];
      ({ sessionId } = await request("session/new", { cwd: "/tmp", mcpServers }));
      if (version === 2) {
        if (is("V2-10")) void request("session/list", {}, null);
        if (is("V2-14")) void request("session/set_mode", { sessionId, modeId: "code" });
        if (is("V2-36")) void request("tool_call/cancel", { sessionId, toolCallId: "call-9" });
        const set = { sessionId, configId: "mode", value: "code" };
        await request("session/set_config_option", is("V2-44") ? set : { ...set, type: "id" });
      }
      const ended = new Promise<void>((resolve) => {
        onEnd = resolve;
      });
      const prompt = version === 2 && is("V2-26") ? [] : [{ type: "text", text: "Hello" }];
      const done = request("session/prompt", { sessionId, prompt });
      await (version === 2 ? ended : done);
      leave(0);
    };
    const respond = (message: Message): void => {
      const { id, method, params } = message;
      if (method !== "session/request_permission") {
        send({ id, error: { code: -32_601, message: "Method not found" } });
      } else if (params.sessionId !== sessionId) {
        send({ id, error: { code: -32_002, message: "Unknown session", data: { sessionId: params.sessionId } } });
      } else open.set(id, message);
    };
    const line = (text: string): void => {
      const message: Message = JSON.parse(text);
      if (isGone) return;
      if (Array.isArray(message)) {
        if (!is("V2-11")) send({ id: null, error: { code: -32_600, message: "No batches" } });
      } else if (message.method === "session/update") {
        const { update } = message.params;
        const tag: string = update.sessionUpdate;
        const isFatal =
          (is("V2-32") && tag === "agent_message" && update.content === null) ||
          (is("V2-39") && tag === "terminal_output_chunk") ||
          (is("unknown-update") && tag === "future_update");
        if (isFatal) leave(9);
        if (update.state === "idle") onEnd();
      } else if (message.method === "$/cancel_request") {
        const { requestId } = message.params;
        if (!open.delete(requestId)) return;
        const error = { code: -32_800, message: "Cancelled" };
        send({ id: requestId, ...(is("V2-30") ? { error } : { result: { outcome: { outcome: "cancelled" } } }) });
      } else if (message.method !== undefined && message.id !== undefined) respond(message);
      else if (message.method === undefined) waiting.get(message.id)?.(message.result);
    };

    let rest = "";
    const decoder = new TextDecoder();
    onAgent({
      extraArguments: [],
      write: (bytes) => {
        rest += decoder.decode(bytes, { stream: true });
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        later(() => {
          for (const each of lines) line(each);
        });
      },
      exit: () => leave(1),
      crash: () => leave(1),
      listen: (listener) => {
        toAgent = listener;
      },
    });
    void main();
    return {
      exited,
      stderr: () => "",
      type: () => {},
      closeStdin: () => {},
      signal: () => {},
      kill: async () => leave(143),
    };
  };
}
