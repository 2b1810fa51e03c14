import type { AgentContext } from "../../agent/agent-context.js";
import type { AgentPeer, Incoming, RecordedResponse } from "../../agent/agent-peer.js";
import { type AgentScenario, agentScenario } from "../../agent/agent-scenario.js";
import { isError } from "../../response-matchers.js";
import { isObject, type Json, member, shown, textOf } from "../../wire/values.js";

const info = { name: "acp-kit-conformance", version: "1.0.0" };

interface DraftAgent {
  readonly peer: AgentPeer;
  readonly response: RecordedResponse;
  readonly result: Json;
  readonly capabilities: Json;
}

/** Offers version 2. Skips the scenario if the agent responds with another version. */
async function openDraft(context: AgentContext): Promise<DraftAgent> {
  const peer = await context.start();
  const response = await peer.request("initialize", { protocolVersion: 2, info, capabilities: {} });
  const version = member(response.result, "protocolVersion");
  if (version !== 2 || !isObject(response.result)) {
    return context.skip(`the agent does not support the draft of version 2: it responds with ${shown(version)}`);
  }
  const { capabilities } = response.result;
  return { peer, response, result: response.result, capabilities: isObject(capabilities) ? capabilities : {} };
}

/** Opens a session. Skips the scenario if the agent has no sessions. It is inconclusive if session/new fails. */
async function openDraftSession(
  context: AgentContext,
): Promise<{ readonly peer: AgentPeer; readonly sessionId: string }> {
  const { peer, capabilities } = await openDraft(context);
  if (!isObject(capabilities.session)) context.skip("the agent does not advertise capabilities.session");
  const { result, error } = await peer.request("session/new", { cwd: context.files.cwd });
  const sessionId = textOf(member(result, "sessionId"));
  if (sessionId === undefined) return context.inconclusive(`session/new fails: ${shown(error ?? result)}`);
  return { peer, sessionId };
}

