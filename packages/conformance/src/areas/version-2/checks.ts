import { agentMethods, clientMethods, isKnownSessionUpdate, protocolMethods } from "@acp-kit/schema/v2/unstable";
import { isAbsolutePath, isObject, itemsOf, type Json, member, objectsIn, textOf } from "../../wire/values.js";
import {
  calls,
  either,
  having,
  type Item,
  type Items,
  introduction,
  params,
  requestsOfAnyMethod,
  results,
  resumeOf,
  statesOf,
  updates,
  type Wire,
} from "./wire.js";

/** A check of single values: which values of the peer a rule is about, and whether one of them keeps it. */
type ValueCheck = readonly [about: Items, keeps: (value: Json, item: Item, wire: Wire) => boolean];

const knownMethods: ReadonlySet<string> = new Set(
  [agentMethods, clientMethods, protocolMethods].flatMap((methods): string[] => Object.values(methods)),
);
const oldMethods =
  /^(?:fs\/|session\/(?:load|set_mode)$|authenticate$|logout$|terminal\/(?:create|output|wait_for_exit|kill|release)$)/;
const oldTags = /^(?:tool_call|plan|current_mode_update)$/;
const messages = updates(/^(?:user|agent)_(?:message|thought)(?:_chunk)?$/);
const hasText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isExtension = (name: unknown): boolean => typeof name === "string" && name.startsWith("_");
const isBase64 = (text: unknown): boolean =>
  typeof text === "string" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** The checks of single values, by the id of the rule. A rule of both peers is checked in the messages of each. */
