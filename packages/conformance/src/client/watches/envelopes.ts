import {
  agentNotifications as unstableNotifications,
  agentRequests as unstableRequests,
} from "@acp-kit/schema/unstable";
import { agentNotifications, agentRequests, type MethodInfo } from "@acp-kit/types";
import { agentNotifications as laterNotifications, agentRequests as laterRequests } from "@acp-kit/types/v2";
import { asText, entryOf } from "../../wire/values.js";
import { isObject, show } from "../json.js";
import type { Judgement, WireRule } from "../watch-dialogue.js";
import { keyOf, lineProblems } from "../wire-event.js";
import type { WireState } from "../wire-state.js";

/** Watches for lines: encoding, framing, and no output between messages. */
export const lineRules: readonly WireRule[] = [
  {
    id: "lines/utf-8",
    title: "The client writes UTF-8",
    verifies: ["TRANS-01"],
    judge: (event) =>
      event.kind === "raw" && event.problem === lineProblems.notUtf8 ? { received: show(event.text) } : "fine",
  },
  {
    id: "lines/messages-only",
    title: "Each line on the agent's stdin is one JSON value",
    verifies: ["TRANS-05", "TRANS-03"],
    judge: (event) =>
      event.kind === "raw" && event.problem === lineProblems.notJson
        ? {
            // Text that begins like JSON is part of a message; other text is not.
            requirement: /^\s*[{}[\]"]/.test(event.text) ? "TRANS-03" : "TRANS-05",
            received: `The line ${show(event.text)}`,
          }
        : "fine",
  },
  {
    id: "lines/newline-alone",
    title: "Lines end with a newline alone, and no line is empty",
    verifies: ["TRANS-16"],
    judge: (event) =>
      event.kind === "raw" && (event.problem === lineProblems.empty || event.problem === lineProblems.carriageReturn)
        ? { received: show(event.text), explanation: `Some agents fail on such a line: ${event.problem}.` }
        : "fine",
  },
  {
    id: "lines/no-batch",
    title: "The client sends no batches",
    verifies: ["RPC-12"],
    judge: (event) =>
      event.kind === "invalid message" && Array.isArray(event.value) ? { received: show(event.value) } : "fine",
  },
];

/** Watches for envelopes: the JSON-RPC rules for each message. */
export const envelopeRules: readonly WireRule[] = [
  {
    id: "envelope/json-rpc-2",
    title: "Each message is either a JSON-RPC 2.0 request, a notification or a response",
    verifies: ["RPC-02", "RPC-01"],
    judge: (event) => {
      if (event.kind === "raw" || (event.kind === "invalid message" && Array.isArray(event.value))) return undefined;
      if (event.kind !== "invalid message") return "fine";
      const versioned = isObject(event.value) && event.value.jsonrpc === "2.0";
      return {
        requirement: versioned ? "RPC-02" : "RPC-01",
        received: show(event.value),
        explanation: `Each message is a request, a notification or a response of JSON-RPC 2.0; this one is ${event.problem}.`,
      };
    },
  },
  {
    id: "envelope/result-or-error",
    title: "A response has either a result or an error",
    verifies: ["RPC-03"],
    judge: (event) => {
      if (event.kind !== "response") return undefined;
      const parts = ["result", "error"].filter((part) => part in event.message);
      if (parts.length === 1) return "fine";
      const explanation = `A response has a result or an error; this one has ${parts.length === 0 ? "neither" : "both"}.`;
      return { received: show(event.message), explanation };
    },
  },
  {
    id: "envelope/params-by-name",
    title: "`params` is an object",
    verifies: ["RPC-10"],
    judge: (event) => {
      if (event.kind !== "request" && event.kind !== "notification") return undefined;
      const { params } = event.call;
      if (params === undefined || params === null || isObject(params)) return "fine";
      return { received: show(event.message) };
    },
  },
  {
    id: "envelope/id-type",
    title: "Ids of requests are integers or strings",
    verifies: ["RPC-06", "RPC-07"],
    judge: (event): Judgement => {
      if (event.kind !== "request") return undefined;
      const { id } = event.call;
      if (typeof id === "string" || Number.isInteger(id)) return "fine";
      if (id === null) {
        return { requirement: "RPC-07", received: show(event.message) };
      }
      return { requirement: "RPC-06", received: show(event.message) };
    },
  },
  {
    id: "envelope/id-unique",
    title: "Open requests of the client have different ids",
    verifies: ["RPC-04"],
    judge: (event, state) => {
      if (event.kind !== "request") return undefined;
      const open = state.openFromClient.get(keyOf(event.call.id));
      if (!open) return "fine";
      return {
        received: show(event.message),
        explanation: `The request \`${open.method}\` with this id is still open, so the two responses can't be distinguished.`,
        remedy: "Give each request an id that none of your open requests has, such as the next number.",
      };
    },
  },
  {
    id: "envelope/answers-what-was-asked",
    title: "The client responds exactly once to each request, and to nothing else",
    verifies: ["RPC-04", "RPC-05"],
    judge: (event, state): Judgement => {
      if (event.kind !== "response") return undefined;
      const { id } = event.message;
      if (state.openFromAgent.has(keyOf(id))) return "fine";
      // This may be the response to an invalid message, whose id is missing or invalid.
      if ("error" in event.message && typeof id !== "number" && typeof id !== "string") return undefined;
      if (state.closedFromAgent.has(keyOf(id))) {
        return {
          received: show(event.message),
          explanation: "Each request gets exactly one response; this is a second one.",
          remedy: "Respond once: after a response, also one with an error, send no other with the same id.",
        };
      }
      const near = [...state.openFromAgent.values()].find((call) => asText(call.id) === asText(id));
      if (near) {
        return {
          sent: `A request with the id ${show(near.id)}`,
          received: show(event.message),
          explanation: "The id of a response has the same JSON type as the id of its request.",
        };
      }
      return {
        requirement: "RPC-05",
        received: show(event.message),
        explanation: "A client responds only to requests. No request has this id; a notification gets no response.",
        remedy: "Copy the id of the request into the response, and respond to no notification.",
      };
    },
  },
  {
    id: "envelope/error-object",
    title: "An error has a code and a message",
    verifies: ["ERR-01"],
    judge: (event) => {
      if (event.kind !== "response" || !("error" in event.message)) return undefined;
      const { error } = event.message;
      if (isObject(error) && Number.isInteger(error.code) && typeof error.message === "string") return "fine";
      return { received: show(event.message) };
    },
  },
  {
    id: "envelope/error-code",
    title: "Custom error codes are outside the reserved ranges",
    verifies: ["ERR-04"],
    judge: (event) => {
      if (event.kind !== "response" || !isObject(event.message.error)) return undefined;
      const { code } = event.message.error;
      if (typeof code !== "number") return undefined;
      const taken = (code >= -32768 && code <= -32000) || (code >= -32899 && code <= -32800);
      if (!taken || defined.has(code)) return "fine";
      return {
        received: show(event.message),
        explanation: `The code ${code} is in a reserved range, and the protocol does not define it.`,
      };
    },
  },
  {
    id: "envelope/method-names",
    title: "The client calls methods of version 1, or names that begin with `_` or `$/`",
    verifies: ["RPC-20", "INIT-10"],
    judge: (event, state) => {
      if (event.kind !== "request" && event.kind !== "notification") return undefined;
      const { method } = event.call;
      if (method.startsWith("_") || method.startsWith("$/") || methods.has(method)) return "fine";
      if (isOfferedUnstable(method, state)) return "fine";
      const isLater = laterMethods.has(method);
      return {
        requirement: isLater ? "INIT-10" : "RPC-20",
        received: show(event.message),
        explanation: isLater
          ? `Version 1 was agreed on, and \`${method}\` is a method of version 2.`
          : `Version 1 has no method \`${method}\` for agents.`,
      };
    },
  },
];

const defined: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);

const methods: ReadonlySet<string> = new Set([agentRequests, agentNotifications].flatMap(Object.keys));

const unstableMethods: Readonly<Record<string, MethodInfo>> = { ...unstableRequests, ...unstableNotifications };

/** Returns whether a method is in the unstable schema, and the agent advertised a capability that the method needs. */
function isOfferedUnstable(method: string, state: WireState): boolean {
  const info = entryOf(unstableMethods, method);
  if (info === undefined) return false;
  return info.capability?.some((path) => state.advertised(path.slice(path.indexOf(".") + 1))) ?? true;
}

/** The methods of version 2 that version 1 does not have, neither stable nor unstable. */
const laterMethods: ReadonlySet<string> = new Set(
  [laterRequests, laterNotifications]
    .flatMap(Object.keys)
    .filter((method) => !methods.has(method) && !Object.hasOwn(unstableMethods, method)),
);
