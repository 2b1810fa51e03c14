import { jsonText } from "../../json-text.js";
import type { RecordedMessage, Recording, Side, WireMessageEntry } from "../format.js";

/** One message of the recorded dialogue, and its dependencies. */
export interface Step {
  /** Its index in the recording's `entries`. */
  readonly index: number;
  readonly t: number;
  readonly from: Side;
  /** Whether the replayer sends it; otherwise it is expected of the live peer. */
  readonly ours: boolean;
  readonly kind: "request" | "notification" | "response";
  /** Of the request, for a response. `""` for a response without a request. */
  readonly method: string;
  readonly message: RecordedMessage;
  readonly leftOut: boolean;
  /** The recorded id of its session, or `""`. */
  readonly session: string;
  /** The request that it responds to, and the response that it got. */
  request?: Step;
  response?: Step;
  /** For requests and notifications: the live peer's request that caused it. It isn't sent before that arrived. */
  cause?: Step;
  /** Where nothing else determines its place: the message before it. */
  before?: Step;
  /** As a client: our open request, and how many updates the agent had sent since. */
  during?: { readonly request: Step; readonly received: number };
  /** `given_up`: the live peer has continued without it. It may still come. */
  state: "waiting" | "done" | "given_up";
  /** As a client, of an open request of ours: how many notifications came for its session. */
  received: number;
}

/** Turns the messages of one run into steps. `side` is the replayed one. */
export function stepsOf(run: Recording, side: Side): readonly Step[] {
  const steps: Step[] = [];
  const open = { client: new Map<unknown, Step>(), agent: new Map<unknown, Step>() };
  for (const [index, entry] of run.entries.entries()) {
    if (entry.kind !== "message" || !isObject(entry.message)) continue;
    steps.push(stepOf(entry, index, side, open));
  }
  const sessions = sessionsOf(steps);
  const placed = steps.map((step) => Object.assign(step, { session: sessions.get(step) ?? "" }));
  if (side === "agent") findCauses(placed);
  else findCompany(placed);
  return placed;
}

function stepOf(
  entry: WireMessageEntry,
  index: number,
  side: Side,
  open: Readonly<Record<Side, Map<unknown, Step>>>,
): Step {
  const message = entry.message as RecordedMessage;
  const ours = entry.from === side;
  const { id, method } = message;
  const base = { index, t: entry.t, from: entry.from, ours, message, leftOut: entry.leftOut === true, session: "" };
  const state = { state: "waiting", received: 0 } as const;
  if (typeof method === "string") {
    const step: Step = { ...base, ...state, method, kind: id === undefined ? "notification" : "request" };
    if (id !== undefined) open[entry.from].set(id, step);
    return step;
  }
  const asker = open[entry.from === "client" ? "agent" : "client"];
  const request = asker.get(id);
  // A response without a request: sent again by us in its place; from the other side it is accepted, and never waited for.
  if (request === undefined) return { ...base, ...state, method: "", kind: ours ? "notification" : "response" };
  asker.delete(id);
  const step: Step = { ...base, ...state, method: request.method, kind: "response", request };
  request.response = step;
  return step;
}

/** The session of each message: in its params, in the result that it leads to, or in its request. */
function sessionsOf(steps: readonly Step[]): Map<Step, string> {
  const sessions = new Map<Step, string>();
  const requests = new Map<unknown, Step>();
  for (const step of steps) {
    if (step.kind === "response" && step.request !== undefined) {
      sessions.set(step, sessions.get(step.request) ?? "");
      continue;
    }
    const { params } = step.message;
    const about =
      step.method === "$/cancel_request" ? requests.get(keyOf(step.from, memberOf(params, "requestId"))) : undefined;
    const session =
      textOf(step.response?.message.result, "sessionId") ??
      textOf(params, "sessionId") ??
      (about && sessions.get(about)) ??
      "";
    sessions.set(step, session);
    if (step.kind === "request") requests.set(keyOf(step.from, step.message.id), step);
  }
  return sessions;
}

/** As an agent: every message in a session is caused by a request of the client, the oldest open one or else the last one. */
function findCauses(steps: readonly Step[]): void {
  const asked = new Map<string, Set<Step>>();
  const last = new Map<string, Step>();
  let before: Step | undefined;
  for (const step of steps) {
    const open = asked.get(step.session) ?? new Set();
    if (step.kind === "response") {
      if (step.ours && step.request !== undefined) open.delete(step.request);
    } else if (step.kind === "request" && !step.ours) {
      asked.set(step.session, open.add(step));
      last.set(step.session, step);
    } else {
      const cause = step.session === "" ? undefined : (firstOf(open) ?? last.get(step.session));
      if (cause !== undefined) step.cause = cause;
      else if (before !== undefined) step.before = before;
    }
    if (step.kind !== "response" || step.request !== undefined) before = step;
  }
}

/** As a client: a message in the middle of a turn, such as a cancel, has its place among the updates of that turn. */
function findCompany(steps: readonly Step[]): void {
  const open = new Map<string, Step>();
  const received = new Map<Step, number>();
  for (const step of steps) {
    const request = open.get(step.session);
    if (!step.ours) {
      if (step.kind === "notification" && request !== undefined)
        received.set(request, (received.get(request) ?? 0) + 1);
      if (step.kind === "response" && step.request === request) open.delete(step.session);
    } else if (step.kind !== "response") {
      if (request !== undefined) step.during = { request, received: received.get(request) ?? 0 };
      else if (step.kind === "request") open.set(step.session, step);
    }
  }
}

function firstOf(steps: ReadonlySet<Step>): Step | undefined {
  for (const step of steps) return step;
  return undefined;
}

const keyOf = (side: Side, id: unknown): string => `${side} ${jsonText(id)}`;

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? (value as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