export const valueChecks: Readonly<Record<string, ValueCheck>> = {
  "V2-04": [introduction, ({ info }) => hasText(member(info, "name")) && textOf(member(info, "version")) !== undefined],
  "V2-05": [
    introduction,
    (value) =>
      !hasBoolean(value.capabilities) &&
      (isObject(value.capabilities) || !("agentCapabilities" in value || "clientCapabilities" in value)),
  ],
  "V2-08": [
    params("auth/login", "auth/logout"),
    (_, __, { initialized }) => itemsOf(initialized.authMethods).length > 0,
  ],
  "V2-09": [
    having("authMethods", introduction),
    ({ authMethods }) =>
      itemsOf(authMethods).every(
        (method) =>
          ["methodId", "type", "name"].every((name) => hasText(member(method, name))) &&
          isUnique(objectsIn(member(method, "env")).map(({ name }) => name)),
      ),
  ],
  "V2-10": [
    requestsOfAnyMethod,
    ({ id }, { seq }, { reusedIds }) => (typeof id === "string" || Number.isInteger(id)) && !reusedIds.has(seq),
  ],
  "V2-14": [
    calls,
    ({ method, params }, { message: { from } }) => {
      if (from === "agent" && oldMethods.test(String(method))) return true; // breaks V2-35
      const update = method === "session/update" ? member(params, "update") : undefined;
      if (!isObject(update)) return isExtension(method) || knownMethods.has(String(method));
      const { sessionUpdate: tag } = update;
      const isKnown = isKnownSessionUpdate({ sessionUpdate: tag } as Parameters<typeof isKnownSessionUpdate>[0]);
      return isKnown || isExtension(tag) || oldTags.test(String(tag)); // an old tag breaks V2-34
    },
  ],
  "V2-15": [
    having("mcpServers", params("session/new", "session/resume", "session/fork")),
    ({ mcpServers }, _, { initialized }) =>
      itemsOf(mcpServers).every((server) => {
        const type = member(server, "type");
        return isExtension(type) || isObject(member(initialized, "capabilities", "session", "mcp", String(type)));
      }),
  ],
  "V2-19": [
    results("session/resume"),
    (_, { seq, sessionId }, wire) => {
      const from = wire.resumes.find(({ to }) => to === seq)?.from ?? 0;
      return statesOf(wire, sessionId).some((each) => from < each.seq && each.seq < seq);
    },
  ],
  "V2-20": [
    (wire, role) => messages(wire, role).filter((item) => resumeOf(wire, item) !== undefined),
    ({ messageId }) => hasText(messageId),
  ],
  "V2-21": [
    results("session/prompt"),
    ({ messageId }, { seq, sessionId }, wire) =>
      hasText(messageId) &&
      !results("session/prompt")(wire, "agent").some(
        (each) => each.seq < seq && each.sessionId === sessionId && each.value.messageId === messageId,
      ),
  ],
  "V2-22": [
    (wire, role) =>
      results("session/prompt")(wire, role).filter((item) => hasText(item.value.messageId) && hasEnded(wire, item)),
    ({ messageId }, { sessionId }, wire) =>
      updates(/^user_message/)(wire, "agent").some(
        (each) => each.sessionId === sessionId && each.value.messageId === messageId,
      ),
  ],
  "V2-24": [(wire) => wire.updates.filter((item) => endsWork(wire, item)), ({ stopReason }) => hasText(stopReason)],
  "V2-25": [
    ({ spoken }) =>
      spoken.flatMap((message) =>
        message.other?.method === "session/prompt" && message.kind === "response" && "error" in message.message
          ? [
              {
                value: message.message,
                seq: message.seq,
                message,
                sessionId: member(message.other.params, "sessionId"),
              },
            ]
          : [],
      ),
    (_, { seq, sessionId, message }, wire) => {
      const prompt = JSON.stringify(member(message.other?.params, "prompt"));
      return !updates(/^user_message$/)(wire, "agent").some(
        (each) =>
          each.sessionId === sessionId &&
          (message.other?.seq ?? seq) < each.seq &&
          each.seq < seq &&
          JSON.stringify(each.value.content) === prompt,
      );
    },
  ],
  "V2-26": [params("session/prompt"), ({ prompt }) => itemsOf(prompt).length > 0],
  "V2-31": [
    (wire, role) => messages(wire, role).filter((item) => resumeOf(wire, item) === undefined),
    ({ messageId }) => hasText(messageId),
  ],
  "V2-33": [updates(/^tool_call_(?:update|content_chunk)$/), ({ toolCallId }) => hasText(toolCallId)],
  "V2-34": [updates(/^/), ({ sessionUpdate }) => !oldTags.test(String(sessionUpdate))],
  "V2-35": [calls, ({ method }) => !oldMethods.test(String(method))],
  "V2-36": [params("tool_call/cancel", "terminal/cancel"), (value, item, wire) => isCancellable(value, item, wire)],
  "V2-38": [
    updates(/^(?:tool_call|terminal)_update$/),
    ({ cwd, locations, content }) =>
      [
        cwd,
        ...objectsIn(locations).map(({ path }) => path),
        ...objectsIn(content).flatMap(({ changes }) =>
          objectsIn(changes).flatMap(({ path, oldPath }) => [path, oldPath]),
        ),
      ].every((path) => path === undefined || path === null || isAbsolutePath(path)),
  ],
  "V2-39": [
    either(updates(/^terminal_output_chunk$/), having("output", updates(/^terminal_update$/))),
    ({ data, output }) => isBase64(data ?? member(output, "data")),
  ],
  "V2-40": [
    params("session/request_permission"),
    ({ title, options }) => hasText(title) && itemsOf(options).length > 0,
  ],
  "V2-42": [updates(/^plan_update$/), ({ plan }) => ["type", "planId"].every((name) => hasText(member(plan, name)))],
  "V2-43": [
    having(
      "configOptions",
      either(
        results("session/new", "session/resume", "session/set_config_option", "session/fork"),
        updates(/^config_option_update$/),
      ),
    ),
    ({ configOptions }) =>
      objectsIn(configOptions).every(({ type, currentValue, options }) => {
        const values = objectsIn(options).flatMap((each) =>
          Array.isArray(each.options) ? objectsIn(each.options) : [each],
        );
        const all = values.map(({ value }) => value);
        return type !== "select" || (all.includes(currentValue) && isUnique(all));
      }),
  ],
  "V2-44": [
    params("session/set_config_option"),
    ({ type, value }) =>
      isExtension(type) ||
      (type === "id" && typeof value === "string") ||
      (type === "boolean" && typeof value === "boolean"),
  ],
  "V2-46": [
    having(
      "availableCommands",
      either(results("session/new", "session/resume", "session/fork"), updates(/^available_commands_update$/)),
    ),
    ({ availableCommands }) =>
      itemsOf(availableCommands).every(
        (each) =>
          hasText(member(each, "type")) &&
          textOf(member(each, "description")) !== undefined &&
          /^[^\s/]\S*$/.test(textOf(member(each, "name")) ?? ""),
      ),
  ],
  "V2-47": [
    params("elicitation/create"),
    ({ mode, requestedSchema, sessionId, requestId }) =>
      (sessionId === undefined) !== (requestId === undefined) &&
      (mode !== "form" ||
        (member(requestedSchema, "type") === "object" && isObject(member(requestedSchema, "properties")))),
  ],
};

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** Returns whether capabilities contain a boolean. In version 2, a capability is an object. */
function hasBoolean(capabilities: unknown): boolean {
  return isObject(capabilities)
    ? Object.entries(capabilities).some(
        ([name, value]) => typeof value === "boolean" || (name !== "_meta" && hasBoolean(value)),
      )
    : false;
}

/** Returns whether the session became idle after this message. */
function hasEnded(wire: Wire, { seq, sessionId }: Item): boolean {
  return statesOf(wire, sessionId).some((each) => each.seq > seq && each.value.state === "idle");
}

/** Returns whether this is an `idle` that ends foreground work: the state before it, in this connection, was busy. */
function endsWork(wire: Wire, item: Item): boolean {
  if (item.value.sessionUpdate !== "state_update" || item.value.state !== "idle") return false;
  const before = statesOf(wire, item.sessionId)
    .filter(({ seq }) => seq < item.seq)
    .at(-1);
  return before !== undefined && before.value.state !== "idle";
}

/** Returns whether the last update with capabilities of a tool call or terminal lets the client cancel it. */
function isCancellable({ toolCallId, terminalId }: Json, { seq, sessionId }: Item, wire: Wire): boolean {
  const last = wire.updates
    .filter(
      ({ value, ...each }) =>
        each.seq < seq &&
        each.sessionId === sessionId &&
        "capabilities" in value &&
        (terminalId === undefined ? value.toolCallId === toolCallId : value.terminalId === terminalId),
    )
    .at(-1);
  return isObject(member(last?.value, "capabilities", "cancel"));
}
