import type { GatewayClock } from "../clock.js";
import type { SessionKey } from "../engine/session-record.js";
import type { Command, McpCommand, Reply } from "../session/command.js";
import type { Post } from "./post.js";

/** A command to the owner of a session on another replica, or about a call of a client's MCP server. */
export interface SentCommand {
  readonly key: SessionKey;
  readonly command: Command | McpCommand;
  /** The newest epoch of the session's journal that the sender knows: see {@link OwnedSession.run}. */
  readonly seen: number;
  /** Whether the receiver acquires the session if it does not own it. */
  readonly mayAcquire: boolean;
}

/** A message between replicas. */
type Letter =
  | (SentCommand & { readonly is: "command"; readonly id: number; readonly from: string })
  | { readonly is: "reply"; readonly id: number; readonly reply: Reply };

/** The maximum number of stored replies. A repeated command gets the stored reply and is not executed again. */
const MAX_REMEMBERED = 10_000;

/** A command that this replica has executed or is executing. */
interface ReceivedCommand {
  readonly reply: Promise<Reply>;
  /** The size of the reply; 0 until the command is executed. */
  chars: number;
}

/**
 * Sends commands to the owners of sessions on other replicas, and receives their replies. A command or reply may arrive
 * more than once.
 */
export class Mailbox {
  readonly #clock: GatewayClock;
  readonly #run: (sent: SentCommand) => Promise<Reply>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #maxReplyChars: number;
  /** By the sender and the id of the command, oldest first. */
  readonly #received = new Map<string, ReceivedCommand>();
  /** The characters of all stored replies. */
  #chars = 0;
  readonly #post: Post;
  #ids = 0;

  /**
   * @param run executes a received command. Must not reject.
   *
   * @param maxReplyChars see {@link GatewayLimits.maxReplyChars}.
   */
  constructor(post: Post, clock: GatewayClock, run: (sent: SentCommand) => Promise<Reply>, maxReplyChars: number) {
    this.#post = post;
    this.#clock = clock;
    this.#run = run;
    this.#maxReplyChars = maxReplyChars;
  }

  /** Creates the id of a command for {@link send}. A command that is sent again keeps its id. */
  nextId(): number {
    return ++this.#ids;
  }

  /**
   * Sends a command and waits for the reply: `undefined` if none arrived in time, `"gone"` if there is no such replica.
   */
  async send(
    { to, id, ...sent }: SentCommand & { readonly to: string; readonly id: number },
    timeoutMs: number,
  ): Promise<Reply | "gone" | undefined> {
    let stop = (): void => {};
    const reply = new Promise<Reply | undefined>((resolve) => {
      this.#waiting.set(id, resolve);
      stop = this.#clock.after(timeoutMs, () => resolve(undefined));
    });
    try {
      const letter: Letter = { is: "command", id, from: this.#post.id, ...sent };
      if (!(await this.#post.send(to, JSON.stringify(letter)))) return "gone";
      return await reply;
    } finally {
      stop();
      this.#waiting.delete(id);
    }
  }

  /** Handles a message of another replica. Never throws. */
  receive(text: string): void {
    const letter = JSON.parse(text) as Letter;
    if (letter.is === "reply") this.#waiting.get(letter.id)?.(letter.reply);
    else void this.#receiveCommand(letter);
  }

  async #receiveCommand(letter: Extract<Letter, { is: "command" }>): Promise<void> {
    const { id, from, key, command, seen, mayAcquire } = letter;
    const name = `${from}/${id}`;
    let received = this.#received.get(name);
    if (received === undefined) {
      received = { reply: this.#run({ key, command, seen, mayAcquire }), chars: 0 };
      this.#received.set(name, received);
      this.#forgetOldest();
    }
    const reply = await received.reply;
    const text = JSON.stringify({ is: "reply", id, reply } satisfies Letter);
    // The reply is not stored if the command was not executed. `attach` may be executed twice, and is so frequent that
    // it would displace other replies.
    if (reply.is === "not_owner" || command.is === "attach") this.#received.delete(name);
    else if (received.chars === 0 && this.#received.get(name) === received) {
      received.chars = text.length;
      this.#chars += text.length;
      this.#forgetOldest();
    }
    await this.#post.send(from, text).catch(() => {}); // the sender repeats the command, and gets this reply
  }

  /**
   * Removes the oldest replies beyond the limits. Commands that are being executed, and the newest reply, are not
   * removed because of their size.
   */
  #forgetOldest(): void {
    let left = this.#received.size;
    for (const [name, { chars }] of this.#received) {
      const isFull = left > MAX_REMEMBERED;
      if (!isFull && (this.#chars <= this.#maxReplyChars || left === 1)) return;
      left -= 1;
      if (!isFull && chars === 0) continue;
      this.#received.delete(name);
      this.#chars -= chars;
    }
  }
}
