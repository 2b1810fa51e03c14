import type { RecordingEntry } from "@acp-kit/testing/recording";
import { isV2Result } from "@acp-kit/v2/internal";
import { members, textOf } from "../members.js";

/** A response of the client, with neither a result nor an error if the recording has none. */
export interface RecordedResponse {
  readonly method: string;
  result?: unknown;
  error?: unknown;
  /** The step with the cancelled turn, if the client sent this response after it had cancelled a turn. */
  afterCancelOf?: RecordedStep;
}

/** A call of the client, and the messages that the agent sent before the client's next call. */
export interface RecordedStep {
  readonly method: string;
  readonly params: unknown;
  readonly isRequest: boolean;
  /** The messages of the agent, including the response. */
  readonly messages: unknown[];
  /** The number of the agent's messages before the client cancelled the turn; `undefined` if it did not. */
  cancelledAfter?: number;
  hasResponse: boolean;
  /** The id of the session that the response created. */
  newSession?: string;
  /** Whether this is a prompt of version 2 that the agent has inserted: its work ends with the state `idle`. */
  isWork?: true;
  /** Whether another request of the client was open. The order of the agent's messages may then differ. */
  overlaps: boolean;
}

/** The conversation of one run of the agent, in the form in which the generated test repeats it. */
export interface RecordedConversation {
  readonly command: readonly string[] | undefined;
  /** Whether the agent has chosen version 2 of the protocol. */
  readonly isVersion2: boolean;
  readonly steps: readonly RecordedStep[];
  /** The responses of the client, in the order of the agent's requests. */
  readonly responses: readonly RecordedResponse[];
  /** The reasons why parts of the recording are not in the script, each with the number of messages. */
  readonly leftOut: ReadonlyMap<string, number>;
}

const MAX_MESSAGES = 5_000;

const reasons = {
  tooMany: `messages after the first ${MAX_MESSAGES.toLocaleString("en")}`,
  contents: "messages that were too large to be recorded with their contents",
  missing: "parts that the recording itself leaves out",
  noise: "lines that are not JSON-RPC messages",
  stderr: "lines of the agent's standard error, because they are not messages",
  unknown: "responses to no open request",
  early: "messages of the agent before the first message of the client",
  cancelRequest: "`$/cancel_request`, because its effect depends on the time at which the agent receives it",
  unanswered: "requests of the client without a response, because the recording ended before it",
} as const;

/** Reads the conversation of one run. */
export function recordedSteps(entries: readonly RecordingEntry[]): RecordedConversation {
  const reading = new Reading();
  for (const entry of entries) reading.add(entry);
  return reading.conversation();
}

class Reading {
  readonly #steps: RecordedStep[] = [];
  readonly #responses: RecordedResponse[] = [];
  readonly #leftOut = new Map<string, number>();
  readonly #open = new Map<string, RecordedStep>();
  /** The prompts of version 2 whose work has not ended, by session. */
  readonly #working = new Map<string, RecordedStep>();
  readonly #agentRequests = new Map<string, RecordedResponse>();
  #command: readonly string[] | undefined;
  #isVersion2 = false;
  #count = 0;

  add(entry: RecordingEntry): void {
    if (entry.kind === "process" && entry.event === "started") this.#command = entry.command;
    if (entry.kind === "noise") this.#leaveOut(reasons.noise);
    if (entry.kind === "stderr") this.#leaveOut(reasons.stderr);
    if (entry.kind === "left_out") this.#leaveOut(reasons.missing);
    if (entry.kind !== "message") return;
    this.#count += 1;
    if (this.#count > MAX_MESSAGES) this.#leaveOut(reasons.tooMany);
    else if (entry.leftOut) this.#leaveOut(reasons.contents);
    else if (entry.from === "client") this.#sent(members(entry.message));
    else this.#received(members(entry.message));
  }

  conversation(): RecordedConversation {
    const steps = this.#steps.filter(({ isRequest, hasResponse }) => !isRequest || hasResponse);
    for (let count = steps.length; count < this.#steps.length; count += 1) this.#leaveOut(reasons.unanswered);
    return {
      command: this.#command,
      isVersion2: this.#isVersion2,
      steps,
      responses: this.#responses,
      leftOut: this.#leftOut,
    };
  }

  #sent({ id, method, params, result, error }: Readonly<Record<string, unknown>>): void {
    if (typeof method !== "string") {
      this.#responded(JSON.stringify(id), result, error);
      return;
    }
    if (method === "$/cancel_request") {
      this.#leaveOut(reasons.cancelRequest);
      return;
    }
    const turn = method === "session/cancel" ? this.#turnOf(textOf(params, "sessionId")) : undefined;
    if (turn !== undefined) {
      turn.cancelledAfter ??= turn.messages.length;
      return;
    }
    const isRequest = id !== undefined;
    const step = {
      method,
      params,
      isRequest,
      messages: [],
      hasResponse: false,
      overlaps: this.#open.size + this.#working.size > 0,
    };
    for (const open of [...this.#open.values(), ...this.#working.values()]) open.overlaps = true;
    this.#steps.push(step);
    if (isRequest) this.#open.set(JSON.stringify(id), step);
  }

  #responded(key: string, result: unknown, error: unknown): void {
    const response = this.#agentRequests.get(key);
    if (response === undefined) {
      this.#leaveOut(reasons.unknown);
      return;
    }
    this.#agentRequests.delete(key);
    if (error === undefined) response.result = result;
    else response.error = error;
    const cancelled = [...this.#open.values()].find(({ cancelledAfter }) => cancelledAfter !== undefined);
    if (cancelled !== undefined) response.afterCancelOf = cancelled;
  }

  #received(message: Readonly<Record<string, unknown>>): void {
    const { id, method, result } = message;
    const current = this.#steps.at(-1);
    if (current === undefined) this.#leaveOut(reasons.early);
    else current.messages.push(message);
    if (typeof method === "string") {
      const update = members(members(message.params).update);
      if (update.sessionUpdate === "state_update" && update.state === "idle")
        this.#working.delete(textOf(message.params, "sessionId") ?? "");
      if (id === undefined) return;
      const response = { method };
      this.#responses.push(response);
      this.#agentRequests.set(JSON.stringify(id), response);
      return;
    }
    const step = this.#open.get(JSON.stringify(id));
    if (step === undefined) return;
    this.#open.delete(JSON.stringify(id));
    step.hasResponse = true;
    if (step.method === "initialize") this.#isVersion2 = isV2Result(result);
    if (this.#isVersion2 && step.method === "session/prompt" && textOf(result, "messageId") !== undefined) {
      step.isWork = true;
      this.#working.set(textOf(step.params, "sessionId") ?? "", step);
    }
    const sessionId = textOf(result, "sessionId");
    if (sessionId !== undefined) step.newSession = sessionId;
  }

  #turnOf(sessionId: string | undefined): RecordedStep | undefined {
    return [...this.#open.values(), ...this.#working.values()].find(
      ({ method, params }) => method === "session/prompt" && textOf(params, "sessionId") === sessionId,
    );
  }

  #leaveOut(reason: string): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }
}
