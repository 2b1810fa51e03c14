import type { GatewayClock } from "../clock.js";
import type { Engine } from "../engine/engine.js";
import { isCorrupt } from "../engine/engine-error.js";
import type { SessionKey } from "../engine/session-record.js";
import { endOf, Feed, type FeedLimits } from "../journal/feed.js";
import { REPAIR_MS } from "../journal/read-repaired.js";
import { keyName } from "../principal.js";

interface OpenFeed extends FollowedFeed {
  readonly stopWatching: () => void;
  users: number;
}

/** A feed, and the state that this replica keeps between two reads of the engine. */
interface FollowedFeed {
  readonly feed: Feed;
  readonly reads: {
    /**
     * The time of the first read at which the engine no longer had entries that this replica knows. The owner of the
     * session may append them again.
     */
    aheadSince: number | undefined;
  };
}

/** Options of {@link Feeds}. */
export interface FeedsOptions {
  readonly engine: Engine;
  readonly limits: FeedLimits;
  readonly clock: GatewayClock;
  /**
   * Returns whether this replica owns the session and writes its journal. Such a replica does not read new entries from
   * the engine: it has written them itself.
   */
  readonly isOwned: (name: string) => boolean;
}

/**
 * Keeps one feed (the readable journal of a session) for each session that this replica owns or to which its clients
 * are attached.
 */
export class Feeds {
  readonly #options: FeedsOptions;
  readonly #open = new Map<string, OpenFeed>();
  readonly #opening = new Map<string, Promise<OpenFeed | undefined>>();

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  /**
   * Opens the feed of a session; `undefined` if there is no such session. The caller must pass the feed to
   * {@link close} when it no longer uses the feed.
   */
  async open(key: SessionKey): Promise<Feed | undefined> {
    const name = keyName(key);
    for (;;) {
      const known = this.#open.get(name);
      if (known !== undefined) {
        known.users += 1;
        return known.feed;
      }
      let opening = this.#opening.get(name);
      if (opening === undefined) {
        opening = this.#start(key, name).finally(() => this.#opening.delete(name));
        this.#opening.set(name, opening);
      }
      if ((await opening) === undefined) return undefined;
    }
  }

  /** The epoch of the newest entry of a session that this replica knows; 0 if its journal is not open here. */
  epochOf(key: SessionKey): number {
    return this.#open.get(keyName(key))?.feed.last.epoch ?? 0;
  }

  close(feed: Feed): void {
    const name = keyName(feed.key);
    const known = this.#open.get(name);
    if (known === undefined || known.feed !== feed) return;
    known.users -= 1;
    if (known.users === 0) this.#stop(name, feed);
  }

  #stop(name: string, feed: Feed): void {
    const known = this.#open.get(name);
    if (known?.feed !== feed) return;
    known.stopWatching();
    this.#open.delete(name);
  }

  /** Reads the journals that other replicas write, because the engine's notifications about changes may be lost. */
  refresh(): void {
    for (const [name, open] of this.#open) this.#pull(name, open);
  }

  async #start(key: SessionKey, name: string): Promise<OpenFeed | undefined> {
    const { engine, limits } = this.#options;
    const last = await endOf(engine, key);
    if (last === undefined) return undefined;
    const followed: FollowedFeed = { feed: new Feed(engine, key, last, limits), reads: { aheadSince: undefined } };
    const open: OpenFeed = {
      ...followed,
      stopWatching: engine.watch(key, () => this.#pull(name, followed)),
      users: 0,
    };
    this.#open.set(name, open);
    this.#pull(name, followed); // for entries that were appended before the watch began
    return open;
  }

  #pull(name: string, followed: FollowedFeed): void {
    if (!this.#options.isOwned(name))
      this.#follow(name, followed).catch((error: unknown) => this.#failed(name, followed, error));
  }

  /**
   * Handles an error of a read. If the journal can't be read, ends the feed, so that clients get an error. Otherwise,
   * the next notification of the engine or the next refresh reads again.
   */
  #failed(name: string, { feed }: FollowedFeed, error: unknown): void {
    if (!isCorrupt(error) || this.#options.isOwned(name)) return;
    this.#stop(name, feed);
    feed.end(error);
  }

  /**
   * Reads new entries. If the engine has permanently lost entries that were read, moves the feed to the end of the
   * journal: clients then get an error. Ends the feed of a session that no longer exists. If the session exists again
   * later, it gets another feed.
   */
  async #follow(name: string, { feed, reads }: FollowedFeed): Promise<void> {
    const { clock, isOwned } = this.#options;
    const end = await feed.pull();
    if (end === "missing" && !isOwned(name)) {
      this.#stop(name, feed);
      feed.end("missing");
      return;
    }
    reads.aheadSince = end === "ahead" ? (reads.aheadSince ?? clock.now()) : undefined;
    const isLost = end === "lost" || (reads.aheadSince !== undefined && clock.now() - reads.aheadSince >= REPAIR_MS);
    if (isLost && !isOwned(name)) await feed.skip();
  }
}
