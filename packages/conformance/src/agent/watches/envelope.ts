import {
  clientNotifications as unstableNotifications,
  clientRequests as unstableRequests,
} from "@acp-kit/schema/unstable";
import { agentNotifications, agentRequests, clientNotifications, clientRequests } from "@acp-kit/types";
import type { Watch } from "../../scenario.js";
import { idKey } from "../../wire/conversation.js";
import { isObject, member, objectsIn, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

const isId = (id: unknown): boolean => id === null || typeof id === "string" || Number.isSafeInteger(id) || isBig(id);
const isBig = (id: unknown): boolean => typeof id === "number" && Number.isInteger(id) && Math.abs(id) <= 2 ** 63;

const toClients = new Set([
  ...[clientRequests, clientNotifications, unstableRequests, unstableNotifications].flatMap(Object.keys),
]);
const toAgents = new Set([agentRequests, agentNotifications].flatMap(Object.keys));

/** Checks of every recorded dialogue: lines and the envelope of JSON-RPC 2.0. */
export const envelopeWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/only-messages-on-stdout",
    title: "The agent writes only messages to standard output",
    verifies: ["TRANS-04"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent" || entry.because !== "not JSON") continue;
        if (/^\s*[{}[\]"]/.test(entry.raw)) continue; // part of a message, which the next watch reports
        wrong("TRANS-04", [entry.seq], shown(entry.raw));
      }
    },
  }),
  agentWatch({
    id: "watch/one-line-per-message",
    title: "Each line is one complete message",
    verifies: ["TRANS-03", "TRANS-16"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent") continue;
        if (entry.because === "a blank line")
          wrong("TRANS-16", [entry.seq], "a blank line", "A blank line is not a JSON-RPC message.");
        if (entry.because !== "not JSON" || !/^\s*[{}[\]"]/.test(entry.raw)) continue;
        wrong("TRANS-03", [entry.seq], shown(entry.raw));
      }
    },
  }),
  agentWatch({
    id: "watch/utf-8",
    title: "The agent writes UTF-8",
    verifies: ["TRANS-01"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent" || entry.because !== "not UTF-8") continue;
        wrong("TRANS-01", [entry.seq], shown(entry.raw));
      }
    },
  }),
  agentWatch({
    id: "watch/json-rpc-2.0",
    title: "Every message is an object with jsonrpc 2.0",
    verifies: ["RPC-01", "RPC-12"],
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
  agentWatch({
    id: "watch/kinds-of-messages",
    title: "Every message is either a request, a notification or a response",
    verifies: ["RPC-02", "RPC-03"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, kind, seq, message } of spoken) {
        if (from !== "agent") continue;
        countEntry();
        if (kind === "odd") {
          const text = "A message has a method (with or without an id), or an id with a result or an error.";
          const isResponse = !Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
          wrong(isResponse ? "RPC-03" : "RPC-02", [seq], shown(message), text);
        } else if (kind === "response" && Object.hasOwn(message, "result") && Object.hasOwn(message, "error")) {
          wrong("RPC-03", [seq], shown(message), "A response has a result or an error, never both.");
        }
      }
    },
  }),
  agentWatch({
    id: "watch/ids",
    title: "Ids are strings or integers",
    verifies: ["RPC-06", "RPC-07"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, kind, seq, message } of spoken) {
        if (from !== "agent" || (kind !== "request" && kind !== "response")) continue;
        countEntry();
        if (!isId(message.id)) wrong("RPC-06", [seq], `the id ${shown(message.id)}`);
        else if (kind === "request" && message.id === null) {
          wrong("RPC-07", [seq], shown(message));
        }
      }
    },
  }),
  agentWatch({
    id: "watch/answers",
    title: "The agent responds exactly once to each request, and to nothing else",
    verifies: ["RPC-04"],
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
        if (before !== undefined)
          wrong(
            "RPC-04",
            [before, seq],
            shown(message),
            "A request gets exactly one response. This response is a second one, or matches no request.",
            { remedy: "Respond once: after a response, also one with an error, send no other with the same id." },
          );
        else if (!requestKeys.has(key)) {
          wrong("RPC-04", [seq], shown(message), "No request has an id of this value and type.", {
            remedy: "Copy the id of the request into the response: a string stays a string, a number a number.",
          });
        }
        responseSeqs.set(key, seq);
      }
    },
  }),
  agentWatch({
    id: "watch/params",
    title: "Params are objects",
    verifies: ["RPC-10"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, method, params, seq, message } of spoken) {
        if (from !== "agent" || method === undefined || !("params" in message)) continue;
        countEntry();
        if (isObject(params) || params === null || method.startsWith("_")) continue;
        wrong("RPC-10", [seq], `${method} with the params ${shown(params)}`);
      }
    },
  }),
  agentWatch({
    id: "watch/method-names",
    title: "The agent sends only methods of version 1, and extensions that begin with _",
    verifies: ["RPC-20", "INIT-10"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, method, seq } of spoken) {
        if (from !== "agent" || method === undefined) continue;
        countEntry();
        if (toClients.has(method) || method.startsWith("_") || method.startsWith("$/")) continue;
        const text = toAgents.has(method)
          ? "Only clients call this method."
          : "Names that do not begin with _ belong to the protocol, and version 1 has no such method.";
        wrong("RPC-20", [seq], `the method ${shown(method)}`, text);
      }
    },
  }),
  agentWatch({
    id: "watch/errors",
    title: "An error has an integer code and a message",
    verifies: ["ERR-01", "ERR-04", "ERR-02"],
    check({ spoken }, { countEntry, wrong }) {
      const defined = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);
      for (const { from, kind, seq, message } of spoken) {
        if (from !== "agent" || kind !== "response" || !("error" in message)) continue;
        countEntry();
        const { code } = isObject(message.error) ? message.error : {};
        if (!Number.isInteger(code) || typeof member(message.error, "message") !== "string") {
          wrong("ERR-01", [seq], shown(message.error));
        } else if (isReserved(Number(code)) && !defined.has(Number(code))) {
          wrong("ERR-04", [seq], shown(message.error));
        }
      }
    },
  }),
];

function isReserved(code: number): boolean {
  return (code >= -32_768 && code <= -32_000) || (code >= -32_899 && code <= -32_800);
}
