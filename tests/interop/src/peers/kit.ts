// The scripted agent on our own packages: the reference for third-party agents, and the agent that third-party clients
// connect to.
import { type Agent, createAgent, extension, RpcError, type Turn } from "@acp-kit/agent";
import { history, modes, permissionOptions, play, type Stage } from "./script.js";

const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

const stage = (turn: Turn): Stage => ({
  sessionId: turn.sessionId,
  signal: turn.signal,
  update: (update) => turn.update(update as never),
  async askPermission(toolCallId) {
    const { outcome } = await turn.client.requestPermission({
      toolCall: { toolCallId },
      options: [...permissionOptions],
    });
    return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  },
  readTextFile: (params) => turn.client.readTextFile(params),
  writeTextFile: (params) => turn.client.writeTextFile(params),
  createTerminal: (params) => turn.client.createTerminal(params),
  elicit: (params) =>
    (params as { mode: string }).mode === "form"
      ? turn.client.elicitForm(params as never)
      : turn.client.elicitUrl(params as never),
  completeElicitation: (elicitationId) => turn.client.completeElicitation(elicitationId),
  extension: (method, params) => turn.client.extensionRequest(method as `_${string}`, params),
  refuse: (code, message, data) => new RpcError(code, message, { data }),
});

/** Creates an agent whose sessions are `s1`, `s2` and so on. */
export function kitAgent(): Agent {
  let sessions = 0;
  return createAgent({
    info: { name: "kit", version: "1.0.0" },
    authMethods: [{ id: "token", name: "Token" }],
    promptContent: { image: true },
    authenticate() {},
    logout() {},
    newSession() {
      sessions += 1;
      return { sessionId: `s${sessions}`, modes };
    },
    loadSession({ sessionId }, context) {
      for (const update of history) context.session(sessionId).update(update as never);
      return { modes };
    },
    resumeSession: () => ({ modes }),
    listSessions: ({ cursor }) =>
      cursor === "more"
        ? { sessions: [{ sessionId: "older", cwd: "/work" }] }
        : { sessions: [{ sessionId: "old", cwd: "/work", title: "Old" }], nextCursor: "more" },
    deleteSession() {},
    closeSession() {},
    setSessionMode({ sessionId, modeId }, context) {
      context.session(sessionId).mode(modeId);
    },
    setSessionConfigOption: ({ configId, value }) => ({
      configOptions: [{ id: configId, name: configId, type: "select", currentValue: String(value), options: [] }],
    }),
    prompt: (turn) => play(stage(turn), turn.text),
    extensions: { "_example.com/echo": extension(anything, (params) => params) },
  });
}
