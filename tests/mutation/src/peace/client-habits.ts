import type { OurClientOptions } from "../client/our-client.js";
import type { Message, Mutation } from "../wire/mutation.js";
import {
  alter,
  answer,
  call,
  first,
  inject,
  injectBefore,
  notification,
  request,
  result,
  swallow,
} from "../wire/operators.js";
import { type Habit, slow } from "./habits.js";

/** A legal peculiarity of a client, and the verdict on it. */
export interface ClientHabit extends Partial<Habit> {
  readonly habit: string;
  readonly options?: Partial<OurClientOptions>;
  /** The limit of a step, other than that of the tests. */
  readonly stepTimeoutMs?: number;
  /** Scenarios to leave out. @defaultValue those that are slow */
  readonly skip?: readonly string[];
  /** @defaultValue "conformant" */
  readonly verdict?: "inconclusive";
  /** Text that the first reason of an inconclusive verdict contains. */
  readonly reason?: string;
  /** Which of the scenarios about saved sessions pass; the others are skipped. @defaultValue none */
  readonly passes?: readonly string[];
}

const permission = result("session/request_permission");
const prompt = call("session/prompt");
const offering = (capabilities: object) =>
  alter(call("initialize"), ({ params }) => (params.clientCapabilities = capabilities));

/** Legal habits of clients. */
export const clientHabits: readonly ClientHabit[] = [
  { habit: "sends no clientInfo", mutation: alter(call("initialize"), ({ params }) => delete params.clientInfo) },
  { habit: "advertises no capability", mutation: offering({}) },
  {
    habit: "advertises capabilities with the value null",
    mutation: offering({ fs: {}, terminal: false, elicitation: { form: null, url: null }, session: null }),
  },
  { habit: "reads files but does not write them", mutation: offering({ fs: { readTextFile: true } }) },
  {
    habit: "offers a newer version and accepts version 1",
    mutation: alter(call("initialize"), ({ params }) => (params.protocolVersion = 2)),
  },
  { habit: "rejects every permission", mutation: answersPermission("no") },
  {
    habit: "cancels every permission request",
    mutation: alter(permission, (message) => (message.result = { outcome: { outcome: "cancelled" } })),
  },
  {
    habit: "responds with null where the specification's examples do (FS-09)",
    mutation: alter(result("fs/write_text_file"), (message) => (message.result = null)),
  },
  {
    habit: "declines every form",
    mutation: alter(result("elicitation/create"), (message) => (message.result = { action: "decline" })),
  },
  { habit: "sends no $/cancel_request", mutation: swallow(call("$/cancel_request")) },
  { habit: "stays connected after its turn", options: { stays: true } },
  { habit: "sends several prompts in one session", options: { turns: 3 } },
  { habit: "loads a session instead of opening one", options: { continues: "load" }, passes: ["opening/load"] },
  { habit: "resumes a session instead of opening one", options: { continues: "resume" }, passes: ["opening/resume"] },
  { habit: "leaves permission requests open for a long time", options: { permissionMs: 1_200 } },
  {
    habit: "delays every message",
    mutation: slow(120),
  },
  {
    habit: "responds to its agent after the time limit of a step",
    mutation: slow(450, (message) => !("method" in message)),
    options: { permissionMs: 1_000 },
    stepTimeoutMs: 300,
  },
  {
    habit: "writes files after the time limit, and does everything else in time",
    mutation: slow(1_200, ({ result }) => result !== undefined && Object.keys(result).length === 0),
    stepTimeoutMs: 500,
  },
  {
    habit: "never prompts",
    mutation: () => ({ fromPeer: (message) => (message.method === "session/prompt" ? [] : undefined) }),
    verdict: "inconclusive",
    reason: "sends no prompt by itself",
  },
  {
    habit: "lists sessions with null for unused filters",
    mutation: alter(call("session/list"), ({ params }) =>
      Object.assign(params, { cwd: null, cursor: params.cursor ?? null }),
    ),
  },
  {
    habit: "passes MCP servers on stdio",
    mutation: alter(call("session/new"), ({ params }) =>
      params.mcpServers.push({ name: "m", command: "/bin/true", args: [], env: [{ name: "A", value: "" }] }),
    ),
  },
  {
    habit: "prompts with several blocks",
    mutation: alter(prompt, ({ params }) =>
      params.prompt.push(
        { type: "resource_link", uri: "file:///x", name: "x", size: null },
        { type: "text", text: "\u2028", annotations: null },
      ),
    ),
  },
  {
    habit: "opens several sessions",
    mutation: inject(first(call("session/new")), ({ params }) => [request("session/new", params, "another")]),
  },
  {
    habit: "cancels without a running turn",
    mutation: injectBefore(first(prompt), ({ params }) => [
      notification("session/cancel", { sessionId: params.sessionId }),
    ]),
  },
  {
    habit: "cancels requests that are unknown",
    mutation: inject(prompt, () => [notification("$/cancel_request", { requestId: 123_456 })]),
  },
  {
    habit: "has a handler for every extension request, and responds with a result (EXT-05)",
    mutation: answer(
      ({ method, id }) => method?.startsWith("_") === true && ["string", "number"].includes(typeof id),
      ({ params }) => ({
        result: { echoed: params },
      }),
    ),
  },
  {
    habit: "refuses to write files, because its user denies it (FS-08)",
    mutation: answer(call("fs/write_text_file"), { error: { code: -32603, message: "The user denied it" } }),
  },
  {
    habit: "refuses to read files, because its user denies it",
    mutation: answer(call("fs/read_text_file"), { error: { code: -32603, message: "The user denied it" } }),
  },
  {
    habit: "refuses every command, because its user denies it",
    skip: ["messages/long"],
    mutation: answer(call("terminal/create"), { error: { code: -32603, message: "The user denied it" } }),
  },
  {
    habit: "logs in before it opens a session, whenever there is a login method",
    mutation: loginFirst,
  },
  {
    habit: "sets a mode and an option as soon as it has a session",
    mutation: setsAtOnce,
  },
  {
    habit: "cancels the prompt with $/cancel_request, too",
    mutation: cancelsTwice,
  },
  { habit: "responds to simultaneous requests in the reverse order", mutation: respondsInReverse },
  { habit: "lists the sessions again during a turn", mutation: listsAgain },
  {
    habit: "writes lines with spaces, escapes and carriage returns",
    mutation: () => ({ fromPeer: (message) => [spacious(message)] }),
  },
  {
    habit: "sends members that the schema does not define (EXT-03)",
    mutation: alter(prompt, ({ params }) => (params.vendor = 1)),
  },
];

