import type { OurClientOptions } from "../client/our-client.js";
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
  readonly stepMs?: number;
  /** @defaultValue "conformant" */
  readonly verdict?: "inconclusive";
  /** Text of the first reason of an inconclusive verdict. */
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
    stepMs: 300,
  },
  {
    habit: "writes files after the time limit, and does everything else in time",
    mutation: slow(1_200, ({ result }) => result !== undefined && Object.keys(result).length === 0),
    stepMs: 500,
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
