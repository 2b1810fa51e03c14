import { Random } from "./random.js";
import type { SimClient } from "./sim-client.js";
import type { World } from "./world.js";

export interface SettingsParts {
  readonly world: World;
  /** The seed of separate random numbers for changes of settings. */
  readonly seed: number;
  readonly clients: readonly SimClient[];
}

/** Lets clients change the modes and options of sessions that they have open. */
export class Settings {
  readonly #parts: SettingsParts;
  readonly #random: Random;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x5e77_1265);
  }

  async run(isOver: () => boolean): Promise<void> {
    const { world, clients } = this.#parts;
    for (;;) {
      await world.sleep(this.#random.int(10, 1_000));
      if (isOver()) return;
      const client = this.#random.pick(clients.filter(({ isReady }) => isReady));
      const session = this.#random.pick(
        [...(client?.sessions.values() ?? [])].filter(({ from }) => from !== undefined),
      );
      const kind = this.#random.chance(0.5) ? "mode" : "option";
      // Further changes may follow before the response
      if (client !== undefined && session !== undefined) void client.set(session, kind);
    }
  }

  /** The number of changes of which clients got the response. */
  get count(): number {
    return this.#parts.clients.reduce((sum, { changes }) => sum + changes, 0);
  }
}
