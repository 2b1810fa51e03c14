import {
  agentNotifications as unstableNotifications,
  agentRequests as unstableRequests,
} from "@acp-kit/schema/unstable";
import { clientValidators } from "@acp-kit/schema/validate";
import { agentNotifications, agentRequests, type MethodInfo } from "@acp-kit/types";
import { agentNotifications as laterNotifications, agentRequests as laterRequests } from "@acp-kit/types/v2";
import { type ClientCheck, clientWatch, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { exchangeOf, schemaFault, schemaWatch } from "../../client/schema-watch.js";
import { survives } from "../../client/survives.js";
import type { Turn } from "../../client/turn.js";
import type { Judgement } from "../../client/watch-dialogue.js";
import { keyOf } from "../../client/wire-event.js";
import type { WireState } from "../../client/wire-state.js";
import { isAnyError, isRefusalWith } from "../../response-matchers.js";
import { asText, entryOf, isObject, type Json, shown } from "../../wire/values.js";

const ids: readonly unknown[] = [7, "7", "", 0, -1, "9007199254740993", "id with ü\u2028\u{1f9ea}"];

const methods: ReadonlySet<string> = new Set([agentRequests, agentNotifications].flatMap(Object.keys));

const unstableMethods: Readonly<Record<string, MethodInfo>> = { ...unstableRequests, ...unstableNotifications };

/** The methods of version 2 that version 1 does not have, neither stable nor unstable. */
const laterMethods: ReadonlySet<string> = new Set(
  [laterRequests, laterNotifications]
    .flatMap(Object.keys)
    .filter((method) => !methods.has(method) && !Object.hasOwn(unstableMethods, method)),
);

/** The checks of clients: json rpc. */
export const jsonRpcClientChecks: readonly ClientCheck[] = [
  turnScenario("messages/ids-echoed", ["RPC-04"], {
    title: "A response has the id of its request, in value and in type",
    run: async (context, turn) => {
      for (const id of ids) {
        if (await turn.agent.tryRequest("_acp-kit.test/echo", {}, id)) continue;
        context.fail("RPC-04", { sent: `A request with the id ${shown(id)}`, received: "No response with this id." });
      }
    },
  }),
  turnScenario("messages/ids-of-each-side", ["RPC-08"], {
    title: "A request of the agent may have the same id as an open request of the client",
    run: async (context, turn) => {
      const response = await turn.agent.tryRequest("_acp-kit.test/echo", {}, turn.call.id);
      if (!response)
        turn.agent.failNoResponse(`a request with the id ${shown(turn.call.id)}, which the open prompt has too`);
      await context.survived(turn, "RPC-08", "a request with the id of the open prompt");
    },
  }),
  turnScenario("messages/many-requests", ["RPC-09"], {
    title: "Each of many open requests gets a response",
    run: async (context, turn) => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => turn.agent.tryRequest("_acp-kit.test/one-of-many", {})),
      );
      const missing = responses.filter((response) => response === undefined).length;
      if (missing === 0) return;
      context.fail("RPC-09", { sent: "20 requests at once", received: `${missing} of them never got a response.` });
    },
  }),
  turnScenario("messages/unknown-method", ["RPC-15"], {
    title: "An unknown method is refused with -32601",
    run: (context, turn) => checkUnknown(context, turn, "no/such", {}),
  }),
  turnScenario("messages/method-of-the-other-side", ["RPC-15"], {
    title: "A method of agents is refused with -32601",
    run: (context, turn) => checkUnknown(context, turn, "session/new", { cwd: "/", mcpServers: [] }),
  }),
  survives("messages/unknown-notification", ["RPC-16", "EXT-06", "CANCEL-17", "RPC-05"], {
    title: "Unknown notifications are ignored and get no response",
    after: "unknown notifications",
    act: (turn) => {
      turn.agent.notify("no/such", {});
      turn.agent.notify("_acp-kit.test/unknown", { any: "thing" });
      turn.agent.notify("$/unknown", {});
    },
  }),
  survives("messages/malformed-notification", ["RPC-05"], {
    title: "A malformed notification gets no response",
    after: "malformed notifications",
    act: (turn) => {
      turn.agent.notify("session/update", {});
      turn.agent.notify("session/update", { sessionId: 5, update: "none" });
      turn.agent.wire.send({ method: "session/update" });
    },
  }),
  survives("messages/unknown-response", ["RPC-17"], {
    title: "A response without a request is dropped",
    after: "responses to requests that were never sent",
    act: (turn) => {
      turn.agent.wire.send({ id: "ghost", result: {} });
      turn.agent.wire.send({ id: 987_654, error: { code: -32603, message: "What?" } });
      turn.agent.wire.send({ id: null, error: { code: -32700, message: "Parse error" } });
    },
  }),
  survives("messages/not-json", ["RPC-13"], {
    title: "A line that is not JSON is ignored, or gets the error -32700; the connection stays open",
    after: "a line that is not JSON",
    act: (turn) => {
      turn.agent.wire.sendText("Loading the model…\n", "a banner, as some agents print");
      turn.agent.wire.sendText('{"jsonrpc":"2.0","id":1,\n', "half a message");
    },
  }),
  survives("messages/no-request-object", ["RPC-14"], {
    title: "JSON that is not a JSON-RPC message is ignored, or gets the error -32600; the connection stays open",
    after: "JSON that is not a JSON-RPC message",
    act: (turn) => {
      for (const line of [
        "42",
        '"text"',
        "{}",
        "null",
        '{"jsonrpc":"1.0","method":"session/update"}',
        '{"jsonrpc":"2.0","id":{},"method":"_x"}',
      ]) {
        turn.agent.wire.sendText(`${line}\n`, "JSON that is not a JSON-RPC message");
      }
    },
  }),
  survives("messages/batch", ["RPC-12"], {
    title: "A batch doesn't end the connection",
    after: "a batch",
    act: (turn) => {
      turn.agent.wire.sendText('[{"jsonrpc":"2.0","method":"_acp-kit.test/in-a-batch","params":{}}]\n', "a batch");
    },
  }),
  turnScenario("messages/positional-params", ["WIRE-04", "RPC-10"], {
    title: "Positional params are refused",
    run: async (context, turn) => {
      const params = [turn.sessionId, {}, []];
      const sent = "`session/request_permission` with positional params";
      const response = await turn.agent.request("session/request_permission", params, sent);
      context.expect("WIRE-04", response, isAnyError, {
        sent,
        explanation: "ACP has no positional params: the request gets the error -32602 or -32600.",
      });
    },
  }),
  clientWatch("lines/no-batch", ["RPC-12"], {
    title: "The client sends no batches",
    judge: (event) =>
      event.kind === "invalid message" && Array.isArray(event.value) ? { received: shown(event.value) } : "fine",
  }),
  clientWatch("envelope/json-rpc-2", ["RPC-02", "RPC-01"], {
    title: "Each message is either a JSON-RPC 2.0 request, a notification or a response",
    judge: (event) => {
      if (event.kind === "raw" || (event.kind === "invalid message" && Array.isArray(event.value))) return undefined;
      if (event.kind !== "invalid message") return "fine";
      const versioned = isObject(event.value) && event.value.jsonrpc === "2.0";
      return {
        requirement: versioned ? "RPC-02" : "RPC-01",
        received: shown(event.value),
        explanation: `Each message is a request, a notification or a response of JSON-RPC 2.0; this one is ${event.problem}.`,
      };
    },
  }),
  clientWatch("envelope/result-or-error", ["RPC-03"], {
    title: "A response has either a result or an error",
    judge: (event) => {
      if (event.kind !== "response") return undefined;
      const parts = ["result", "error"].filter((part) => part in event.message);
      if (parts.length === 1) return "fine";
      const explanation = `A response has a result or an error; this one has ${parts.length === 0 ? "neither" : "both"}.`;
      return { received: shown(event.message), explanation };
    },
  }),
  clientWatch("envelope/params-by-name", ["RPC-10"], {
    title: "`params` is an object",
    judge: (event) => {
      if (event.kind !== "request" && event.kind !== "notification") return undefined;
      const { params } = event.call;
      if (params === undefined || params === null || isObject(params)) return "fine";
      return { received: shown(event.message) };
    },
  }),
  clientWatch("envelope/id-type", ["RPC-06", "RPC-07"], {
    title: "Ids of requests are integers or strings",
    judge: (event): Judgement => {
      if (event.kind !== "request") return undefined;
      const { id } = event.call;
      if (typeof id === "string" || Number.isInteger(id)) return "fine";
      if (id === null) return { requirement: "RPC-07", received: shown(event.message) };
      return { requirement: "RPC-06", received: shown(event.message) };
    },
  }),
  clientWatch("envelope/id-unique", ["RPC-04"], {
    title: "Open requests of the client have different ids",
    judge: (event, state) => {
      if (event.kind !== "request") return undefined;
      const open = state.openFromClient.get(keyOf(event.call.id));
      if (!open) return "fine";
      return {
        received: shown(event.message),
        explanation: `The request \`${open.method}\` with this id is still open, so the two responses can't be distinguished.`,
        remedy: "Give each request an id that none of your open requests has, such as the next number.",
      };
    },
  }),
  clientWatch("envelope/answers-what-was-asked", ["RPC-04", "RPC-05"], {
    title: "The client responds exactly once to each request, and to nothing else",
    judge: (event, state): Judgement => {
      if (event.kind !== "response") return undefined;
      const { id } = event.message;
      if (state.openFromAgent.has(keyOf(id))) return "fine";
      // This may be the response to an invalid message, whose id is missing or invalid.
      if ("error" in event.message && typeof id !== "number" && typeof id !== "string") return undefined;
      if (state.closedFromAgent.has(keyOf(id))) {
        return {
          received: shown(event.message),
          explanation: "Each request gets exactly one response; this is a second one.",
          remedy: "Respond once: after a response, also one with an error, send no other with the same id.",
        };
      }
      const near = [...state.openFromAgent.values()].find((call) => asText(call.id) === asText(id));
      if (near) {
        return {
          sent: `A request with the id ${shown(near.id)}`,
          received: shown(event.message),
          explanation: "The id of a response has the same JSON type as the id of its request.",
        };
      }
      return {
        requirement: "RPC-05",
        received: shown(event.message),
        explanation: "A client responds only to requests. No request has this id; a notification gets no response.",
        remedy: "Copy the id of the request into the response, and respond to no notification.",
      };
    },
  }),
  clientWatch("envelope/method-names", ["RPC-20", "INIT-10"], {
    title: "The client calls methods of version 1, or names that begin with `_` or `$/`",
    judge: (event, state) => {
      if (event.kind !== "request" && event.kind !== "notification") return undefined;
      const { method } = event.call;
      if (method.startsWith("_") || method.startsWith("$/") || methods.has(method)) return "fine";
      if (isOfferedUnstable(method, state)) return "fine";
      const isLater = laterMethods.has(method);
      return {
        requirement: isLater ? "INIT-10" : "RPC-20",
        received: shown(event.message),
        explanation: isLater
          ? `Version 1 was agreed on, and \`${method}\` is a method of version 2.`
          : `Version 1 has no method \`${method}\` for agents.`,
      };
    },
  }),
  schemaWatch(
    "other-calls",
    ["RPC-18"],
    [
      "authenticate",
      "logout",
      "session/list",
      "session/delete",
      "session/close",
      "session/set_mode",
      "session/cancel",
      "$/cancel_request",
    ],
  ),
  clientWatch("schema/other-answers", ["RPC-18"], {
    title: "Results for the agent match the schema",
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (!exchange || exchange.request.method === "session/request_permission") return undefined;
      // The client did not advertise this method, so the scenario that sent the request checks the response.
      if (!state.opensMethod(exchange.request.method)) return undefined;
      return schemaFault(
        "RPC-18",
        `The result of \`${exchange.request.method}\``,
        clientValidators.results,
        exchange.request.method,
        exchange.result,
      );
    },
  }),
];

/** Checks that the client has no such method. */
async function checkUnknown(context: ClientScenarioContext, turn: Turn, method: string, params: Json): Promise<void> {
  const response = await turn.request(method, params);
  context.expect("RPC-15", response, isRefusalWith(-32601), `\`${method}\` with ${shown(params)}`);
}

/** Returns whether a method is in the unstable schema, and the agent advertised a capability that the method needs. */
function isOfferedUnstable(method: string, state: WireState): boolean {
  const info = entryOf(unstableMethods, method);
  if (info === undefined) return false;
  return info.capability?.some((path) => state.advertised(path.slice(path.indexOf(".") + 1))) ?? true;
}
