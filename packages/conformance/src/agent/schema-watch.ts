import { agentValidators as unstableValidators } from "@acp-kit/schema/unstable/validate";
import { agentValidators, formatIssue, type Issue } from "@acp-kit/schema/validate";
import { schemaRemedy } from "../requirements/schema-remedy.js";
import type { Watch } from "../scenario.js";
import type { Conversation, ConversationMessage } from "../wire/conversation.js";
import { asText, entryOf, member, shown } from "../wire/values.js";
import { agentWatch } from "./agent-scenario.js";

interface Fault {
  readonly seq: number;
  readonly requirement: string;
  readonly issue: Issue;
  readonly value: unknown;
}

/** The rule that a malformed update breaks, by the `sessionUpdate` of the update. */
const ofUpdates: Readonly<Record<string, string>> = {
  user_message_chunk: "CONT-01",
  agent_message_chunk: "CONT-01",
  agent_thought_chunk: "CONT-01",
  tool_call: "TOOL-02",
  tool_call_update: "TOOL-05",
  plan: "PLAN-02",
  available_commands_update: "CMD-02",
  current_mode_update: "MODE-06",
  config_option_update: "CFG-02",
  session_info_update: "INFO-02",
  usage_update: "USAGE-02",
  notice: "NOTICE-02",
  compaction_update: "COMPACT-03",
  compaction_summary_chunk: "COMPACT-02",
};

/** The rule that a malformed request or result breaks, by its method. */
const ofRequests: Readonly<Record<string, string>> = {
  "session/request_permission": "PERM-02",
  "fs/read_text_file": "FS-11",
  "fs/write_text_file": "FS-11",
  "terminal/create": "TERM-03",
  "terminal/output": "TERM-03",
  "terminal/wait_for_exit": "TERM-03",
  "terminal/kill": "TERM-03",
  "terminal/release": "TERM-03",
  "elicitation/complete": "ELICIT-33",
  "$/cancel_request": "CANCEL-21",
};

const ofResults: Readonly<Record<string, string>> = {
  initialize: "INIT-05",
  authenticate: "AUTH-06",
  logout: "AUTH-17",
  "session/new": "SESS-03",
  "session/load": "SESS-17",
  "session/resume": "SESS-25",
  "session/list": "LIST-06",
  "session/delete": "DEL-02",
  "session/close": "SESS-28",
  "session/set_mode": "MODE-03",
  "session/set_config_option": "CFG-15",
  "session/prompt": "PROMPT-08",
};

/** Methods whose result is `null` on the specification's pages but not in the schema. There it breaks no rule. */
const nullIsShown = new Set(["session/load"]);

const known = new WeakMap<Conversation, readonly Fault[]>();

export const update =
  (...tags: readonly string[]) =>
  ({ method, params }: ConversationMessage): boolean =>
    method === "session/update" && tags.includes(asText(member(params, "update", "sessionUpdate")));

export const request =
  (prefix: string) =>
  ({ kind, method }: ConversationMessage): boolean =>
    kind === "request" && method?.startsWith(prefix) === true;

export const result =
  (...methods: readonly string[]) =>
  ({ kind, other, message }: ConversationMessage): boolean =>
    kind === "response" && "result" in message && methods.includes(other?.method ?? "");

export const resultWith =
  (name: string) =>
  ({ message }: ConversationMessage): boolean =>
    member(message, "result", name) !== undefined;

function updateRule(params: unknown, { path }: Issue): string {
  const tag = asText(member(params, "update", "sessionUpdate"));
  const [, name, index, inner] = path;
  if (path.at(-1) === "size" && path.includes("content")) return "CONT-08";
  if (name === "content" && path.includes("resource")) return "CONT-03";
  if (path[0] !== "update") return "UPD-01";
  if (name === "messageId") return "MSG-01";
  if (tag.startsWith("tool_call")) {
    if (name === "content")
      return inner === "content" ? "CONT-01" : inner === "newText" || inner === "path" ? "TOOL-12" : "TOOL-11";
    if (name === "locations") return "TOOL-15";
    if (name === "status") return "TOOL-04";
    if (name === "kind") return "TOOL-03";
  }
  if (tag === "config_option_update" && inner === "options") return "CFG-03";
  if (tag === "usage_update" && name === "cost") return "USAGE-04";
  if (tag === "compaction_update" && name === "compactionId") return "COMPACT-02";
  return (
    entryOf(ofUpdates, tag) ??
    (index === undefined && member(params, "update", "sessionUpdate") === undefined ? "UPD-01" : "UPD-02")
  );
}

