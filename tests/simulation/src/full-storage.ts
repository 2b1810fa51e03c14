import { Random } from "./random.js";
import type { Record as Log } from "./record.js";
import type { EngineFaults } from "./sim-engine.js";
import type { World } from "./world.js";

export interface FullStorageParts {
  readonly world: World;
  /** The seed of separate random numbers. */
  readonly seed: number;
  readonly faults: EngineFaults;
  readonly log: Log;
}

/** Fills the storage of the engine at random times, for a while. A full storage accepts no entries and no sessions. */
export class FullStorage {
  readonly #parts: FullStorageParts;
  readonly #random: Random;
  /** How often the storage was full. */
  count = 0;

  constructor(parts: FullStorageParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x0f01_1d15);
  }

  /**
   * Returns how long the processes of an agent take to end, in milliseconds. An owner that can't write its entries ends
   * its agent before the next owner begins.
   */
  agentEndMs(): number {
    return this.#random.chance(0.5) ? this.#random.int(1, 500) : 0;
  }

  async run(isOver: () => boolean): Promise<void> {
    const { world, faults, log } = this.#parts;
    for (;;) {
      await world.sleep(this.#random.int(100, 4_000));
      if (isOver()) return;
      const fullMs = this.#random.int(1, this.#random.chance(0.5) ? 100 : 3_000);
      faults.fullUntil = world.now() + fullMs;
      log.faults.push({ kind: "full", at: world.now(), until: faults.fullUntil });
      this.count += 1;
    }
  }
}