/** Scenarios for rules of the draft of version 2 that need no complete client of it. All are advice. */
export const draftScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "draft/initialize",
    title: "The response to initialize of version 2 has the member info, and capabilities that are objects",
    verifies: ["V2-04", "V2-05", "V2-09"],
    async run(context) {
      const { peer, response, result } = await openDraft(context);
      const sent = "initialize with protocolVersion 2";
      const where = peer.at(response.seq);
      const name = textOf(member(result.info, "name"));
      if (!name || textOf(member(result.info, "version")) === undefined) {
        context.note("V2-04", { sent, received: `info ${shown(result.info)}`, where });
      }
      const booleans = markersIn(result.capabilities);
      if (booleans.length > 0 || "agentCapabilities" in result) {
        context.note("V2-05", { sent, received: `the response ${shown(result)}`, where });
      }
      const methods = Array.isArray(result.authMethods) ? result.authMethods : [];
      const odd = methods.find((each) =>
        ["methodId", "type", "name"].some((key) => textOf(member(each, key)) === undefined),
      );
      if (odd === undefined) return;
      context.note("V2-09", { sent, received: `the login method ${shown(odd)}`, where });
    },
  }),
  agentScenario({
    id: "draft/version-below",
    title: "The agent responds to an unknown newer version with its own newest version",
    verifies: ["V2-01"],
    async run(context) {
      await openDraft(context);
      const peer = await context.start();
      const response = await peer.request("initialize", { protocolVersion: 65_535, info, capabilities: {} });
      const version = member(response.result, "protocolVersion");
      if (Number.isInteger(version) && Number(version) >= 2) return;
      context.fail("V2-01", {
        sent: "initialize with protocolVersion 65535",
        received: response.error ? `the error ${shown(response.error)}` : `protocolVersion ${shown(version)}`,
        where: peer.at(response.seq),
      });
    },
  }),
  agentScenario({
    id: "draft/no-version",
    title: "The agent responds to a version that is too old with the error -32022",
    verifies: ["V2-02"],
    async run(context) {
      await openDraft(context);
      const peer = await context.start();
      const response = await peer.request("initialize", { protocolVersion: 0, info, capabilities: {} });
      const data = member(response.error, "data");
      const isRight = member(response.error, "code") === -32_022 && Array.isArray(member(data, "supported"));
      if (isRight) return;
      context.fail("V2-02", { sent: "initialize with protocolVersion 0", received: response });
    },
  }),
  agentScenario({
    id: "draft/before-initialize",
    title: "A request before initialize gets -32600",
    verifies: ["V2-13"],
    async run(context) {
      await openDraft(context);
      const peer = await context.start();
      const response = await peer.request("session/list", {});
      context.expect("V2-13", response, isError(-32_600), "session/list as the first message of the connection");
    },
  }),
  agentScenario({
    id: "draft/batch",
    title: "A batch gets one -32600 without an id",
    verifies: ["V2-11"],
    async run(context) {
      const { peer } = await openDraft(context);
      const fence = await batchAnd(peer);
      const refused = peer.log.entries.filter(
        (entry) =>
          "message" in entry &&
          entry.from === "agent" &&
          member(entry.message, "id") === null &&
          member(entry.message, "error", "code") === -32_600,
      );
      if (refused.length === 1 && fence) return;
      context.fail("V2-11", {
        sent: "an array with one request",
        received: `${refused.length} errors without an id`,
        where: peer.at(...refused.map(({ seq }) => seq)),
      });
    },
  }),
  agentScenario({
    id: "draft/unknown-session",
    title: "An unknown session gets -32002 with its id",
    verifies: ["V2-12"],
    async run(context) {
      const { peer } = await openDraftSession(context);
      const sessionId = "conformance-no-such-session";
      const response = await peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hello" }] });
      const isRight = isError(-32_002)(response) && member(response.error, "data", "sessionId") === sessionId;
      if (isRight) return;
      context.fail("V2-12", { sent: `session/prompt with the sessionId ${sessionId}`, received: response });
    },
  }),
  agentScenario({
    id: "draft/session-methods",
    title: "An agent with sessions has every required session method",
    verifies: ["V2-06"],
    async run(context) {
      const { peer, sessionId } = await openDraftSession(context);
      const requests: readonly (readonly [string, Json])[] = [
        ["session/list", {}],
        ["session/resume", { sessionId, cwd: context.files.cwd }],
        ["session/close", { sessionId }],
      ];
      for (const [method, params] of requests) {
        const response = await peer.request(method, params);
        if (member(response.error, "code") !== -32_601) continue;
        context.note("V2-06", { sent: `${method}, with capabilities.session advertised`, received: response });
      }
    },
  }),
  agentScenario({
    id: "draft/login",
    title: "An agent with login methods has auth/login",
    verifies: ["V2-07"],
    async run(context) {
      const { peer, result } = await openDraft(context);
      if (!Array.isArray(result.authMethods) || result.authMethods.length === 0)
        context.skip("the agent has no login methods");
      const response = await peer.request("auth/login", { methodId: "conformance-no-such-method" });
      if (member(response.error, "code") !== -32_601) return;
      context.fail("V2-07", {
        // The kit does not call auth/logout, because it would end the user's login.
        sent: "auth/login with an unknown methodId",
        received: response,
        explanation: "An agent with authMethods has auth/login. An unknown methodId gets an error other than -32601.",
      });
    },
  }),
  agentScenario({
    id: "draft/mcp-transport",
    title: "An MCP server with an unknown transport gets -32602",
    verifies: ["V2-16"],
    async run(context) {
      const { peer } = await openDraftSession(context);
      const mcpServers = [{ type: "_conformance", name: "conformance" }];
      const response = await peer.request("session/new", { cwd: context.files.cwd, mcpServers });
      context.expect("V2-16", response, isError(-32_602), 'session/new with an MCP server of the type "_conformance"');
    },
  }),
  agentScenario({
    id: "draft/replay-cursor",
    title: "An unknown replay cursor gets -32602",
    verifies: ["V2-18"],
    async run(context) {
      const { peer, sessionId } = await openDraftSession(context);
      const params = { sessionId, cwd: context.files.cwd };
      const control = await peer.request("session/resume", params);
      if (control.error) context.inconclusive(`session/resume without a cursor fails: ${shown(control.error)}`);
      const response = await peer.request("session/resume", { ...params, replayFrom: { type: "_conformance" } });
      context.expect(
        "V2-18",
        response,
        isError(-32_602),
        'session/resume with replayFrom of the type "_conformance"; without replayFrom, the request succeeds',
      );
    },
  }),
  agentScenario({
    id: "draft/turn",
    title: "A prompt gets a messageId, and its work begins with running and ends with idle",
    verifies: ["V2-21", "V2-22", "V2-23", "V2-31", "V2-34"],
    needs: ["prompt: text"],
    async run(context) {
      const { peer, sessionId } = await openDraftSession(context);
      const prompt = [{ type: "text", text: context.text("text") }];
      const response = await peer.request(
        "session/prompt",
        { sessionId, prompt },
        { timeoutMs: context.options.turnMs },
      );
      if (response.error) context.inconclusive(`the prompt fails: ${shown(response.error)}`);
      const isIdle = ({ message }: Incoming): boolean => member(message, "params", "update", "state") === "idle";
      const isIdleInTime = await peer.next(isIdle, { timeoutMs: context.options.turnMs });
      if (!isIdleInTime) {
        // An agent that ends the cancelled work was only slow, which breaks no rule.
        peer.notify("session/cancel", { sessionId });
        if (await peer.next(isIdle))
          context.inconclusive(
            `too slow for these limits: no state_update idle within ${context.options.turnMs / 1000} s; --turn-timeout sets a longer limit`,
          );
      }
      const sent = "a prompt";
      const messageId = textOf(member(response.result, "messageId"));
      if (messageId === undefined) {
        context.note("V2-21", { sent, received: response });
      }
      const updates = updatesOf(peer);
      const inserted = updates.some(
        ({ update }) => /^user_message/.test(textOf(update.sessionUpdate) ?? "") && update.messageId === messageId,
      );
      if (messageId !== undefined && !inserted) {
        context.note("V2-22", {
          sent,
          received: `no user_message with the id ${messageId}`,
          where: peer.at(response.seq),
        });
      }
      for (const state of ["running", "idle"]) {
        if (stateIn(peer, state) !== undefined) continue;
        context.note("V2-23", {
          sent,
          received: `no state_update ${state} within ${context.options.turnMs / 1000} s${state === "idle" ? ", and none after session/cancel" : ""}`,
          explanation:
            "The agent sends a `state_update` with the state `running` before its work, and one with the state `idle` after it. The response to the prompt does not end the work.",
          where: peer.at(response.seq),
        });
      }
      for (const { update, seq } of updates) {
        const tag = textOf(update.sessionUpdate) ?? "";
        if (/_message_chunk$|_thought_chunk$/.test(tag) && textOf(update.messageId) === undefined) {
          context.fail("V2-31", { sent, received: shown(update), where: peer.at(seq) });
        }
        if (["tool_call", "plan", "current_mode_update"].includes(tag)) {
          context.fail("V2-34", {
            sent,
            received: shown(update),
            explanation: `The update ${tag} belongs to version 1: version 2 has tool_call_update, plan_update and config options.`,
            where: peer.at(seq),
          });
        }
      }
    },
  }),
];

/** Returns the paths of all booleans in capabilities. In version 2, a capability is an object. */
function markersIn(capabilities: unknown): readonly string[] {
  if (!isObject(capabilities)) return [];
  return Object.entries(capabilities).flatMap(([name, value]) =>
    typeof value === "boolean" ? [name] : name === "_meta" ? [] : markersIn(value).map((inner) => `${name}.${inner}`),
  );
}

async function batchAnd(peer: AgentPeer): Promise<boolean> {
  peer.send([{ jsonrpc: "2.0", id: "in-a-batch", method: "_conformance/batched", params: {} }]);
  return (await peer.fence()).error !== undefined;
}

interface Update {
  readonly update: Json;
  readonly seq: number;
}

function updatesOf(peer: AgentPeer): readonly Update[] {
  return peer.log.entries.flatMap((entry) => {
    if (!("message" in entry) || entry.from !== "agent") return [];
    const update = member(member(entry.message, "params"), "update");
    return member(entry.message, "method") === "session/update" && isObject(update) ? [{ update, seq: entry.seq }] : [];
  });
}

function stateIn(peer: AgentPeer, state: string): Update | undefined {
  return updatesOf(peer).find(({ update }) => update.sessionUpdate === "state_update" && update.state === state);
}