function elicitationRule(params: unknown, { path }: Issue): string {
  const mode = member(params, "mode");
  if (typeof mode !== "string") return "ELICIT-03";
  if (path[0] === "message") return "ELICIT-04";
  if (path[0] === "requestedSchema" && path.length > 1) return "ELICIT-09";
  if (path[0] === "sessionId" || path[0] === "requestId") return "ELICIT-05";
  return "ELICIT-06";
}

function resultRule(method: string, { path }: Issue): string {
  if (path[0] === "modes") return "MODE-01";
  if (path[0] === "configOptions")
    return path.includes("options")
      ? "CFG-03"
      : method === "session/set_config_option" && path.length === 1
        ? "CFG-15"
        : "CFG-02";
  if (method === "initialize" && path[0] === "authMethods") return "AUTH-01";
  if (method === "session/list" && path[0] === "nextCursor") return "LIST-09";
  if (method === "session/list" && path.length < 2) return "LIST-05";
  return entryOf(ofResults, method) ?? "RPC-18";
}

function faultsIn(conversation: Conversation): readonly Fault[] {
  let faults = known.get(conversation);
  if (!faults) {
    faults = conversation.spoken.flatMap((one) => faultOf(one) ?? []);
    known.set(conversation, faults);
  }
  return faults;
}

function faultOf({ from, kind, seq, method, params, message, other }: ConversationMessage): Fault | undefined {
  if (from !== "agent") return undefined;
  if ((kind === "request" || kind === "notification") && method !== undefined) {
    const [issue] = issuesOf("params", method, params ?? {});
    if (kind === "request" && method === "session/update") {
      return {
        seq,
        requirement: "UPD-01",
        issue: issue ?? { path: [], message: "a notification has no id" },
        value: message,
      };
    }
    if (!issue) return undefined;
    const requirement =
      method === "session/update"
        ? updateRule(params, issue)
        : method === "elicitation/create"
          ? elicitationRule(params, issue)
          : method === "session/request_permission" && issue.path.at(-1) === "kind" && issue.path[0] === "options"
            ? "PERM-03"
            : (entryOf(ofRequests, method) ?? "RPC-18");
    return { seq, requirement, issue, value: params };
  }
  if (kind !== "response" || !("result" in message) || other?.method === undefined) return undefined;
  if (message.result === null && nullIsShown.has(other.method)) return undefined;
  const [issue] = issuesOf("results", other.method, message.result);
  return issue && { seq, requirement: resultRule(other.method, issue), issue, value: message.result };
}

/** Returns the violations of the stable schema; none if the unstable schema allows the message. */
function issuesOf(what: "params" | "results", method: string, value: unknown): readonly Issue[] {
  const stable: Readonly<Record<string, (value: unknown) => readonly Issue[]>> = agentValidators[what];
  const unstable: Readonly<Record<string, (value: unknown) => readonly Issue[]>> = unstableValidators[what];
  const issues = entryOf(stable, method)?.(value) ?? [];
  if (issues.length === 0) return issues;
  return entryOf(unstable, method)?.(value).length === 0 ? [] : issues;
}

/** Creates a watch that validates the messages of one area. */
export function schemaWatch(
  name: string,
  verifies: readonly string[],
  title: string,
  isAbout: (one: ConversationMessage) => boolean,
): Watch {
  return agentWatch(`watch/schema/${name}`, verifies, {
    title,
    check(conversation, { countEntry, wrong }) {
      for (const one of conversation.spoken) if (one.from === "agent" && isAbout(one)) countEntry();
      for (const { seq, requirement, issue, value } of faultsIn(conversation)) {
        if (!verifies.includes(requirement)) continue;
        const text = `The value must match the schema of its method. The validator reports: ${formatIssue(issue)}.`;
        wrong(requirement, [seq], shown(value), text, { remedy: schemaRemedy(requirement, issue) });
      }
    },
  });
}
