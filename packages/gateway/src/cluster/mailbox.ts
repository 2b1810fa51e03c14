import type { GatewayClock } from "../clock.js";
import type { SessionKey } from "../engine/session-record.js";
import type { Command, Reply } from "../session/command.js";
import type { Post } from "./post.js";

/** What replicas send to each other. */
type Letter =
  | {
      readonly is: "command";
      readonly id: number;
      readonly from: string;
      readonly key: SessionKey;
      readonly command: Command;
    }
  | { readonly is: "reply"; readonly id: number; readonly reply: Reply };

/** Replies that are remembered, so that a command that arrives again is not done again. */
const MAX_REMEMBERED = 10_000;

/** Commands to sessions on other replicas, and their replies. Letters may arrive more than once. */
export class Mailbox {
  readonly #clock: GatewayClock;
  readonly #run: (key: SessionKey, command: Command) => Promise<Reply>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  /** By sender and id: what was done, or is being done. */
  readonly #done = new Map<string, Promise<Reply>>();
  readonly #post: Post;
  #ids = 0;

  /** @param run does a command that arrived. Must not reject. */
  constructor(post: Post, clock: GatewayClock, run: (key: SessionKey, command: Command) => Promise<Reply>) {
    this.#post = post;
    this.#clock = clock;
    this.#run = run;
  }

  /** An id for {@link send}: the same one each time a command is sent again. */
  nextId(): number {
    return ++this.#ids;
  }

  /** Sends a command and waits for the reply: `undefined` if none came in time, `"gone"` if there is no such replica. */
  async send(
    {
      to,
      id,
      key,
      command,
    }: { readonly to: string; readonly id: number; readonly key: SessionKey; readonly command: Command },
    timeoutMs: number,
  ): Promise<Reply | "gone" | undefined> {
    let stop = (): void => {};
    const reply = new Promise<Reply | undefined>((resolve) => {
      this.#waiting.set(id, resolve);
      stop = this.#clock.after(timeoutMs, () => resolve(undefined));
    });
    try {
      const letter: Letter = { is: "command", id, from: this.#post.id, key, command };
      if (!(await this.#post.send(to, JSON.stringify(letter)))) return "gone";
      return await reply;
    } finally {
      stop();
      this.#waiting.delete(id);
    }
  }

  /** Takes a letter. Never throws. */
  receive(text: string): void {
    const letter = JSON.parse(text) as Letter;
    if (letter.is === "reply") this.#waiting.get(letter.id)?.(letter.reply);
    else void this.#receiveCommand(letter);
  }

  async #receiveCommand({ id, from, key, command }: Extract<Letter, { is: "command" }>): Promise<void> {
    const name = `${from}/${id}`;
    let done = this.#done.get(name);
    if (done === undefined) {
      done = this.#run(key, command);
      this.#done.set(name, done);
      for (const oldest of this.#done.keys()) {
        if (this.#done.size <= MAX_REMEMBERED) break;
        this.#done.delete(oldest);
      }
    }
    const reply = await done;
    if (reply.is === "not_owner") this.#done.delete(name); // nothing was done
    const letter: Letter = { is: "reply", id, reply };
    await this.#post.send(from, JSON.stringify(letter)).catch(() => {}); // it is sent again, and finds the reply
  }
}
