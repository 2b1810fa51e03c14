import {
  clientNotifications as unstableNotifications,
  clientRequests as unstableRequests,
} from "@acp-kit/schema/unstable";
import { agentNotifications, agentRequests, clientNotifications, clientRequests } from "@acp-kit/types";
import type { AgentContext } from "../../agent/agent-context.js";
import type { AgentPeer } from "../../agent/agent-peer.js";
import {
  type AgentCheck,
  agentScenario,
  agentWatch,
  messageWatch,
  sessionScenario,
} from "../../agent/agent-scenario.js";
import { noSession } from "../../agent/obstacles.js";
import { isAnyError, isError } from "../../response-matchers.js";
import { unknownExtension } from "../../unknown-extension.js";
import { Failure } from "../../verdict.js";
import { idKey } from "../../wire/conversation.js";
import { isObject, member, objectsIn, shown } from "../../wire/values.js";

const isId = (id: unknown): boolean => id === null || typeof id === "string" || Number.isSafeInteger(id) || isBig(id);

const isBig = (id: unknown): boolean => typeof id === "number" && Number.isInteger(id) && Math.abs(id) <= 2 ** 63;

const toClients = new Set([
  ...[clientRequests, clientNotifications, unstableRequests, unstableNotifications].flatMap(Object.keys),
]);

const toAgents = new Set([agentRequests, agentNotifications].flatMap(Object.keys));

