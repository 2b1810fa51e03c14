import { type Deferred, deferred } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import { rpcErrorOf } from "../gateway-error.js";
import type { Outcome } from "../journal/journal-entry.js";
import type { Command, DoneReply } from "../session/command.js";
import { withCursor } from "./meta.js";

/** The command that runs a prompt. */
export type PromptCommand = Extract<Command, { is: "prompt" }>;

/** A prompt of this client that has no response yet. */
interface PendingPrompt {
  readonly command: PromptCommand;
  readonly outcome: Deferred<unknown>;
  /**
   * Resolves when the owner has replied: with `true` if it has queued the prompt, with `false` if the prompt will not
   * run or has already ended.
   */
  readonly accepted: Deferred<boolean>;
  /** Whether its response is being read, because its turn has ended: then it is not sent again. */
  isResponding: boolean;
}

/** Options of {@link PendingPrompts}. */
export interface PendingPromptsOptions {
  /** Whether responses contain cursors. */
  readonly sendsCursors: boolean;
  /** Sends a prompt to the owner of the session. */
  readonly send: (command: PromptCommand) => Promise<DoneReply>;
  /**
   * Returns the response to a prompt whose turn had ended when the owner received the prompt again.
   *
   * @param end the outcome of the turn.
   */
  readonly responseTo: (key: string, end: Outcome) => Promise<Outcome>;
  /** Resolves when the client has received the entry with this number and epoch. */
  readonly reached: (seq: number, epoch: number) => Promise<void>;
  /** Resolves when the client has received every entry that this replica knows now. */
  readonly caughtUp: () => Promise<void>;
}

/**
 * The prompts of one client in a session. A prompt settles when the end of its turn is delivered: see {@link ended}.
 * Otherwise it rejects, if the owner refuses it or if the attachment ends.
 */
export class PendingPrompts {
  readonly #options: PendingPromptsOptions;
  readonly #pending = new Map<string, PendingPrompt>();
  /** The keys of prompts that the client sent on another connection, and will send again. */
  #repeated: ReadonlySet<string> = new Set();
  /**
   * The responses to such prompts that were delivered before the client repeated them. A prompt of a client of version
   * 2 has its response before its turn has ended, so the client may repeat it during the turn.
   */
  readonly #early = new Map<string, Outcome>();

  constructor(options: PendingPromptsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Sets the keys of the prompts that the client sent on another connection, and will send again.
   *
   * @param responses the responses to prompts of the client whose entries will not be delivered any more.
   */
  expect(keys: ReadonlySet<string>, responses: ReadonlyMap<string, Outcome>): void {
    this.#repeated = keys;
    this.#early.clear();
    for (const [key, outcome] of responses)
      if (this.#pending.has(key)) void this.ended(key, outcome);
      else this.#early.set(key, outcome);
  }

  /** The keys of the prompts that wait for their responses. */
  get keys(): Iterable<string> {
    return this.#pending.keys();
  }

  /** Whether a prompt waits for its response on this connection. */
  isPending(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Whether a turn belongs to a prompt of this client. */
  isOwn(key: string): boolean {
    return this.#pending.has(key) || this.#repeated.has(key);
  }

  /** Sends a prompt, unless it is pending or its end was delivered. Returns the response. */
  add(key: string, command: PromptCommand): Promise<unknown> {
    const known = this.#pending.get(key);
    if (known !== undefined) return known.outcome.promise;
    const pending: PendingPrompt = { command, outcome: deferred(), accepted: deferred(), isResponding: false };
    this.#pending.set(key, pending);
    const early = this.#early.get(key);
    this.#early.delete(key);
    if (early !== undefined) void this.ended(key, early);
    else if (this.#repeated.has(key)) void this.#sendAgain(key, pending);
    else void this.#send(key, pending);
    return pending.outcome.promise;
  }

  /** Sends the pending prompts again, because the session may have a new owner, which does not know them. */
  sendAgain(): void {
    for (const [key, pending] of this.#pending) void this.#sendAgain(key, pending);
  }

  /**
   * Settles a prompt, because the end of its turn is delivered. If it returns a promise, the connection has sent the
   * response when the promise resolves.
   *
   * @param at the position of the end, if the client has not received an entry after it.
   */
  ended(key: string, outcome: Outcome, at?: Position): Promise<unknown> | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined) {
      if (this.#repeated.has(key)) this.#early.set(key, outcome);
      return undefined;
    }
    this.#pending.delete(key);
    pending.accepted.resolve(false);
    if ("error" in outcome) pending.outcome.reject(rpcErrorOf(outcome.error));
    else
      pending.outcome.resolve(
        at !== undefined && this.#options.sendsCursors ? withCursor(outcome.result, at) : outcome.result,
      );
    // The connection waits for the same promise and sends the response. It attached its callback first, so when the
    // callback below runs, the connection has sent the response.
    return pending.outcome.promise.catch(() => {});
  }

  /** Resolves when the owner has replied to the prompts: with `true` if it has queued one of them. */
  async areAccepted(): Promise<boolean> {
    const accepted = await Promise.all(Array.from(this.#pending.values(), ({ accepted }) => accepted.promise));
    return accepted.includes(true);
  }

  /** Rejects all prompts. */
  reject(reason: unknown): void {
    for (const { outcome, accepted } of this.#pending.values()) {
      accepted.resolve(false);
      outcome.reject(reason);
    }
    this.#pending.clear();
  }

  /**
   * Sends a prompt that may have run already. The owner remembers the outcomes of only the last turns, so an older
   * prompt would run a second time. So the client first receives all entries: if one of them is the end of the turn,
   * the prompt is not sent again.
   */
  async #sendAgain(key: string, pending: PendingPrompt): Promise<void> {
    await this.#options.caughtUp();
    if (this.#pending.get(key) === pending && !pending.isResponding) await this.#send(key, pending);
  }

  async #send(key: string, pending: PendingPrompt): Promise<void> {
    try {
      const reply = await this.#options.send(pending.command);
      pending.accepted.resolve(reply.outcome === undefined);
      if (reply.outcome === undefined) return; // the end of the turn will be delivered
      await this.#options.reached(reply.at, reply.epoch); // the end of the turn may be before the client's position
      // The owner may have replied to several copies of the prompt, and a response may need the whole journal
      if (pending.isResponding) return;
      pending.isResponding = true;
      const response = await this.#options.responseTo(key, reply.outcome);
      if (this.#pending.get(key) === pending) await this.ended(key, response);
    } catch (error) {
      pending.accepted.resolve(false);
      if (this.#pending.get(key) !== pending) return;
      this.#pending.delete(key);
      pending.outcome.reject(error);
    }
  }
}
