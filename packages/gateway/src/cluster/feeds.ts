import type { Engine } from "../engine/engine.js";
import type { SessionKey } from "../engine/session-record.js";
import { endOf, Feed, type FeedLimits } from "../journal/feed.js";
import { keyName } from "../principal.js";

interface OpenFeed {
  readonly feed: Feed;
  readonly stopWatching: () => void;
  users: number;
}

/**
 * Keeps one feed (the readable journal of a session) for each session that this replica owns or to which its clients
 * are attached.
 */
export class Feeds {
  readonly #engine: Engine;
  readonly #limits: FeedLimits;
  readonly #isOwned: (name: string) => boolean;
  readonly #open = new Map<string, OpenFeed>();
  readonly #opening = new Map<string, Promise<OpenFeed | undefined>>();

  /** @param isOwned whether this replica writes the journal. Its owner knows the entries before the engine reports them. */
  constructor(engine: Engine, limits: FeedLimits, isOwned: (name: string) => boolean) {
    this.#engine = engine;
    this.#limits = limits;
    this.#isOwned = isOwned;
  }

  /** Opens the feed of a session; `undefined` if there is no such session. Give it back with {@link close}. */
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
    if (known.users > 0) return;
    known.stopWatching();
    this.#open.delete(name);
  }

  /** Reads the journals that other replicas write, because the engine's reports may be lost. */
  refresh(): void {
    for (const [name, { feed }] of this.#open) if (!this.#isOwned(name)) pullQuietly(feed);
  }

  async #start(key: SessionKey, name: string): Promise<OpenFeed | undefined> {
    const last = await endOf(this.#engine, key);
    if (last === undefined) return undefined;
    const feed = new Feed(this.#engine, key, last, this.#limits);
    const stopWatching = this.#engine.watch(key, () => {
      if (!this.#isOwned(name)) pullQuietly(feed);
    });
    const open: OpenFeed = { feed, stopWatching, users: 0 };
    this.#open.set(name, open);
    pullQuietly(feed); // for entries that were appended before the watch began
    return open;
  }
}

function pullQuietly(feed: Feed): void {
  feed.pull().catch(() => {}); // the next report, or the next refresh, reads again
}
