import { asText } from "../../wire/values.js";
import { at, isAbsolutePath, isObject, show } from "../json.js";
import type { WireRule } from "../watch-dialogue.js";
import type { Call, WireEvent } from "../wire-event.js";

const callOf = (event: WireEvent): Call | undefined =>
  event.kind === "request" || event.kind === "notification" ? event.call : undefined;

const namesSession: ReadonlySet<string> = new Set([
  "session/prompt",
  "session/cancel",
  "session/close",
  "session/set_mode",
  "session/set_config_option",
]);

/** Watches for the order of a conversation: initialize, a session, turns. */
export const lifecycleRules: readonly WireRule[] = [
  {
    id: "lifecycle/initialize-first",
    title: "No other request is sent before the response to `initialize`",
    verifies: ["INIT-01", "SESS-01"],
    judge: (event, state) => {
      const call = callOf(event);
      if (!call || call.method.startsWith("$/")) return undefined;
      if (call.method === "initialize" || state.initialized) return "fine";
      // After an error response to initialize, the rule does not apply to further requests.
      if (state.initializeSent && state.openFromClient.size === 0) return undefined;
      return {
        requirement: call.method.startsWith("session/") ? "SESS-01" : "INIT-01",
        sent: state.initializeSent
          ? "No response to `initialize` yet."
          : "No message; the client sent no `initialize`.",
        received: show(event.kind === "request" || event.kind === "notification" ? event.message : undefined),
      };
    },
  },
  {
    id: "lifecycle/initialize-once",
    title: "`initialize` is sent once per connection",
    verifies: ["INIT-21"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "initialize") return undefined;
      return state.initializeSent ? { received: show(call) } : "fine";
    },
  },
  {
    id: "lifecycle/protocol-version",
    title: "`initialize` names a protocol version",
    verifies: ["INIT-02", "INIT-11"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "initialize") return undefined;
      const version = at(call.params, "protocolVersion");
      const isVersion = typeof version === "number" && Number.isInteger(version) && version >= 0 && version <= 65535;
      if (isVersion && version > 0) return "fine";
      return {
        requirement: isVersion ? "INIT-02" : "INIT-11",
        received: show(call.params),
        explanation: "`protocolVersion` is an integer from 1 to 65535.",
      };
    },
  },
  {
    id: "lifecycle/client-info",
    title: "`initialize` states the client's name and version",
    verifies: ["INIT-04"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "initialize") return undefined;
      const info = at(call.params, "clientInfo");
      const named = [at(info, "name"), at(info, "version")].every((part) => typeof part === "string" && part !== "");
      return named ? "fine" : { received: show(call.params) };
    },
  },
  {
    id: "lifecycle/client-capabilities",
    title: "`initialize` states the client's capabilities",
    verifies: ["INIT-03"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "initialize") return undefined;
      if (isObject(at(call.params, "clientCapabilities"))) return "fine";
      return {
        received: show(call.params),
        explanation: "`initialize` has `clientCapabilities`: the agent uses no capability that is missing there.",
      };
    },
  },
  {
    id: "lifecycle/session-id-verbatim",
    title: "The client uses session ids unchanged",
    verifies: ["SESS-05", "PROMPT-01"],
    judge: (event, state) => {
      const call = callOf(event);
      if (!call || !namesSession.has(call.method)) return undefined;
      const sessionId = at(call.params, "sessionId");
      if (typeof sessionId !== "string" || state.sessions.has(sessionId)) return "fine";
      return {
        requirement: state.sessions.size === 0 && call.method === "session/prompt" ? "PROMPT-01" : "SESS-05",
        sent: `The session ids ${show([...state.sessions.keys()])}`,
        received: show(call),
      };
    },
  },
  {
    id: "lifecycle/one-turn-at-a-time",
    title: "The client prompts a session only after the previous turn has ended",
    verifies: ["PROMPT-14"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "session/prompt") return undefined;
      const open = state.openPrompt(at(call.params, "sessionId"));
      if (!open) return "fine";
      return {
        received: show(call),
        explanation: `The prompt with the id ${show(open.id)} is still open; agents differ in how they treat a second one.`,
      };
    },
  },
  {
    id: "lifecycle/cwd-absolute",
    title: "A session's `cwd` is an absolute path",
    verifies: ["SESS-07"],
    judge: (event) => {
      const call = callOf(event);
      if (!call || !/^session\/(new|load|resume)$/.test(call.method)) return undefined;
      if (isAbsolutePath(at(call.params, "cwd"))) return "fine";
      return { received: show(call) };
    },
  },
  {
    id: "lifecycle/cancel-is-a-notification",
    title: "`session/cancel` is a notification",
    verifies: ["CANCEL-02"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "session/cancel") return undefined;
      return event.kind === "notification" ? "fine" : { received: show(call) };
    },
  },
  {
    id: "lifecycle/cancel-own-request",
    title: "`$/cancel_request` names an open request of the client, with the same type of id",
    verifies: ["CANCEL-21"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "$/cancel_request") return undefined;
      const id = at(call.params, "requestId");
      const near = [...state.openFromClient.values()].find((open) => asText(open.id) === asText(id));
      if (!near || near.id === id) return "fine";
      return { received: show(call), explanation: `The open request has the id ${show(near.id)}.` };
    },
  },
];
