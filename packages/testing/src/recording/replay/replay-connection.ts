import type { Message, RequestId, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { after } from "@acp-kit/jsonrpc/internal";
import { jsonText } from "../../json-text.js";
import { otherSide, type RecordedMessage, type Recording, type Side } from "../format.js";
import { type Difference, formatDifference } from "./difference.js";
import { clientIsDone, deathOf, isDying, missingOf } from "./ending.js";
import { IdMap } from "./id-map.js";
import { Lane } from "./lane.js";
import { Matcher } from "./matcher.js";
import { type Change, compare } from "./meaning.js";
import type { ReplayOptions, ReplayReport } from "./replay-options.js";
import { endOf, OpenSteps, type Step } from "./step.js";
import { stepsOf } from "./steps-of.js";

/** The milliseconds that a replayed client waits for more recorded updates, when it has done the rest. */
const LINGER_MS = 250;

/** A running replay with one live peer. A `Replayer` creates it. */
export class ReplayConnection implements TransportReceiver {
  /**
   * A promise that resolves when the replay is over: the live peer disconnected, all recorded messages of a client are
   * sent, a replayed agent reached its recorded crash, a difference was found with `strict`, or {@link close} was
   * called.
   */
  readonly closed: Promise<ReplayReport>;

  readonly #transport: Transport;
  readonly #options: ReplayOptions;
  readonly #side: Side;
  readonly #steps: readonly Step[];
  readonly #ids: IdMap;
  readonly #matcher: Matcher;
  readonly #lanes: ReadonlyMap<string, Lane>;
  /** The requests that the replay sent, by their ids, which are the recorded ids. */
  readonly #asked = new OpenSteps();
  /** The requests that the replay sent and that have not ended, to count the updates since. */
  readonly #running = new Set<Step>();
  /** The id that the live peer used for each of its requests. */
  readonly #liveIds = new Map<Step, RequestId>();
  readonly #differences: Difference[] = [];
  readonly #died: ReplayReport["died"];
  #sent = 0;
  #received = 0;
  #over = false;
  #stopLinger: (() => void) | undefined;
  #closing: Promise<ReplayReport> | undefined;
  #resolveClosed: (report: ReplayReport) => void = () => {};

  /** @internal Use `createReplayer`. */
  constructor(run: Recording, transport: Transport, options: ReplayOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#side = options.as ?? "agent";
    this.#steps = stepsOf(run, this.#side);
    this.#ids = new IdMap(options.paths ?? "map");
    this.#matcher = new Matcher(this.#steps, this.#ids);
    this.#lanes = lanesOf(this.#steps, this.#side);
    this.#died = this.#side === "agent" ? deathOf(run, this.#steps) : undefined;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    transport.start(this);
    this.#goOn();
  }

  /** Returns the differences and counts so far. */
  get report(): ReplayReport {
    const recorded = this.#steps.filter(({ ours }) => ours).length;
    return {
      differences: [...this.#differences],
      sent: this.#sent,
      recorded,
      received: this.#received,
      expected: this.#steps.length - recorded,
      ...(this.#died && { died: this.#died }),
    };
  }

  /** Ends the replay. A second call has no effect, and the returned promise never rejects. */
  close(): Promise<ReplayReport> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** @internal */
  message(value: unknown): void {
    if (this.#over) return;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const message = value as RecordedMessage;
    if (!isId(message.id)) return; // a notification has no response and can't be compared
    if (typeof message.method !== "string") this.#answered(message);
    else if (message.id === undefined) this.#told(message.method, message.params);
    else this.#askedBy(message.id, message.method, message.params);
    this.#goOn();
  }

  /** @internal */
  malformed(): void {
    // Input that is not JSON is not part of the dialogue.
  }

  /** @internal */
  ended(): void {
    void this.close();
  }

  /** @internal */
  failed(): void {
    void this.close();
  }

  #askedBy(id: RequestId, method: string, params: unknown): void {
    const match = this.#matcher.take("request", method, params, this.#options.strict === true);
    if (match === undefined) {
      const difference = this.#unmatched("request", method, params);
      const text = `The recording has no such request at this place.\n${formatDifference(difference)}`;
      this.#send({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: text.trim() } });
      this.#differs(difference);
      return;
    }
    const { step, changes } = match;
    this.#liveIds.set(step, id);
    this.#ids.bindRequest(step.message.id, id);
    this.#take(step, changes);
    this.#laneOf(step)?.giveUpBefore(step);
  }

  #told(method: string, params: unknown): void {
    const match = this.#matcher.take("notification", method, params, this.#options.strict === true);
    this.#count(method, params, match?.step);
    if (match === undefined) this.#differs(this.#unmatched("notification", method, params));
    else this.#take(match.step, match.changes);
  }

  #answered(message: RecordedMessage): void {
    const request = this.#asked.take(message.id);
    const answer = request === undefined ? this.#answerToNothing() : request.response;
    if (answer === undefined) {
      const method = request?.method ?? "";
      this.#differs({ kind: "unexpected", from: otherSide(this.#side), method, part: "response", changes: [] });
      return;
    }
    const { changes, bindings } = answer.leftOut
      ? { changes: [], bindings: [] }
      : compare(outcomeOf(answer.message), outcomeOf(message), this.#ids, "");
    for (const binding of bindings) this.#ids.bind(binding);
    this.#take(answer, changes);
    this.#laneOf(answer)?.giveUpBefore(answer);
  }

  #answerToNothing(): Step | undefined {
    return this.#steps.find(
      ({ ours, kind, request, state }) => !ours && kind === "response" && !request && state !== "done",
    );
  }

  #take(step: Step, changes: readonly Change[]): void {
    step.state = "done";
    this.#received += 1;
    if (changes.length === 0) return;
    const { from, method, kind, index } = step;
    this.#differs({ kind: "changed", from, method, part: kind, entry: index, changes });
  }

  /** Counts the updates of a turn when a client is replayed, to know the progress of the turn. */
  #count(method: string, params: unknown, step: Step | undefined): void {
    if (this.#side === "agent" || method !== "session/update") return;
    const { sessionId } = (params ?? {}) as { sessionId?: unknown };
    const session =
      step?.session ?? this.#ids.recordedOf("session", typeof sessionId === "string" ? sessionId : jsonText(sessionId));
    for (const request of this.#running) {
      if (endOf(request)?.state === "done") this.#running.delete(request);
      else if (request.session === session) request.received += 1;
    }
  }

  #unmatched(part: Step["kind"], method: string, params: unknown): Difference {
    const from = otherSide(this.#side);
    const closest = this.#matcher.closest(part, method, params);
    if (closest === undefined) return { kind: "unexpected", from, method, part, changes: [] };
    return { kind: "changed", from, method, part, entry: closest.step.index, changes: closest.changes };
  }

  #tell(difference: Difference): void {
    this.#differences.push(difference);
    try {
      this.#options.onDifference?.(difference);
    } catch {
      // An error of a listener does not affect the replay.
    }
  }

  #differs(difference: Difference): void {
    this.#tell(difference);
    if (this.#options.strict) void this.close();
  }

  #laneOf(step: Step): Lane | undefined {
    return this.#lanes.get(this.#side === "agent" ? step.session : "");
  }

  #goOn(): void {
    for (const lane of this.#lanes.values()) if (!lane.busy) void this.#play(lane);
    this.#endIfDone();
  }

  /** Sends the next messages of a lane, until the live peer has to send a message in this lane. */
  async #play(lane: Lane): Promise<void> {
    const { clock } = this.#options;
    lane.busy = true;
    for (let step = this.#next(lane); step !== undefined; step = this.#next(lane)) {
      const gapMs = clock === undefined ? 0 : lane.gapBefore(step);
      if (clock !== undefined && gapMs > 0) {
        await clock.wait(gapMs);
        if (this.#over) break;
      }
      this.#say(step);
      if (this.#transport.full !== undefined) await this.#transport.full;
    }
    lane.busy = false;
    if (clock !== undefined) this.#endIfDone();
  }

  #next(lane: Lane): Step | undefined {
    if (this.#over) return undefined;
    return this.#side === "agent" ? lane.nextOfAgent() : lane.nextOfClient();
  }

  #say(step: Step): void {
    step.state = "done";
    this.#sent += 1;
    const live = step.leftOut ? outlineToLive(step) : (this.#ids.toLive(step.message) as Message);
    if (step.kind === "response" && step.request !== undefined) {
      this.#send({ ...live, id: this.#liveIds.get(step.request) ?? null } as Message);
    } else if (live !== undefined) {
      if (step.kind === "request") {
        this.#asked.add(step.message.id, step);
        this.#running.add(step);
      }
      this.#send(live);
    }
    // A message of another lane may have waited until this message was sent.
    if (this.#lanes.size > 1) queueMicrotask(() => this.#goOn());
  }

  #send(message: Message): void {
    if (!this.#over) this.#transport.send(message);
  }

  #endIfDone(): void {
    if (this.#over) return;
    if (this.#side === "client") {
      const done = clientIsDone(this.#steps);
      if (done === true) void this.close();
      else if (done === "almost") this.#leaveSoon();
    } else if (this.#died !== undefined && isDying(this.#steps)) {
      void this.close();
    }
  }

  #leaveSoon(): void {
    this.#stopLinger ??= after(LINGER_MS, () => void this.close(), { keepAlive: true });
  }

  async #close(): Promise<ReplayReport> {
    this.#over = true;
    this.#stopLinger?.();
    for (const difference of missingOf(this.#steps)) this.#tell(difference);
    await this.#transport.close();
    const { report } = this;
    this.#resolveClosed(report);
    return report;
  }
}

const INTERNAL_ERROR = -32603;

/**
 * Returns the message to send for an oversized message, of which only an outline is recorded. A response becomes an
 * error; a request or notification is not sent.
 */
function outlineToLive(step: Step): Message | undefined {
  if (step.kind === "response") {
    const error = {
      code: INTERNAL_ERROR,
      message: "The recording does not contain this response, because it was too large.",
    };
    return { jsonrpc: "2.0", id: null, error };
  }
  // The request is not sent, so there will be no response
  if (step.response !== undefined) step.response.state = "done";
  return undefined;
}

function lanesOf(steps: readonly Step[], side: Side): ReadonlyMap<string, Lane> {
  if (side === "client") return new Map([["", new Lane(steps)]]);
  const sessions = new Map<string, Step[]>(steps.map(({ session }) => [session, []]));
  for (const step of steps) sessions.get(step.session)?.push(step);
  return new Map([...sessions].map(([session, its]) => [session, new Lane(its)]));
}

function isId(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string" || typeof value === "number";
}

function outcomeOf({ result, error }: RecordedMessage): unknown {
  return error === undefined ? { result } : { error };
}
