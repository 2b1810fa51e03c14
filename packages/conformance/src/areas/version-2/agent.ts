import type { AgentContext } from "../../agent/agent-context.js";
import type { Incoming, RecordedResponse } from "../../agent/agent-messages.js";
import type { AgentPeer } from "../../agent/agent-peer.js";
import { type AgentScenario, agentScenario } from "../../agent/agent-scenario.js";
import type { ClientBehaviour } from "../../agent/client-side.js";
import { type PromptPurpose, promptPurposes } from "../../agent/prompt-purposes.js";
import { contentBefore } from "../../agent/served-request.js";
import { fileInCwd } from "../../agent/test-files.js";
import type { ResponseMatcher } from "../../finding.js";
import { isError, isNotError, isRefusalWith, isSuccess } from "../../response-matchers.js";
import type { Watch } from "../../scenario.js";
import { isObject, itemsOf, type Json, member, shown, textOf } from "../../wire/values.js";
import { version2Watches } from "./watches.js";

const info = { name: "acp-kit-conformance", version: "1.0.0" };
const unknownType = "_conformance";

interface Agent {
  readonly peer: AgentPeer;
  readonly result: Json;
}

interface Session {
  readonly peer: AgentPeer;
  readonly sessionId: string;
  /** The result of `session/new`. */
  readonly result: Json;
}

/** A prompt that was inserted, and the `idle` that ended its work. */
interface Work extends Session {
  readonly idle: Json;
}

/** Offers version 2. Skips the scenario if the agent responds with another version. */
async function openAgent(context: AgentContext, manners?: ClientBehaviour): Promise<Agent> {
  const peer = await context.start(manners);
  const capabilities = { elicitation: { form: {}, url: {} } };
  const response = await peer.request("initialize", { protocolVersion: 2, info, capabilities });
  const version = member(response.result, "protocolVersion");
  if (version !== 2 || !isObject(response.result)) {
    return context.skip(`the agent does not speak version 2: it responds with ${shown(version)}`);
  }
  return { peer, result: response.result };
}

/** Opens a session. Skips the scenario if the agent has no sessions. It is inconclusive if session/new fails. */
async function openSession(context: AgentContext, manners?: ClientBehaviour): Promise<Session> {
  const { peer, result: initialized } = await openAgent(context, manners);
  if (!isObject(member(initialized, "capabilities", "session")))
    context.skip("the agent does not advertise capabilities.session");
  const { authMethod, turnTimeoutMs } = context.options;
  if (authMethod !== undefined) {
    const login = await peer.request("auth/login", { methodId: authMethod }, { timeoutMs: turnTimeoutMs });
    if (login.error) context.inconclusive(`auth/login with ${authMethod} failed: ${shown(login.error)}`);
  }
  const { result, error } = await peer.request("session/new", { cwd: context.files.cwd });
  const sessionId = textOf(member(result, "sessionId"));
  if (sessionId === undefined || !isObject(result))
    return context.inconclusive(`session/new fails: ${shown(error ?? result)}`);
  return { peer, sessionId, result };
}

const stateOf = ({ message }: Incoming): unknown =>
  member(message, "params", "update", "sessionUpdate") === "state_update"
    ? member(message, "params", "update", "state")
    : undefined;

/** Sends a prompt and waits until its work has ended. It is inconclusive if the agent is slow, or the prompt fails. */
async function work(context: AgentContext, purpose: PromptPurpose, manners?: ClientBehaviour): Promise<Work> {
  const session = await openSession(context, manners);
  const path = await fileInCwd(context.files, "conformance.txt", contentBefore);
  return workIn(context, session, context.text(purpose, { path }));
}

/** Sends a prompt and waits for the response, which does not end the work. It is inconclusive if the prompt fails. */
async function insert(context: AgentContext, { peer, sessionId }: Session, text: string): Promise<RecordedResponse> {
  const params = { sessionId, prompt: [{ type: "text", text }] };
  const response = await peer.request("session/prompt", params, { timeoutMs: context.options.turnTimeoutMs });
  if (response.error) context.inconclusive(`the prompt fails: ${shown(response.error)}`);
  return response;
}

