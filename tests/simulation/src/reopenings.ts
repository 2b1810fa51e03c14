import { Random } from "./random.js";
import type { KnownSession, SimClient } from "./sim-client.js";
import type { World } from "./world.js";

export interface ReopeningsParts {
  readonly world: World;
  /** The seed of separate random numbers for reopenings. */
  readonly seed: number;
  readonly clients: readonly SimClient[];
  /**
   * Whether clients may load open sessions. With a retention, a client could not distinguish a replay from the updates
   * before it.
   */
  readonly mayLoad: boolean;
}

/**
 * Lets clients load or resume sessions that they have open on the same connection, while their own turns run or are
 * queued.
 */
export class Reopenings {
  readonly #parts: ReopeningsParts;
  readonly #random: Random;

  constructor(parts: ReopeningsParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x0e0b_e4a1);
  }

  async run(isOver: () => boolean): Promise<void> {
    const { world, mayLoad } = this.#parts;
    for (;;) {
      await world.sleep(this.#random.int(10, 600));
      if (isOver()) return;
      const chosen = this.#random.pick(this.#candidates());
      const method = mayLoad && this.#random.chance(0.7) ? "load" : "resume";
      if (chosen !== undefined) await chosen.client.reopen(chosen.session, method);
    }
  }

  /** The sessions that clients have open and in which they have sent prompts without a response. */
  #candidates(): { readonly client: SimClient; readonly session: KnownSession }[] {
    return this.#parts.clients
      .filter(({ isReady }) => isReady)
      .flatMap((client) => {
        const open = client.prompts.filter(({ isOpen, isUnopened }) => isOpen && !isUnopened);
        return [...new Set(open.map(({ session }) => session))].map((session) => ({ client, session }));
      })
      .filter(({ session }) => session.received.length > 0 && session.replay === undefined);
  }

  /** The number of sessions that clients have opened again. */
  get count(): number {
    return this.#parts.clients.reduce((sum, { reopenings }) => sum + reopenings, 0);
  }
}
