// An agent on the official SDK 0.14.1.
import { Readable, Writable } from "node:stream";
import { type Agent, AgentSideConnection, ndJsonStream, RequestError } from "sdk-0";
import { history, modes, permissionOptions, play, type Stage } from "./script.js";

const turns = new Map<string, AbortController>();
let sessions = 0;

const stage = (client: AgentSideConnection, sessionId: string, signal: AbortSignal): Stage => ({
  sessionId,
  signal,
  update: (update) => client.sessionUpdate({ sessionId, update: update as never }),
  async askPermission(toolCallId) {
    const { outcome } = await client.requestPermission({
      sessionId,
      toolCall: { toolCallId },
      options: [...permissionOptions],
    });
    return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  },
  readTextFile: (params) => client.readTextFile({ sessionId, ...params }),
  writeTextFile: (params) => client.writeTextFile({ sessionId, ...params }),
  async createTerminal(params) {
    const terminal = await client.createTerminal({ sessionId, ...params });
    return {
      output: () => terminal.currentOutput(),
      waitForExit: () => terminal.waitForExit(),
      kill: () => terminal.kill(),
      release: () => terminal.release(),
    };
  },
  extension: (method, params) => client.extMethod(method, params as Record<string, unknown>),
  refuse: (code, message, data) => new RequestError(code, message, data),
});

const toAgent = (client: AgentSideConnection): Agent => ({
  initialize: async () => ({
    protocolVersion: 1,
    agentInfo: { name: "sdk-0", version: "0.14.1" },
    authMethods: [{ id: "token", name: "Token" }],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: { list: {}, resume: {} },
    },
  }),
  authenticate: async () => {},
  async newSession() {
    sessions += 1;
    return { sessionId: `s${sessions}`, modes };
  },
  async loadSession({ sessionId }) {
    for (const update of history) await client.sessionUpdate({ sessionId, update: update as never });
    return { modes };
  },
  unstable_resumeSession: async () => ({ modes }),
  unstable_listSessions: async ({ cursor }) =>
    cursor === "more"
      ? { sessions: [{ sessionId: "older", cwd: "/work" }] }
      : { sessions: [{ sessionId: "old", cwd: "/work", title: "Old" }], nextCursor: "more" },
  async setSessionMode({ sessionId, modeId }) {
    await client.sessionUpdate({
      sessionId,
      update: { sessionUpdate: "current_mode_update", currentModeId: modeId },
    });
  },
  setSessionConfigOption: async ({ configId, value }) => ({
    configOptions: [{ id: configId, name: configId, type: "select", currentValue: value, options: [] }],
  }),
  async prompt({ sessionId, prompt }) {
    const controller = new AbortController();
    turns.set(sessionId, controller);
    const text = prompt
      .map((block: { type: string; text?: string }) => (block.type === "text" ? block.text : ""))
      .join("");
    return { stopReason: await play(stage(client, sessionId, controller.signal), text) };
  },
  async cancel({ sessionId }) {
    turns.get(sessionId)?.abort();
  },
  extMethod: async (_method, params) => params,
});

new AgentSideConnection(
  toAgent,
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