/** The checks of agents: json rpc. */
export const jsonRpcAgentChecks: readonly AgentCheck[] = [
  agentScenario("json-rpc/ids", ["RPC-04"], {
    title: "A response has the id of its request, in value and in type",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      for (const id of [7, "7", "", 0, -1, "9007199254740993", "line\nbreak \u2028 é 😀"]) {
        await peer.request("_conformance/ids", {}, { id });
      }
    },
  }),
  agentScenario("json-rpc/notifications", ["RPC-05", "RPC-16", "EXT-06", "CANCEL-17", "CANCEL-11"], {
    title: "Notifications never get a response, not even malformed ones",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      const since = peer.notify("session/cancel", { sessionId: "no-such-session" }).seq;
      peer.notify("session/cancel", { sessionId: 5 });
      peer.notify("_conformance.example/none", { a: 1 });
      peer.notify("$/conformance", {});
      peer.notify("$/cancel_request", { requestId: 987_654 });
      peer.notify("conformance/unknown");
      const responses = await responsesSince(peer, context.options.quietMs, since);
      if (responses.length === 0) return;
      context.fail("RPC-05", {
        sent: "six notifications: for a session that doesn't exist, with wrong params, and with unknown methods",
        received: `${responses.length} responses`,
        where: peer.at(since, ...responses),
      });
    },
  }),
  agentScenario("json-rpc/unknown-method", ["RPC-15", "RPC-04"], {
    title: "A request for an unknown method gets the error -32601",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      for (const method of ["no/such", "Session/New"]) {
        const response = await peer.request(method, {});
        context.expect("RPC-15", response, isError(-32601), {
          sent: `the request ${method}`,
          explanation: "An unknown method gets the error -32601 (method not found); names are case-sensitive.",
        });
      }
    },
  }),
  agentScenario("json-rpc/unknown-extension", ["EXT-05", "RPC-15"], {
    title: "An unknown extension request gets a response: the error -32601",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      const response = await peer.responseTo(peer.sendRequest(unknownExtension(), { x: 1 }), undefined, "EXT-05");
      // A "should" of ACP: an agent may have a handler for every extension.
      context.expect("RPC-15", response, isError(-32601), "a request for an extension method with a random name");
    },
  }),
  agentScenario("json-rpc/positional-params", ["RPC-10"], {
    title: "An agent refuses params that are an array",
    async run(context) {
      const { peer } = await context.ready();
      const response = await peer.request("session/new", [context.files.cwd, []]);
      context.expect("RPC-10", response, isAnyError, {
        sent: "session/new with an array as params",
        explanation: "Params are an object; an array gets the error -32602 or -32600.",
        remedy: "Respond to params that are an array with the error -32602.",
      });
    },
  }),
  agentScenario("json-rpc/stray-response", ["RPC-17"], {
    title: "A response that matches no request is dropped",
    async run(context) {
      const peer = await responding(context);
      const { seq } = peer.send({ jsonrpc: "2.0", id: "ghost", result: {} });
      peer.send({ jsonrpc: "2.0", id: 424_242, error: { code: -32603, message: "ghost" } });
      const responses = await responsesSince(peer, context.options.quietMs, seq);
      if (responses.length === 0) return;
      context.fail("RPC-17", {
        sent: "two responses to requests that the agent never sent",
        received: `${responses.length} messages with a result or an error`,
        where: peer.at(seq, ...responses),
      });
    },
  }),
  agentScenario("json-rpc/not-json", ["RPC-13", "ERR-08"], {
    title: "A line that isn't JSON gets the error -32700, and the connection stays open",
    async run(context) {
      const peer = await responding(context);
      const { seq } = peer.sendText('{"jsonrpc":\n', "not JSON");
      await checkConnection(context, peer, seq, "a line that is not JSON");
      const response = await peer.next(({ message }) => message.id === null, {
        since: seq,
        timeoutMs: context.options.quietMs,
      });
      if (member(response?.message, "error", "code") === -32700) return;
      context.fail("RPC-13", {
        sent: 'the line {"jsonrpc":',
        received: response ? shown(response.message) : "no response",
        where: peer.at(seq),
      });
    },
  }),
  agentScenario("json-rpc/not-a-request", ["RPC-14", "ERR-08"], {
    title: "JSON that isn't a request gets the error -32600, and the connection stays open",
    async run(context) {
      const peer = await responding(context);
      const { seq } = peer.send(42);
      peer.send({});
      await checkConnection(context, peer, seq, "the JSON values 42 and {}");
      const responses = peer.incoming.filter(
        (each) => each.seq > seq && member(each.message, "error", "code") === -32600,
      );
      if (responses.length > 0) return;
      context.fail("RPC-14", { sent: "the JSON values 42 and {}", received: "no error -32600", where: peer.at(seq) });
    },
  }),
  agentScenario("json-rpc/batch", ["RPC-12", "ERR-08"], {
    title: "An array of messages doesn't end the connection",
    async run(context) {
      const peer = await responding(context);
      const { seq } = peer.send([{ jsonrpc: "2.0", id: "batch", method: "_conformance/batch", params: {} }]);
      await checkConnection(context, peer, seq, "an array with one request");
    },
  }),
  agentScenario("json-rpc/errors-end-nothing", ["ERR-08"], {
    title: "An error doesn't end the connection",
    async run(context) {
      const { peer } = await context.ready();
      await peer.fence();
      const { seq } = await peer.request("session/prompt", {});
      await peer.request("session/new", { cwd: 5 });
      await peer.request("session/prompt", { sessionId: "no-such-session", prompt: [] });
      await checkConnection(context, peer, seq, "three requests that fail");
      const response = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
      if (!response.error || response.error.code === -32000) return;
      if (!context.facts.opensSessions) context.inconclusive(noSession(response.error));
      context.fail("ERR-08", { sent: "three requests that fail, and then a correct session/new", received: response });
    },
  }),
  sessionScenario("json-rpc/while-a-turn-runs", ["RPC-09"], {
    title: "Other requests get their responses while a turn is running",
    needs: ["prompt: long"],
    async run(context, session) {
      const turn = context.prompt(session, context.text("long"));
      await context.updateOf(session, turn, () => true);
      const other = await session.peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
      const ended = turn.prompt.response;
      session.peer.notify("session/cancel", { sessionId: session.id });
      if (ended && ended.seq < other.seq) {
        context.skip("the long turn ended before the response to the other request: --prompt long=…");
      }
      await context.endOf(session, turn);
    },
  }),
  agentWatch("watch/json-rpc-2.0", ["RPC-01", "RPC-12"], {
    title: "Every message is an object with jsonrpc 2.0",
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if (!("message" in entry) || entry.from !== "agent") continue;
        countEntry();
        const { message, seq } = entry;
        if (Array.isArray(message)) wrong("RPC-12", [seq], shown(message));
        else if (!isObject(message) || message.jsonrpc !== "2.0") {
          wrong("RPC-01", [seq], shown(message));
        }
      }
    },
  }),
  messageWatch("watch/kinds-of-messages", ["RPC-02", "RPC-03"], {
    title: "Every message is either a request, a notification or a response",
    check({ kind, seq, message }, wrong) {
      if (kind === "odd") {
        const text = "A message has a method (with or without an id), or an id with a result or an error.";
        const isResponse = !Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
        wrong(isResponse ? "RPC-03" : "RPC-02", [seq], shown(message), text);
      } else if (kind === "response" && Object.hasOwn(message, "result") && Object.hasOwn(message, "error")) {
        wrong("RPC-03", [seq], shown(message), "A response has a result or an error, never both.");
      }
    },
  }),
  messageWatch("watch/ids", ["RPC-06", "RPC-07"], {
    title: "Ids are strings or integers",
    isAbout: ({ kind }) => kind === "request" || kind === "response",
    check({ kind, seq, message }, wrong) {
      if (!isId(message.id)) wrong("RPC-06", [seq], `the id ${shown(message.id)}`);
      else if (kind === "request" && message.id === null) wrong("RPC-07", [seq], shown(message));
    },
  }),
  agentWatch("watch/answers", ["RPC-04"], {
    title: "The agent responds exactly once to each request, and to nothing else",
    check({ dialogue, spoken }, { countEntry, wrong }) {
      // The elements of an array count as requests, because the agent may respond to each of them.
      const requestKeys = new Set(
        dialogue.entries.flatMap((entry) =>
          "message" in entry && entry.from === "client" ? objectsIn(entry.message).map(({ id }) => idKey(id)) : [],
        ),
      );
      const responseSeqs = new Map<string, number>();
      for (const { from, kind, seq, message } of spoken) {
        const key = idKey(message.id);
        if (from === "client" && "id" in message) requestKeys.add(key);
        if (from !== "agent" || kind !== "response") continue;
        countEntry();
        if (message.id === null && "error" in message) continue; // the error for a message that could not be parsed
        const before = responseSeqs.get(key);
        if (before !== undefined) {
          const text = "A request gets exactly one response. This response is a second one, or matches no request.";
          const remedy = "Respond once: after a response, also one with an error, send no other with the same id.";
          wrong("RPC-04", [before, seq], shown(message), text, { remedy });
        } else if (!requestKeys.has(key)) {
          const remedy = "Copy the id of the request into the response: a string stays a string, a number a number.";
          wrong("RPC-04", [seq], shown(message), "No request has an id of this value and type.", { remedy });
        }
        responseSeqs.set(key, seq);
      }
    },
  }),
  messageWatch("watch/params", ["RPC-10"], {
    title: "Params are objects",
    isAbout: ({ method, message }) => method !== undefined && "params" in message,
    check({ method, params, seq }, wrong) {
      if (isObject(params) || params === null || method?.startsWith("_")) return;
      wrong("RPC-10", [seq], `${method} with the params ${shown(params)}`);
    },
  }),
  messageWatch("watch/method-names", ["RPC-20", "INIT-10"], {
    title: "The agent sends only methods of version 1, and extensions that begin with _",
    isAbout: ({ method }) => method !== undefined,
    check({ method = "", seq }, wrong) {
      if (toClients.has(method) || method.startsWith("_") || method.startsWith("$/")) return;
      const text = toAgents.has(method)
        ? "Only clients call this method."
        : "Names that do not begin with _ belong to the protocol, and version 1 has no such method.";
      wrong("RPC-20", [seq], `the method ${shown(method)}`, text);
    },
  }),
];

/**
 * Returns the `seq` of every response that arrives after `since` and until a short time after the response to a fence
 * request. The response to the fence is not included.
 */
async function responsesSince(peer: AgentPeer, quietMs: number, since: number): Promise<readonly number[]> {
  const fence = await peer.fence();
  await peer.quiet(quietMs);
  return peer.incoming
    .filter(({ seq, kind, message }) => seq > since && seq !== fence.seq && (kind === "response" || "error" in message))
    .map(({ seq }) => seq);
}

/** The control of scenarios about unusual lines: starts an agent that responds to an unknown method. */
async function responding(context: AgentContext): Promise<AgentPeer> {
  const { peer } = await context.initialize(await context.start());
  await peer.fence();
  return peer;
}

async function checkConnection(context: AgentContext, peer: AgentPeer, seq: number, sent: string): Promise<void> {
  try {
    await peer.fence();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.fail("ERR-08", {
      sent: `${sent}, then a request`,
      received: peer.exit ? "the end of the process" : "no response to the request",
      where: peer.at(seq),
    });
  }
}
