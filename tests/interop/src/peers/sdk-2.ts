// An agent on the official SDK 2.4.0.
import { type AgentApp, type AgentContext, agent, RequestError, type RequestPermissionResponse } from "sdk-2";
import { history, modes, permissionOptions, play, type Stage } from "./script.js";

const stage = (client: AgentContext, sessionId: string, signal: AbortSignal): Stage => ({
  sessionId,
  signal,
  update: (update) => client.notify("session/update", { sessionId, update: update as never }),
  async askPermission(toolCallId) {
    const { outcome } = await client.request<RequestPermissionResponse>("session/request_permission", {
      sessionId,
      toolCall: { toolCallId },
      options: [...permissionOptions],
    });
    return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  },
  readTextFile: (params) => client.request("fs/read_text_file", { sessionId, ...params }),
  writeTextFile: (params) => client.request("fs/write_text_file", { sessionId, ...params }),
  async createTerminal(params) {
    const terminal = await client.createTerminal({ sessionId, ...params });
    return {
      output: () => terminal.currentOutput(),
      waitForExit: () => terminal.waitForExit(),
      kill: () => terminal.kill(),
      release: () => terminal.release(),
    };
  },
  elicit: (params) => client.request("elicitation/create", { sessionId, ...params } as never) as never,
  completeElicitation: (elicitationId) => client.notify("elicitation/complete", { elicitationId }),
  extension: (method, params) => client.request(method, params),
  refuse: (code, message, data) => new RequestError(code, message, data),
});

/** Creates an agent whose sessions are `s1`, `s2` and so on. */
export function sdk2Agent(): AgentApp {
  const turns = new Map<string, AbortController>();
  let sessions = 0;
  return agent({ name: "sdk-2" })
    .onRequest("initialize", () => ({
      protocolVersion: 1,
      agentInfo: { name: "sdk-2", version: "2.4.0" },
      authMethods: [{ id: "token", name: "Token" }],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
        auth: { logout: {} },
      },
    }))
    .onRequest("authenticate", () => ({}))
    .onRequest("logout", () => ({}))
    .onRequest("session/new", () => {
      sessions += 1;
      return { sessionId: `s${sessions}`, modes };
    })
    .onRequest("session/load", async ({ params: { sessionId }, client }) => {
      for (const update of history) await client.notify("session/update", { sessionId, update: update as never });
      return { modes };
    })
    .onRequest("session/resume", () => ({ modes }))
    .onRequest("session/list", ({ params: { cursor } }) =>
      cursor === "more"
        ? { sessions: [{ sessionId: "older", cwd: "/work" }] }
        : { sessions: [{ sessionId: "old", cwd: "/work", title: "Old" }], nextCursor: "more" },
    )
    .onRequest("session/delete", () => ({}))
    .onRequest("session/close", ({ params: { sessionId } }) => {
      turns.get(sessionId)?.abort();
      return {};
    })
    .onRequest("session/set_mode", async ({ params: { sessionId, modeId }, client }) => {
      await client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "current_mode_update", currentModeId: modeId },
      });
      return {};
    })
    .onRequest("session/set_config_option", ({ params: { configId, value } }) => ({
      configOptions: [{ id: configId, name: configId, type: "select", currentValue: String(value), options: [] }],
    }))
    .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client, signal }) => {
      const controller = new AbortController();
      signal.addEventListener("abort", () => controller.abort(), { once: true });
      turns.set(sessionId, controller);
      const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
      return { stopReason: await play(stage(client, sessionId, controller.signal), text) };
    })
    .onNotification("session/cancel", ({ params: { sessionId } }) => turns.get(sessionId)?.abort())
    .onRequest(
      "_example.com/echo",
      (params) => params,
      ({ params }) => params,
    );
}
