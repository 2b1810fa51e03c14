import type { Engine } from "@acp-kit/gateway";
import { entryOf, type HistoryEntry } from "./history.js";
import { scopeOf } from "./scopes.js";

const whole = { maxEntries: 1_000_000, maxChars: 100_000_000 };

/** Returns the entries of a session's journal that the engine stores now. */
export async function entriesOf(engine: Engine, tenant: string, sessionId: string) {
  const page = await engine.read({ scope: scopeOf(tenant), sessionId }, undefined, whole);
  return page.is === "page" ? page.entries : [];
}

/** The journals that an engine stores. Each read fetches only the entries that were appended since the previous one. */
export class StoredJournals {
  readonly #engine: Engine;
  readonly #journals = new Map<string, HistoryEntry[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The entries of a session; empty if the engine has no such session. */
  async entries(tenant: string, sessionId: string): Promise<readonly HistoryEntry[]> {
    const known = this.#journals.get(sessionId) ?? [];
    const key = { scope: scopeOf(tenant), sessionId };
    const page = await this.#engine.read(key, known.at(-1), whole);
    if (page.is !== "page") {
      this.#journals.delete(sessionId);
      // The journal has changed after a failover or a deletion: read it from its start
      return known.length === 0 ? [] : this.entries(tenant, sessionId);
    }
    const entries = [...known, ...page.entries.map(({ seq, epoch, text }) => entryOf(seq, epoch, text))];
    this.#journals.set(sessionId, entries);
    return entries;
  }

  /** Forgets all entries, so that the next reads fetch whole journals again. */
  forget(): void {
    this.#journals.clear();
  }
}
