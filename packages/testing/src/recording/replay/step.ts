import { jsonText } from "../../json-text.js";
import type { RecordedMessage, Recording, Side, WireMessageEntry } from "../format.js";

/** One message of the recorded dialogue, and what it hangs together with. */
export interface Step {
  /** Its place in the recording's `entries`. */
  readonly index: number;
  readonly t: number;
  readonly from: Side;
  /** The replayer says it; otherwise it is expected of the live peer. */
  readonly ours: boolean;
  readonly kind: "request" | "notification" | "response";
  /** Of the request, where it answers one. `""` for an answer to nothing. */
  readonly method: string;
  readonly message: RecordedMessage;
  readonly leftOut: boolean;
  /** The recorded id of the session that it belongs to, or `""`. */
  readonly session: string;
  /** The request that it answers, and the answer that it got. */
  request?: Step;
  response?: Step;
  /** Of what is no answer: the live peer's request that it came of. It isn't said before that was made. */
  cause?: Step;
  /** Where nothing else tells its place: the message before it. */
  before?: Step;
  /** As a client: the request of ours that was open, and how much the agent had told since. */
  during?: { readonly request: Step; readonly heard: number };
  /** `given_up`: the live peer has gone on without it. It may still come. */
  state: "waiting" | "done" | "given_up";
  /** As a client, of an open request of ours: how many notifications came for its session. */
  heard: number;
}

/** Makes steps of the messages of one run. `side` is the one that is replayed. */
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
  const state = { state: "waiting", heard: 0 } as const;
  if (typeof method === "string") {
    const step: Step = { ...base, ...state, method, kind: id === undefined ? "notification" : "request" };
    if (id !== undefined) open[entry.from].set(id, step);
    return step;
  }
  const asker = open[entry.from === "client" ? "agent" : "client"];
  const request = asker.get(id);
  // An answer to nothing: said again by us in its place; from the other side it is heard, and never waited for.
  if (request === undefined) return { ...base, ...state, method: "", kind: ours ? "notification" : "response" };
  asker.delete(id);
  const step: Step = { ...base, ...state, method: request.method, kind: "response", request };
  request.response = step;
  return step;
}

/** Which session each message belongs to: what its params say, or the result that it leads to, or the request that it is about. */
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

/** As an agent: everything said in a session comes of a request of the client, the oldest that is open or else the last there was. */
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

/** As a client: what is said in the middle of a turn, such as a cancel, has its place among the updates of that turn. */
function findCompany(steps: readonly Step[]): void {
  const open = new Map<string, Step>();
  const heard = new Map<Step, number>();
  for (const step of steps) {
    const request = open.get(step.session);
    if (!step.ours) {
      if (step.kind === "notification" && request !== undefined) heard.set(request, (heard.get(request) ?? 0) + 1);
      if (step.kind === "response" && step.request === request) open.delete(step.session);
    } else if (step.kind !== "response") {
      if (request !== undefined) step.during = { request, heard: heard.get(request) ?? 0 };
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
