import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { jsonText } from "../../json-text.js";
import type { RecordedMessage, Recording, Side, WireMessageEntry } from "../format.js";
import { memberOf, textMemberOf } from "../member-of.js";
import { endOf, OpenSteps, type Step } from "./step.js";
import { isVersion2, WorkOf } from "./work.js";

/** Turns the messages of one recorded connection into steps. `side` is the replayed role. */
export function stepsOf(run: Recording, side: Side): readonly Step[] {
  const steps: Step[] = [];
  const open = { client: new OpenSteps(), agent: new OpenSteps() };
  for (const [index, entry] of run.entries.entries()) {
    if (entry.kind !== "message" || !isJsonObject(entry.message)) continue;
    steps.push(stepOf(entry, index, side, open));
  }
  const sessions = sessionsOf(steps);
  const placed = steps.map((step) => Object.assign(step, { session: sessions.get(step) ?? "" }));
  const work = isVersion2(placed) ? new WorkOf(placed) : undefined;
  if (side === "agent") findCauses(placed, work);
  else findCompany(placed, work);
  return placed;
}

function stepOf(entry: WireMessageEntry, index: number, side: Side, open: Readonly<Record<Side, OpenSteps>>): Step {
  const message = entry.message as RecordedMessage;
  const ours = entry.from === side;
  const { id, method } = message;
  const base = { index, t: entry.t, from: entry.from, ours, message, leftOut: entry.leftOut === true, session: "" };
  const state = { state: "waiting", received: 0 } as const;
  if (typeof method === "string") {
    const step: Step = { ...base, ...state, method, kind: id === undefined ? "notification" : "request" };
    if (id !== undefined) open[entry.from].add(id, step);
    return step;
  }
  const request = open[entry.from === "client" ? "agent" : "client"].take(id);
  // A response without a request. If it belongs to the replayed role, the replay sends it at the same point of the
  // dialogue. Otherwise the replay accepts the response, but never waits for it.
  if (request === undefined) return { ...base, ...state, method: "", kind: ours ? "notification" : "response" };
  const step: Step = { ...base, ...state, method: request.method, kind: "response", request };
  request.response = step;
  return step;
}

/**
 * Returns the session id of each message: the `sessionId` in its params or, for `session/new`, in the result. A
 * response has the session of its request, and `$/cancel_request` has the session of the cancelled request.
 */
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
      textMemberOf(step.response?.message.result, "sessionId") ??
      textMemberOf(params, "sessionId") ??
      (about && sessions.get(about)) ??
      "";
    sessions.set(step, session);
    if (step.kind === "request") requests.set(keyOf(step.from, step.message.id), step);
  }
  return sessions;
}

/**
 * When an agent is replayed: assigns a cause to each message of a session, except responses and the client's requests.
 * The cause is the oldest open request of the client or, if no request is open, the client's last request. In version
 * 2, it is the prompt that the agent works on.
 */
function findCauses(steps: readonly Step[], work: WorkOf | undefined): void {
  const asked = new Map<string, Set<Step>>();
  const last = new Map<string, Step>();
  let before: Step | undefined;
  for (const step of steps) {
    const open = asked.get(step.session) ?? new Set();
    const prompt = work?.read(step);
    if (step.kind === "response") {
      if (step.ours && step.request !== undefined) open.delete(step.request);
    } else if (step.kind === "request" && !step.ours) {
      asked.set(step.session, open.add(step));
      last.set(step.session, step);
    } else {
      const cause = step.session === "" ? undefined : (prompt ?? firstOf(open) ?? last.get(step.session));
      if (cause !== undefined) step.cause = cause;
      else if (before !== undefined) step.before = before;
    }
    if (step.kind !== "response" || step.request !== undefined) before = step;
  }
}

/**
 * When a client is replayed: sets `during` of each message that the client sent while its request was open, such as a
 * cancel. The replay sends the message after the same number of updates as in the recording.
 */
function findCompany(steps: readonly Step[], work: WorkOf | undefined): void {
  for (const step of steps) work?.read(step);
  const open = new Map<string, Step>();
  const received = new Map<Step, number>();
  for (const step of steps) {
    const request = open.get(step.session);
    if (!step.ours) {
      if (step.method === "session/update" && request !== undefined)
        received.set(request, (received.get(request) ?? 0) + 1);
      if (request !== undefined && endOf(request) === step) open.delete(step.session);
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
