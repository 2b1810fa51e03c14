import type { AgentContext } from "../../agent/agent-context.js";
import type { RecordedResponse } from "../../agent/agent-messages.js";
import type { AgentPeer } from "../../agent/agent-peer.js";
import { type AgentCheck, agentScenario } from "../../agent/agent-scenario.js";
import { noSession } from "../../agent/obstacles.js";
import { result, schemaWatch } from "../../agent/schema-watch.js";
import { isSuccess, isSuccessOr } from "../../response-matchers.js";
import { isObject, type Json, member, shown, textOf } from "../../wire/values.js";

const isVersion = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;

/** The checks of agents: initialize. */
export const initializeAgentChecks: readonly AgentCheck[] = [
  agentScenario("initialize/agrees-on-version-1", ["INIT-05", "INIT-07", "INIT-11", "TRANS-02", "TRANS-08"], {
    title: "The agent responds to initialize with the requested version",
    async run(context) {
      const { peer, response } = await initializeWith(context, { protocolVersion: 1, clientCapabilities: {} });
      const version = member(response.result, "protocolVersion");
      const sent = "initialize with protocolVersion 1";
      const where = peer.at(response.seq);
      if (response.error) {
        context.fail("INIT-05", { sent, received: response, where });
      }
      if (!isVersion(version)) {
        if (version === undefined) {
          const explanation = "The agent responds with the chosen version: an integer, which is required.";
          context.fail("INIT-05", { sent, received: response, explanation, where });
        }
        const explanation = "The version is a JSON integer from 0 to 65535.";
        context.fail("INIT-11", { sent, received: `protocolVersion ${shown(version)}`, explanation, where });
      }
      if (version !== 1) {
        if (context.facts.version === version) {
          context.inconclusive(`the agent supports only version ${shown(version)}; the rules are those of version 1`);
        }
        context.fail("INIT-07", { sent, received: `protocolVersion ${shown(version)}`, where });
      }
      const capabilities = member(response.result, "agentCapabilities");
      if (capabilities === undefined || isObject(capabilities)) return;
      const received = `agentCapabilities ${shown(capabilities)}`;
      context.note("INIT-05", { sent, received, explanation: "Capabilities are an object.", where });
    },
  }),
  agentScenario("initialize/unsupported-version", ["INIT-08"], {
    title:
      "An agent that doesn't support the requested version responds with the newest that it supports, not with an error",
    async run(context) {
      if (!context.facts.initializes) context.inconclusive("initialize fails with version 1, too");
      // An agent that supports version 2 may decode this message as one of version 2. So the params also have the
      // members of version 2 (`capabilities`, `info`).
      const info = { name: "acp-kit-conformance", version: "1.0.0" };
      const params = { protocolVersion: 65_535, clientCapabilities: {}, clientInfo: info, capabilities: {}, info };
      const { peer, response } = await initializeWith(context, params);
      const version = member(response.result, "protocolVersion");
      if (!response.error && isVersion(version) && version !== 65_535) return;
      context.fail("INIT-08", {
        sent: "initialize with protocolVersion 65535",
        received: response.error ? `the error ${shown(response.error)}` : `protocolVersion ${shown(version)}`,
        where: peer.at(response.seq),
      });
    },
  }),
  agentScenario("initialize/names-itself", ["INIT-06"], {
    title: "The agent states its name and version",
    async run(context) {
      const { peer, response } = await initializeWith(context, { protocolVersion: 1, clientCapabilities: {} });
      const info = member(response.result, "agentInfo");
      if (textOf(member(info, "name")) && textOf(member(info, "version"))) return;
      const where = peer.at(response.seq);
      context.fail("INIT-06", { sent: "initialize", received: `agentInfo ${shown(info)}`, where });
    },
  }),
  agentScenario("initialize/client-that-offers-nothing", ["INIT-18", "INIT-15", "INIT-12", "PROMPT-06"], {
    title: "An agent works with a client that advertises no capability at all",
    needs: ["prompt: text"],
    async run(context) {
      if (!context.facts.initializes) context.inconclusive("initialize fails with capabilities, too");
      const peer = await context.start();
      const response = await peer.request("initialize", { protocolVersion: 1 });
      if (response.error) {
        context.fail("INIT-15", { sent: "initialize without clientCapabilities and clientInfo", received: response });
      }
      await context.logIn(peer);
      const session = await context.newSession(peer);
      const since = peer.log.entries.length;
      const { turn, response: ending } = await context.plainTurn(session);
      const stopReason = context.stopReason(session, turn, ending);
      if (context.updates(session, since).length > 0) return;
      if (stopReason !== "end_turn")
        context.skip(`the turn ended with ${stopReason} and without an update: --prompt text=…`);
      context.fail("PROMPT-06", {
        sent: `the prompt ${shown(context.text("text"))}`,
        received: "a response without any session/update before it",
        explanation: "The agent streams its output with session/update, which needs no capability of the client.",
      });
    },
  }),
  agentScenario("initialize/unknown-members", ["INIT-23", "RPC-19", "EXT-01"], {
    title: "Members that the agent doesn't know are ignored, and _meta is allowed everywhere",
    async run(context) {
      const clientInfo = { name: "acp-kit-conformance", version: "1.0.0" };
      const control = await initializeWith(context, { protocolVersion: 1, clientInfo, clientCapabilities: {} });
      if (control.response.error) context.inconclusive("initialize fails without the unknown members, too");
      const { response } = await initializeWith(context, {
        protocolVersion: 1,
        zzz: 1,
        clientInfo: { ...clientInfo, zzz: [1] },
        clientCapabilities: {
          future: {},
          fs: { future: true },
          session: { future: {} },
          _meta: { "example.com/x": 1 },
        },
        _meta: { "example.com/x": { y: null } },
      });
      context.expect("INIT-23", response, isSuccess, {
        sent: "initialize with unknown members beside the known ones, and with _meta",
        explanation:
          "Objects are open: an unknown member doesn't make a message invalid; the receiver ignores the member.",
      });
    },
  }),
  agentScenario("initialize/malformed-optional-members", ["INIT-22", "WIRE-01", "EXT-09"], {
    title: "Malformed optional members count as absent",
    async run(context) {
      const control = await initializeWith(context, { protocolVersion: 1 });
      if (control.response.error) context.inconclusive("initialize fails without the malformed members, too");
      const { response } = await initializeWith(context, {
        protocolVersion: 1,
        clientInfo: 5,
        clientCapabilities: { terminal: "yes", fs: 7 },
        _meta: 5,
      });
      context.expect("WIRE-01", response, isSuccess, 'initialize with clientInfo 5, terminal "yes", fs 7 and _meta 5');
    },
  }),
  agentScenario("initialize/twice", ["INIT-21"], {
    title: "A second initialize gets a response, a result or an error",
    async run(context) {
      const { peer } = await context.ready();
      await peer.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      const after = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
      if (after.error && !context.facts.opensSessions) context.inconclusive(noSession(after.error));
      context.expect("INIT-21", after, isSuccessOr(-32000), {
        sent: "initialize for a second time, then session/new",
        explanation:
          "The specification leaves the effect of a second initialize open, but the connection has to stay usable.",
      });
    },
  }),
  agentScenario("initialize/before-anything-else", ["INIT-20"], {
    title: "A request before initialize is refused",
    async run(context) {
      const peer = await context.start();
      const request = peer.sendRequest("session/new", { cwd: context.files.cwd, mcpServers: [] });
      const early = await peer.next(({ kind, message }) => kind === "response" && message.id === request.id);
      // An agent may delay its response until it is initialized. It breaks RPC-04 only if it never responds.
      if (!early && !peer.exit) await context.initialize(peer);
      const response = await peer.responseTo(request);
      if (response.error?.code === -32600) return;
      if (response.error && !context.facts.opensSessions) context.inconclusive(noSession(response.error));
      const outcome = response.error ? `the error ${shown(response.error)}` : "a result";
      context.fail("INIT-20", {
        sent: "session/new as the first message of the connection",
        received: early ? outcome : `${outcome}, after initialize`,
        where: peer.at(response.seq),
      });
    },
  }),
  schemaWatch("initialize", ["INIT-05", "AUTH-01"], "Results of initialize match the schema", result("initialize")),
];

/** Starts the agent and sends `initialize` with the given params instead of the usual ones. */
async function initializeWith(
  context: AgentContext,
  params: Json,
): Promise<{ peer: AgentPeer; response: RecordedResponse }> {
  const peer = await context.start();
  return { peer, response: await peer.request("initialize", params) };
}
