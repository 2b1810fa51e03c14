import type { Failovers } from "./failovers.js";
import { Random } from "./random.js";
import type { SimClient } from "./sim-client.js";
import type { World } from "./world.js";

/** A request of a client to delete a session. */
interface Deletion {
  readonly session: string;
  readonly at: number;
  /** The time of the response. If there was no response, it is not known whether the session was deleted. */
  doneAt?: number;
}

export interface DeletionsParts {
  readonly world: World;
  /**
   * The seed of separate random numbers for deletions. So the other decisions of a simulation are the same with and
   * without deletions.
   */
  readonly seed: number;
  readonly clients: readonly SimClient[];
  readonly failovers: Failovers | undefined;
}

/** The deletions of sessions. */
export class Deletions {
  readonly #parts: DeletionsParts;
  readonly #random: Random;
  readonly #requested: Deletion[] = [];
  readonly #uses: Promise<void>[] = [];
  #prompts = 0;

  constructor(parts: DeletionsParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x0de1_e7e5);
  }

  /** Lets clients delete sessions at random times, and shortly before failovers, which lose some of these deletions. */
  async run(isOver: () => boolean): Promise<void> {
    const { world, failovers } = this.#parts;
    failovers?.onCopied((lagMs) => void this.#uses.push(this.#deleteAndUse(lagMs)));
    for (;;) {
      await world.sleep(this.#random.int(500, 6_000));
      if (isOver()) return;
      this.#delete();
    }
  }

  /** Resolves when all clients have used the sessions that were deleted before failovers. */
  async used(): Promise<void> {
    await Promise.all(this.#uses);
  }

  /**
   * Lets a client delete one of its sessions. Returns the session's id, or `undefined` if there is no session to
   * delete.
   */
  #delete(): string | undefined {
    const { world, clients } = this.#parts;
    const client = this.#random.pick(clients);
    const session = client && this.#random.pick([...client.sessions.values()]);
    if (client === undefined || session === undefined || !client.isReady || session.isUnknown) return undefined;
    const deletion: Deletion = { session: session.sessionId, at: world.now() };
    this.#requested.push(deletion);
    void client.delete(session).then((isDone) => {
      if (isDone) deletion.doneAt = world.now();
    });
    return session.sessionId;
  }

  /** Lets a client delete a session before a failover, and the other clients use it afterwards. */
  async #deleteAndUse(lagMs: number): Promise<void> {
    const { world, clients, failovers } = this.#parts;
    await world.sleep(this.#random.int(0, lagMs >> 2)); // early enough that the deletion ends before the failover
    const sessionId = this.#delete();
    if (sessionId === undefined) return;
    await world.sleep(lagMs + 1);
    await world.sleep(Math.max(0, (failovers?.upAt ?? 0) - world.now()));
    for (let round = 0; round < 3; round++)
      for (const client of clients) {
        const session = client.sessions.get(sessionId);
        if (session === undefined || session.isUnknown) continue;
        await world.sleep(this.#random.int(100, 1_500));
        client.prompt(session, `${client.tenant}/${client.name}/again${this.#prompts++}`);
      }
  }

  /** The number of confirmed deletions. */
  get count(): number {
    return this.#requested.filter(({ doneAt }) => doneAt !== undefined).length;
  }

  /** Whether a client has tried to delete this session. */
  has(sessionId: string): boolean {
    return this.#requested.some(({ session }) => session === sessionId);
  }

  /** Whether a client has deleted this session, and no failover can have lost this deletion. */
  isFinal(sessionId: string): boolean {
    return this.#requested.some(
      ({ session, at, doneAt }) =>
        session === sessionId && doneAt !== undefined && this.#parts.failovers?.mayHaveLost(at, doneAt) !== true,
    );
  }
}
