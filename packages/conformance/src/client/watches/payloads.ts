import { clientValidators, formatIssue } from "@acp-kit/schema/validate";
import { knownMembers } from "../../gen/v1/members.gen.js";
import { schemaRemedy } from "../../requirements/schema-remedy.js";
import { asText, entryOf } from "../../wire/values.js";
import { at, isAbsolutePath, isObject, show } from "../json.js";
import type { Judgement, WireRule } from "../watch-dialogue.js";
import { type Call, keyOf, type WireEvent } from "../wire-event.js";
import type { WireState } from "../wire-state.js";

const callOf = (event: WireEvent): Call | undefined =>
  event.kind === "request" || event.kind === "notification" ? event.call : undefined;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a request of the agent and its result, for an event that is the client's response to it. */
function exchangeOf(event: WireEvent, state: WireState): { request: Call; result: unknown } | undefined {
  if (event.kind !== "response" || !("result" in event.message)) return undefined;
  const request = state.openFromAgent.get(keyOf(event.message.id));
  return request && { request, result: event.message.result };
}

type Validators = Readonly<Record<string, ((value: unknown) => readonly Issue[]) | undefined>>;

type Issue = Parameters<typeof formatIssue>[0];

/** Returns the rule that an issue at this path breaks, if it is not the first rule of the watch. */
type RuleAt = (path: Issue["path"], value: unknown) => string | undefined;

function schemaFault(
  rule: string,
  what: string,
  validators: Validators,
  method: string,
  value: unknown,
  ruleAt: RuleAt = () => undefined,
): Judgement {
  const validate = entryOf(validators, method);
  if (!validate) return undefined;
  const [issue] = validate(value);
  if (!issue) return "fine";
  const requirement = ruleAt(issue.path, value) ?? rule;
  return {
    requirement,
    received: `${what} ${show(value)}`,
    explanation: `The value must match the schema of its method. The validator reports: ${formatIssue(issue)}.`,
    remedy: schemaRemedy(requirement, issue),
  };
}

/** Returns the rule about an entry of `mcpServers`, which depends on the type of the entry. */
const ofServers: RuleAt = ([name, index], value) =>
  name === "mcpServers" && index !== undefined
    ? at(list(at(value, name))[Number(index)], "type") === undefined
      ? "MCP-06"
      : "MCP-07"
    : undefined;

const ofBlocks: RuleAt = ([name, index]) => (name === "prompt" && index !== undefined ? "CONT-01" : undefined);

const ofVersion: RuleAt = ([name]) => (name === "protocolVersion" ? "INIT-11" : undefined);

/** Watches that validate the messages of clients against the schema. */
export const schemaRules: readonly WireRule[] = [
  schemaRule("initialize", ["RPC-18", "INIT-11"], ["initialize"], ofVersion),
  schemaRule("new-session", ["SESS-02", "RPC-18", "MCP-06", "MCP-07"], ["session/new"], ofServers),
  schemaRule("load-session", ["SESS-13", "RPC-18", "MCP-06", "MCP-07"], ["session/load"], ofServers),
  schemaRule("resume-session", ["SESS-22", "RPC-18", "MCP-06", "MCP-07"], ["session/resume"], ofServers),
  schemaRule("prompt", ["PROMPT-02", "CONT-01", "RPC-18"], ["session/prompt"], ofBlocks),
  schemaRule("set-config-option", ["CFG-14", "RPC-18"], ["session/set_config_option"]),
  schemaRule(
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
  {
    id: "schema/permission-answer",
    title: "The result of a permission request matches the schema",
    verifies: ["PERM-04"],
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "session/request_permission") return undefined;
      return schemaFault("PERM-04", "The result", clientValidators.results, exchange.request.method, exchange.result);
    },
  },
  {
    id: "schema/other-answers",
    title: "Results for the agent match the schema",
    verifies: ["RPC-18"],
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
  },
];