function answersPermission(optionId: string) {
  return alter(
    (message, wire) =>
      permission(message, wire) &&
      message.result.outcome.outcome === "selected" &&
      wire.askedByKit(message)?.params.options.some((option: { optionId: string }) => option.optionId === optionId),
    (message) => (message.result = { outcome: { outcome: "selected", optionId } }),
  );
}

/** Logs in with the first method of its agent that needs no terminal, and opens its session after that. */
function loginFirst(): Mutation {
  let method: Message | undefined;
  let held: Message | undefined;
  return {
    fromKit(message, wire) {
      if (message.result?.authMethods !== undefined)
        method = message.result.authMethods.find((each: Message) => each?.id !== undefined && each.type === undefined);
      if (message.id !== "login") return undefined;
      if (held) wire.toKit(held);
      return [];
    },
    fromPeer(message) {
      if (message.method !== "session/new" || held || method === undefined) return undefined;
      held = message;
      return [request("authenticate", { methodId: method.id }, "login")];
    },
  };
}

/** Sets the current mode and the first option of choices again, as soon as the session exists. */
function setsAtOnce(): Mutation {
  return {
    fromKit(message, wire) {
      if (String(message.id).startsWith("set ")) return [];
      const { sessionId, modes, configOptions = [] } = message.result ?? {};
      if (sessionId === undefined) return undefined;
      const modeId = modes?.currentModeId;
      const option = configOptions.find((each: Message) => each?.type === "select");
      if (modeId !== undefined && !option) wire.toKit(request("session/set_mode", { sessionId, modeId }, "set mode"));
      if (option) {
        const params = { sessionId, configId: option.id, value: option.currentValue };
        wire.toKit(request("session/set_config_option", params, "set option"));
      }
      return undefined;
    },
  };
}

/** Cancels a turn by both ways: for the session, and for the request. */
function cancelsTwice(): Mutation {
  const prompts = new Map<unknown, unknown>();
  return {
    fromPeer(message) {
      if (message.method === "session/prompt") prompts.set(message.params.sessionId, message.id);
      if (message.method !== "session/cancel") return undefined;
      return [message, notification("$/cancel_request", { requestId: prompts.get(message.params.sessionId) })];
    },
  };
}

/** Responds in reverse order to the requests that are open at the same time. */
function respondsInReverse(): Mutation {
  let held: Message[] | undefined;
  return {
    fromPeer(message, wire) {
      if ("method" in message) return undefined;
      if (held) {
        held.push(message);
        return [];
      }
      const first = [message];
      held = first;
      setTimeout(() => {
        held = undefined;
        for (const each of first.reverse()) wire.toKit(each);
      }, 5);
      return [];
    },
  };
}

/** Lists the sessions with each prompt, if its agent can. */
function listsAgain(): Mutation {
  let canList = false;
  return {
    fromKit(message) {
      canList ||= message.result?.agentCapabilities?.sessionCapabilities?.list instanceof Object;
      return message.id === "again" ? [] : undefined;
    },
    fromPeer: (message) =>
      canList && message.method === "session/prompt" ? [message, request("session/list", {}, "again")] : undefined,
  };
}

function spacious(message: Message): string {
  const spaced = JSON.stringify(message, undefined, 1).replace(/\n\s*/g, " ");
  return ` ${spaced.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)} \r`;
}
