import type { PromptResult } from "@acp-kit/agent";
import type { WorkContext } from "@acp-kit/agent/internal";
import { requestCancelled } from "@acp-kit/jsonrpc";
import { isRpcError } from "@acp-kit/protocol";
import { type Deferred, deferred } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { WorkStates } from "./work-states.js";

/**
 * The states of a prompt, or of work that no prompt has requested.
 *
 * - `held`: it waits for the work before it. A prompt has no response yet.
 * - `started`: its handler was called, but has done nothing yet. If the handler fails now, the prompt gets an error
 *   response, and the conversation does not contain it.
 * - `inserted`: the conversation contains it. Its end is a state of the session.
 * - `merged`: it was inserted into the work of another prompt, and ends with it.
 */
type Stage = "held" | "started" | "inserted" | "merged";

interface Run {
  readonly request: v1.IncomingPromptRequest;
  /** The response of the prompt; `undefined` for work that no prompt has requested. */
  readonly response: Deferred<v2.PromptResponse> | undefined;
  readonly messageId: string;
  /** The insertion waits until this promise resolves. */
  stored: Promise<unknown> | undefined;
  stage: Stage;
}

/** Sends the messages of prompts. */
interface Messages {
  nextId(): string;
  insert(messageId: string, content: v2.ContentBlock[]): void;
}

/**
 * Inserts prompts into the conversation, and reports the end of their work.
 *
 * A prompt is inserted when its handler sends the first update or request, at the latest one microtask after the
 * handler was called. The client then gets the user message, the state `running` and the response, in this order.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export class PromptInsertion {
  readonly #states: WorkStates;
  readonly #works: Set<Promise<unknown>>;
  readonly #messages: Messages;
  readonly #runs = new Map<v1.IncomingPromptRequest, Run>();
  /** The run that is inserted with the next update or request. */
  #started: Run | undefined;

  /** @param works receives the work of runs while they run. */
  constructor(states: WorkStates, works: Set<Promise<unknown>>, messages: Messages) {
    this.#states = states;
    this.#works = works;
    this.#messages = messages;
  }

  /** Returns the id that the message of a prompt has or will have. */
  messageIdOf(request: v1.IncomingPromptRequest): string | undefined {
    return this.#runs.get(request)?.messageId;
  }

  /** Inserts a prompt into the running work, before the handler of the work receives it. */
  merge(request: v1.IncomingPromptRequest): void {
    const run = this.#runs.get(request);
    if (run !== undefined) this.#insert(run, "merged");
  }

  /** Delays the insertion of the run whose handler was just called. */
  holdUntil(stored: Promise<unknown>): void {
    if (this.#started !== undefined) this.#started.stored = stored;
  }

  /**
   * Runs the work of a prompt. The result is the response to the prompt, which does not wait for the end of the work.
   */
  prompt(
    request: v1.IncomingPromptRequest,
    signal: AbortSignal,
    work: (context: WorkContext) => Promise<v1.PromptResponse>,
  ): Promise<v2.PromptResponse> {
    const response = deferred<v2.PromptResponse>();
    const run = this.#newRun(request, response);
    this.#run(run, signal, work).catch((error) => response.reject(error));
    return response.promise;
  }

  /** Runs work that no prompt has requested. */
  work(
    request: v1.IncomingPromptRequest,
    work: (context: WorkContext) => Promise<v1.PromptResponse>,
  ): Promise<v1.PromptResponse> {
    return this.#run(this.#newRun(request, undefined), new AbortController().signal, work);
  }

  #newRun(request: v1.IncomingPromptRequest, response: Run["response"]): Run {
    const run: Run = { request, response, messageId: this.#messages.nextId(), stored: undefined, stage: "held" };
    this.#runs.set(request, run);
    return run;
  }

  /** Calls the handler of a run. */
  async play(request: v1.IncomingPromptRequest, handler: () => Promise<PromptResult>): Promise<PromptResult> {
    const run = this.#runs.get(request);
    if (run !== undefined) run.stage = "started";
    this.#started = run;
    let hasFailed = false;
    const played = handler();
    played.then(undefined, () => {
      hasFailed = true;
    });
    await undefined; // a handler that has thrown before it waited for anything has failed now
    await run?.stored?.catch(() => {
      hasFailed = true;
    });
    if (this.#started === run) {
      if (hasFailed) this.#started = undefined;
      else this.insertStarted();
    }
    return played;
  }

  /** Inserts the run whose handler was called, because something of it is sent. */
  insertStarted(): void {
    const run = this.#started;
    if (run === undefined) return;
    this.#started = undefined;
    this.#insert(run, "inserted");
  }

  #run(
    run: Run,
    signal: AbortSignal,
    work: (context: WorkContext) => Promise<v1.PromptResponse>,
  ): Promise<v1.PromptResponse> {
    const running = this.#toEnd(run, signal, work);
    this.#works.add(running);
    const ended = (): void => void this.#works.delete(running);
    running.then(ended, ended);
    return running;
  }

  async #toEnd(
    run: Run,
    signal: AbortSignal,
    work: (context: WorkContext) => Promise<v1.PromptResponse>,
  ): Promise<v1.PromptResponse> {
    const afterEnd: (() => void)[] = [];
    try {
      const result = await work({
        signal,
        afterResponse: (action) => afterEnd.push(action),
      });
      // The agent has cancelled a prompt that it held
      if (run.stage === "held" || run.stage === "started") throw requestCancelled();
      if (run.stage === "inserted") this.#states.end(result);
      return result;
    } catch (error) {
      if (run.stage === "inserted") this.#states.end({ stopReason: "error", ...errorOf(error) });
      throw error;
    } finally {
      if (this.#started === run) this.#started = undefined;
      this.#runs.delete(run.request);
      for (const action of afterEnd) action();
    }
  }

  #insert(run: Run, stage: "inserted" | "merged"): void {
    run.stage = stage;
    if (run.response === undefined) {
      this.#states.begin();
      return;
    }
    const { messageId } = run;
    this.#messages.insert(messageId, run.request.prompt as v2.ContentBlock[]);
    this.#states.begin();
    run.response.resolve({ messageId });
  }
}

function errorOf(error: unknown): { readonly error?: v2.Error } {
  if (!isRpcError(error)) return {};
  const { code, message, data } = error;
  return { error: { code, message, ...(data !== undefined && { data }) } as v2.Error };
}