function schemaRule(name: string, verifies: readonly string[], methods: readonly string[], ruleAt?: RuleAt): WireRule {
  return {
    id: `schema/${name}`,
    title: `The params of ${methods.map((method) => `\`${method}\``).join(", ")} match the schema`,
    verifies,
    judge: (event) => {
      const call = callOf(event);
      if (!call || !methods.includes(call.method)) return undefined;
      return schemaFault(
        verifies[0] ?? "",
        "The params",
        clientValidators.params,
        call.method,
        call.params ?? {},
        ruleAt,
      );
    },
  };
}

/** Watches that check the values in the client's messages against rules that the schema can't express. */
export const payloadRules: readonly WireRule[] = [
  {
    id: "payload/no-custom-members",
    title: "The client adds custom members only in `_meta`",
    verifies: ["EXT-03"],
    judge: (event, state) => {
      const call = callOf(event);
      const exchange = exchangeOf(event, state);
      const value = call ? call.params : exchange?.result;
      const known = call
        ? entryOf(knownMembers.params, call.method)
        : exchange && entryOf(knownMembers.results, exchange.request.method);
      if (!known || !isObject(value)) return undefined;
      const custom = Object.keys(value).filter((key) => key !== "_meta" && !known.includes(key));
      if (custom.length === 0) return "fine";
      return {
        received: show(value),
        explanation: `The schema does not declare ${custom.map((key) => `\`${key}\``).join(", ")} here.`,
      };
    },
  },
  {
    id: "payload/trace-context",
    title: "The keys `traceparent`, `tracestate` and `baggage` of `_meta` have the meaning of W3C Trace Context",
    verifies: ["EXT-02"],
    judge: (event) => {
      const meta = at(callOf(event)?.params, "_meta");
      if (!isObject(meta)) return undefined;
      const taken = ["traceparent", "tracestate", "baggage"].filter(
        (key) => Object.hasOwn(meta, key) && typeof meta[key] !== "string",
      );
      return taken.length === 0
        ? "fine"
        : {
            received: show(meta),
            explanation: `W3C Trace Context defines these keys of \`_meta\` as strings: ${taken.join(", ")}.`,
          };
    },
  },
  {
    id: "payload/base64",
    title: "Data and blobs in a prompt are base64",
    verifies: ["CONT-02"],
    judge: (event) => {
      const call = callOf(event);
      if (call?.method !== "session/prompt") return undefined;
      const texts = list(at(call.params, "prompt"))
        .flatMap((block) => [at(block, "data"), at(block, "resource", "blob")])
        .filter((text) => typeof text === "string");
      if (texts.length === 0) return undefined;
      const wrong = texts.find((text) => !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0);
      return wrong === undefined ? "fine" : { received: show(wrong) };
    },
  },
  {
    id: "payload/directories",
    title: "Additional directories are absolute paths",
    verifies: ["DIR-02"],
    judge: (event) => {
      const directories = at(callOf(event)?.params, "additionalDirectories");
      if (directories === undefined) return undefined;
      if (Array.isArray(directories) && directories.every(isAbsolutePath)) return "fine";
      return { received: show(directories) };
    },
  },
  {
    id: "payload/directories-distinct",
    title: "Additional directories are distinct, and `cwd` is not among them",
    verifies: ["DIR-14"],
    judge: (event) => {
      const call = callOf(event);
      const directories = at(call?.params, "additionalDirectories");
      if (!Array.isArray(directories)) return undefined;
      const all = [at(call?.params, "cwd"), ...directories];
      return new Set(all).size === all.length ? "fine" : { received: show(call) };
    },
  },
  {
    id: "payload/mcp-command",
    title: "The command of an MCP server is an absolute path",
    verifies: ["MCP-06"],
    judge: (event) => {
      const servers = list(at(callOf(event)?.params, "mcpServers")).filter(
        (server) => at(server, "type") === undefined,
      );
      if (servers.length === 0) return undefined;
      const wrong = servers.find((server) => !isAbsolutePath(at(server, "command")));
      return wrong === undefined
        ? "fine"
        : { received: show(wrong), explanation: "The `command` of an MCP server is an absolute path." };
    },
  },
  {
    id: "payload/list-cwd",
    title: "The filter of `session/list` is an absolute path",
    verifies: ["LIST-03"],
    judge: (event) => {
      const call = callOf(event);
      const cwd = at(call?.params, "cwd");
      if (call?.method !== "session/list" || cwd === undefined || cwd === null) return undefined;
      return isAbsolutePath(cwd) ? "fine" : { received: show(call) };
    },
  },
  {
    id: "payload/list-cursor",
    title: "The client sends cursors back unchanged",
    verifies: ["LIST-08", "LIST-09"],
    judge: (event, state) => {
      const call = callOf(event);
      const cursor = at(call?.params, "cursor");
      if (call?.method !== "session/list" || cursor === undefined || cursor === null) return undefined;
      if (typeof cursor === "string" && state.cursors.has(cursor)) return "fine";
      return { sent: `The cursors ${show([...state.cursors])}`, received: show(call) };
    },
  },
  {
    id: "payload/login-method",
    title: "`authenticate` names a method that the agent has listed",
    verifies: ["AUTH-04"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "authenticate") return undefined;
      const methods = state.loginMethods();
      if (methods.has(at(call.params, "methodId"))) return "fine";
      return { sent: `The login methods ${show([...methods.keys()])}`, received: show(call) };
    },
  },
  {
    id: "payload/terminal-login",
    title: "A login method of type `terminal` is not passed to `authenticate`",
    verifies: ["AUTH-05"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "authenticate") return undefined;
      const type = state.loginMethods().get(at(call.params, "methodId"));
      return type === "terminal" ? { received: show(call) } : "fine";
    },
  },
  {
    id: "payload/mode",
    title: "`session/set_mode` names a mode of the session",
    verifies: ["MODE-02"],
    judge: (event, state) => {
      const call = callOf(event);
      const modes = state.sessions.get(asText(at(call?.params, "sessionId")))?.modes;
      if (call?.method !== "session/set_mode" || !modes) return undefined;
      if (modes.includes(asText(at(call.params, "modeId")))) return "fine";
      return { sent: `The modes ${show(modes)}`, received: show(call) };
    },
  },
  {
    id: "payload/config-value",
    title: "`session/set_config_option` names a value that the option lists",
    verifies: ["CFG-13"],
    judge: (event, state) => {
      const call = callOf(event);
      const options = state.sessions.get(asText(at(call?.params, "sessionId")))?.configOptions;
      if (call?.method !== "session/set_config_option" || !options) return undefined;
      const option = options.find((each) => at(each, "id") === at(call.params, "configId"));
      const values = list(at(option, "options")).flatMap((each) => [each, ...list(at(each, "options"))]);
      const value = at(call.params, "value");
      if (option && (at(option, "type") !== "select" || values.some((each) => at(each, "value") === value)))
        return "fine";
      return {
        sent: show(option ?? options),
        received: show(call),
        explanation: option
          ? "A client sets only a value that the option lists."
          : "A client sets only an option that the session offers.",
      };
    },
  },
  {
    id: "payload/config-over-modes",
    title: "A client that uses config options does not set modes",
    verifies: ["CFG-22"],
    judge: (event, state) => {
      const call = callOf(event);
      const session = state.sessions.get(asText(at(call?.params, "sessionId")));
      if (!call || !session?.modes || !session.configOptions) return undefined;
      if (call.method !== "session/set_mode") return call.method === "session/set_config_option" ? "fine" : undefined;
      return { sent: "A session with modes and config options", received: show(call) };
    },
  },
  {
    id: "payload/permission-option",
    title: "The selected permission option was offered",
    verifies: ["PERM-04"],
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "session/request_permission") return undefined;
      if (at(exchange.result, "outcome", "outcome") !== "selected") return "fine";
      const offered = list(at(exchange.request.params, "options")).map((option) => at(option, "optionId"));
      if (offered.length === 0) return undefined; // the schema allows it, and its effect is open (PERM-11)
      const chosen = at(exchange.result, "outcome", "optionId");
      if (offered.includes(chosen)) return "fine";
      return {
        sent: `The options ${show(offered)}`,
        received: show(exchange.result),
        explanation: `${show(chosen)} is not among the offered options.`,
        remedy: "Respond with the optionId of one of the options in the request, unchanged.",
      };
    },
  },
  {
    id: "payload/elicitation-action",
    title: "An elicitation is accepted, declined or cancelled",
    verifies: ["ELICIT-18"],
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "elicitation/create") return undefined;
      const action = at(exchange.result, "action");
      const known = action === "accept" || action === "decline" || action === "cancel";
      return known ? "fine" : { received: show(exchange.result) };
    },
  },
];