async function workIn(context: AgentContext, session: Session, text: string): Promise<Work> {
  const { peer, sessionId } = session;
  const { turnTimeoutMs } = context.options;
  const response = await insert(context, session, text);
  const since = response.where.seqs[0] ?? response.seq;
  const isIdle = (message: Incoming): boolean => stateOf(message) === "idle";
  let idle = await peer.next(isIdle, { since, timeoutMs: turnTimeoutMs });
  if (!idle) {
    // An agent that ends the cancelled work was only slow, which breaks no rule.
    peer.notify("session/cancel", { sessionId });
    idle = await peer.next(isIdle, { since });
    if (idle) {
      context.inconclusive(
        `too slow for these limits: no state_update idle within ${turnTimeoutMs / 1000} s; --turn-timeout sets a longer limit`,
      );
    }
  }
  const busy = peer.incoming.find(
    (message) => message.seq > since && stateOf(message) !== undefined && stateOf(message) !== "idle",
  );
  if (!idle || !busy || busy.seq > idle.seq) {
    context.fail("V2-23", {
      sent: "a prompt",
      received: `no state_update ${idle ? "running" : "idle"} within ${turnTimeoutMs / 1000} s${idle ? "" : ", and none after session/cancel"}`,
      where: peer.at(response.seq),
    });
  }
  return { ...session, idle: member(idle.params, "update") as Json };
}

/** A request that the agent must answer in this way, in a fresh session. */
interface Answer {
  readonly title: string;
  readonly method: string;
  readonly params: (session: Session, context: AgentContext) => Json;
  readonly is: ResponseMatcher;
  /** A request that must succeed before; otherwise, the scenario is inconclusive. */
  readonly control?: Answer["params"];
}

function answer(id: string, rule: string, { title, method, params, control, is }: Answer): AgentScenario {
  return agentScenario(`version-2/${id}`, [rule], {
    title,
    async run(context) {
      const session = await openSession(context);
      const before = control && (await session.peer.request(method, control(session, context)));
      if (before?.error) context.inconclusive(`${method} fails without the value: ${shown(before.error)}`);
      const sent = params(session, context);
      context.expect(rule, await session.peer.request(method, sent), is, `${method} with ${shown(sent)}`);
    },
  });
}

function cancelOfUnknown(kind: "tool_call" | "terminal", name: string, words: string): AgentScenario {
  return answer(`cancel-unknown-${kind}`, "V2-37", {
    title: `The cancel of an unknown ${words} gets -32602`,
    method: `${kind}/cancel`,
    params: ({ sessionId }) => ({ sessionId, [name]: "conformance-no-such-work" }),
    is: isRefusalWith(-32_602),
  });
}

const purposesOfTour = (Object.keys(promptPurposes) as PromptPurpose[]).filter(
  (purpose) => !["text", "long", "longTerminal"].includes(purpose),
);

