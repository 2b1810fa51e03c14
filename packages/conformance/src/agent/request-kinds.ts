import { agentRequests } from "@acp-kit/types";
import { NO_WORK, START } from "../pace.js";
import { asText, member, objectsIn, textOf } from "../wire/values.js";

/** The member of the params on which the duration of a request depends: options may differ. */
const subjects: Readonly<Record<string, string>> = {
  authenticate: "methodId",
  "session/set_mode": "modeId",
  "session/set_config_option": "configId",
};

/**
 * Returns the kind of a request to the agent; requests of one kind have comparable response times. The kind is the
 * method and, for a prompt, its text. Requests with an unknown method are one kind, because an agent refuses them
 * without work.
 *
 * @param folder the directory of the session, whose name differs from run to run.
 */
export function kindOfRequest(method: string, params: unknown, folder: string): string {
  if (method === "initialize") return START;
  if (!Object.hasOwn(agentRequests, method)) return NO_WORK;
  if (method === "session/prompt") return `turn: ${promptText(params).replaceAll(folder, "")}`;
  const servers = objectsIn(member(params, "mcpServers")).length;
  const subject = textOf(member(params, subjects[method] ?? ""));
  return [method, ...(subject === undefined ? [] : [subject]), ...(servers > 0 ? ["with MCP servers"] : [])].join(" ");
}

function promptText(params: unknown): string {
  const blocks = objectsIn(member(params, "prompt"));
  return blocks.map(({ type, text }) => (type === "text" ? text : type)).join("\n");
}

/**
 * Returns whether a message stops a request. `session/cancel` and `session/close` stop the turns of their session; a
 * response that cancels a permission request or an elicitation stops the turn that waits for it.
 */
export function isStopOf(message: unknown, request: { readonly method: string; readonly params: unknown }): boolean {
  if (request.method !== "session/prompt") return false;
  if (member(message, "result", "action") === "cancel") return true;
  if (member(message, "result", "outcome", "outcome") === "cancelled") return true;
  const sessionId = member(message, "params", "sessionId");
  const isStop = stops.has(asText(member(message, "method")));
  return isStop && sessionId !== undefined && sessionId === member(request.params, "sessionId");
}

const stops: ReadonlySet<string> = new Set(["session/cancel", "session/close"]);