/** The scenarios of version 2. Watches check the other rules in the dialogues of these scenarios. */
export const version2Scenarios: readonly AgentScenario[] = [
  agentScenario("version-2/newer-version", ["V2-01"], {
    title: "The agent responds to an unknown newer version with its own newest version",
    async run(context) {
      await openAgent(context);
      const peer = await context.start();
      const response = await peer.request("initialize", { protocolVersion: 65_535, info, capabilities: {} });
      const version = member(response.result, "protocolVersion");
      const isNewest = (): boolean => Number.isInteger(version) && Number(version) >= 2;
      context.expect("V2-01", response, isNewest, "initialize with protocolVersion 65535");
    },
  }),
  agentScenario("version-2/no-version", ["V2-02"], {
    title: "The agent responds to a version that is too old with the error -32022",
    async run(context) {
      await openAgent(context);
      const peer = await context.start();
      const response = await peer.request("initialize", { protocolVersion: 0, info, capabilities: {} });
      const refuses: ResponseMatcher = ({ error }) =>
        member(error, "code") === -32_022 && Array.isArray(member(error, "data", "supported"));
      context.expect("V2-02", response, refuses, "initialize with protocolVersion 0");
    },
  }),
  agentScenario("version-2/before-initialize", ["V2-13"], {
    title: "A request before initialize gets -32600",
    async run(context) {
      await openAgent(context);
      const peer = await context.start();
      const response = await peer.request("session/list", {});
      context.expect("V2-13", response, isError(-32_600), "session/list as the first message of the connection");
    },
  }),
  agentScenario("version-2/batch", ["V2-11"], {
    title: "A batch gets one -32600 without an id",
    async run(context) {
      const { peer } = await openAgent(context);
      peer.send([{ jsonrpc: "2.0", id: "in-a-batch", method: "_conformance/batched", params: {} }]);
      await peer.fence();
      const refused = peer.incoming.filter(
        ({ message }) => message.id === null && member(message, "error", "code") === -32_600,
      );
      if (refused.length === 1) return;
      context.fail("V2-11", {
        sent: "an array with one request",
        received: `${refused.length} errors without an id`,
        where: peer.at(...refused.map(({ seq }) => seq)),
      });
    },
  }),
  agentScenario("version-2/session-methods", ["V2-06"], {
    title: "An agent with sessions has every required session method",
    async run(context) {
      const { peer, sessionId } = await openSession(context);
      const requests: readonly (readonly [string, Json])[] = [
        ["session/list", {}],
        ["session/resume", { sessionId, cwd: context.files.cwd }],
        ["session/close", { sessionId }],
      ];
      for (const [method, params] of requests) {
        const sent = `${method}, with capabilities.session advertised`;
        context.expect("V2-06", await peer.request(method, params), isNotError(-32_601), sent);
      }
    },
  }),
  agentScenario("version-2/login", ["V2-07"], {
    title: "An agent with login methods has auth/login",
    async run(context) {
      const { peer, result } = await openAgent(context);
      if (itemsOf(result.authMethods).length === 0) context.skip("the agent has no login methods");
      // The kit does not call auth/logout, because it would end the user's login.
      const response = await peer.request("auth/login", { methodId: "conformance-no-such-method" });
      context.expect("V2-07", response, isNotError(-32_601), {
        sent: "auth/login with an unknown methodId",
        explanation: "An agent with authMethods has auth/login. An unknown methodId gets an error other than -32601.",
      });
    },
  }),
  answer("unknown-session", "V2-12", {
    title: "An unknown session gets -32002 with its id",
    method: "session/prompt",
    params: () => ({ sessionId: "conformance-no-such-session", prompt: [{ type: "text", text: "hello" }] }),
    is: (response) =>
      isError(-32_002)(response) && member(response.error, "data", "sessionId") === "conformance-no-such-session",
  }),
  answer("mcp-transport", "V2-16", {
    title: "An MCP server with an unknown transport gets -32602",
    method: "session/new",
    params: (_, { files }) => ({ cwd: files.cwd, mcpServers: [{ type: unknownType, name: "conformance" }] }),
    is: isRefusalWith(-32_602),
  }),
  answer("replay-cursor", "V2-18", {
    title: "An unknown replay cursor gets -32602",
    method: "session/resume",
    params: ({ sessionId }, { files }) => ({ sessionId, cwd: files.cwd, replayFrom: { type: unknownType } }),
    control: ({ sessionId }, { files }) => ({ sessionId, cwd: files.cwd }),
    is: isRefusalWith(-32_602),
  }),
  answer("content-block", "V2-27", {
    title: "A prompt with an unknown content block gets -32602",
    method: "session/prompt",
    params: ({ sessionId }) => ({ sessionId, prompt: [{ type: unknownType, text: "hello" }] }),
    is: isRefusalWith(-32_602),
  }),
  cancelOfUnknown("tool_call", "toolCallId", "tool call"),
  cancelOfUnknown("terminal", "terminalId", "terminal"),
  answer("unknown-option", "V2-45", {
    title: "An unknown config option gets -32602",
    method: "session/set_config_option",
    params: ({ sessionId, result }, context) =>
      itemsOf(result.configOptions).length > 0
        ? { sessionId, configId: "conformance-no-such-option", type: "id", value: "conformance" }
        : context.skip("the agent has no config options"),
    is: isRefusalWith(-32_602),
  }),
  answer("list-filter", "V2-49", {
    title: "The filter cwd lists only sessions with this cwd",
    method: "session/list",
    params: (_, { files }) => ({ cwd: files.join(files.cwd, "conformance-other") }),
    is: ({ result }) =>
      itemsOf(member(result, "sessions")).every((each) => /conformance-other$/.test(textOf(member(each, "cwd")) ?? "")),
  }),
  answer("close-unknown", "V2-50", {
    title: "The close of an unknown session succeeds",
    method: "session/close",
    params: () => ({ sessionId: "conformance-no-such-session" }),
    is: isSuccess,
  }),
  agentScenario("version-2/turn", ["V2-23"], {
    title: "A prompt gets a messageId, and its work begins with running and ends with idle",
    needs: ["prompt: text"],
    run: async (context) => void (await work(context, "text")),
  }),
  ...purposesOfTour.map((purpose) =>
    agentScenario(`version-2/tour/${purpose.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, ["V2-23"], {
      title: `A turn in which the agent ${promptPurposes[purpose]} ends with idle`,
      needs: [`prompt: ${purpose}`],
      run: async (context) => void (await work(context, purpose)),
    }),
  ),
  agentScenario("version-2/resume", ["V2-17"], {
    title: "The agent replays the history only on request, and before the response",
    needs: ["prompt: text"],
    async run(context) {
      const { peer, sessionId } = await work(context, "text");
      const params = { sessionId, cwd: context.files.cwd };
      for (const replayFrom of [undefined, { type: "start" }]) {
        const response = await peer.request("session/resume", { ...params, ...(replayFrom && { replayFrom }) });
        if (response.error) context.inconclusive(`session/resume fails: ${shown(response.error)}`);
        await peer.quiet(context.options.quietMs);
        const [from = 0] = response.where.seqs;
        const replayed = peer.incoming.filter(
          ({ seq, params }) =>
            seq > (replayFrom ? response.seq : from) &&
            member(params, "sessionId") === sessionId &&
            textOf(member(params, "update", "sessionUpdate"))?.startsWith("user_message"),
        );
        if (replayed.length === 0) continue;
        context.note("V2-17", {
          sent: `session/resume ${replayFrom ? "with replayFrom start" : "without replayFrom"}`,
          received: `the user's message ${replayFrom ? "after the response" : "of an earlier prompt"}`,
          where: peer.at(response.seq, ...replayed.map(({ seq }) => seq)),
        });
      }
    },
  }),
  agentScenario("version-2/cancel", ["V2-28", "V2-29"], {
    title: "Cancelled work ends with the stop reason cancelled, after its last update",
    needs: ["prompt: long"],
    async run(context) {
      const session = await openSession(context);
      const { peer, sessionId } = session;
      await insert(context, session, context.text("long"));
      await peer.next((message) => stateOf(message) === "running");
      const { seq } = peer.notify("session/cancel", { sessionId });
      if (peer.incoming.some((message) => stateOf(message) === "idle" && message.seq < seq))
        context.skip("the work ended before the cancel");
      const idle = await peer.next((message) => stateOf(message) === "idle", {
        since: seq,
        timeoutMs: context.options.turnTimeoutMs,
      });
      const reason = member(idle?.params, "update", "stopReason");
      const where = peer.at(seq, ...(idle ? [idle.seq] : []));
      const sent = "session/cancel during the work";
      if (reason === "error") context.fail("V2-29", { sent, received: "idle with the stop reason error", where });
      if (reason !== "cancelled")
        context.fail("V2-28", { sent, received: idle ? `idle with ${shown(reason)}` : "no idle", where });
      await peer.quiet(context.options.quietMs);
      const late = peer.incoming.find(
        ({ seq, params }) =>
          seq > (idle?.seq ?? seq) &&
          /^agent_(?:message|thought)/.test(textOf(member(params, "update", "sessionUpdate")) ?? ""),
      );
      if (late)
        context.fail("V2-28", { sent, received: "output of the work after its idle", where: peer.at(late.seq) });
    },
  }),
  agentScenario("version-2/unknown-permission", ["V2-41"], {
    title: "An option that was not offered is no approval",
    needs: ["prompt: edit"],
    async run(context) {
      const path = await fileInCwd(context.files, "conformance.txt", contentBefore);
      const outcome = { outcome: "selected", optionId: "conformance-not-offered" };
      const session = await openSession(context, { permission: () => ({ result: { outcome } }) });
      await workIn(context, session, context.text("edit", { path }));
      const { incoming } = session.peer;
      const asked = incoming.find(({ method }) => method === "session/request_permission");
      if (!asked) return context.skip("the agent asked for no permission");
      const calls = new Set(incoming.flatMap(({ params }) => member(params, "update", "toolCallId") ?? []));
      if ((await context.files.read(path)) === contentBefore) return;
      if (calls.size > 1) context.inconclusive("another tool call may have changed the file");
      context.fail("V2-41", {
        sent: "an option that was not offered, as the response to the permission request",
        received: `a change of the file ${path}`,
        where: session.peer.at(asked.seq),
      });
    },
  }),
  agentScenario("version-2/unknown-action", ["V2-48"], {
    title: "An unknown action in the response to an elicitation is a cancel: the work goes on to its end",
    needs: ["prompt: form"],
    async run(context) {
      const { peer, idle } = await work(context, "form", { elicitation: () => ({ result: { action: unknownType } }) });
      const asked = peer.incoming.find(({ method }) => method === "elicitation/create");
      if (!asked) return context.skip("the agent sent no form");
      if (idle.stopReason !== "error") return;
      context.fail("V2-48", {
        sent: `the action ${unknownType}`,
        received: "the stop reason error",
        where: peer.at(asked.seq),
      });
    },
  }),
];

/** The watches of version 2 for agents. */
export const version2AgentWatches: readonly Watch[] = version2Watches("agent");
