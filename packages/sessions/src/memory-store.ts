import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { checkLimits } from "./check-limits.js";
import { LeaseLostError } from "./errors.js";
import { beginsTurn, type LogEntry, type StoredEntry } from "./log-entry.js";
import { LogSize } from "./log-size.js";
import { cursorOf, placeOf } from "./page-cursor.js";
import type {
  OwnedSessions,
  SessionLog,
  SessionPage,
  SessionRecord,
  SessionStore,
  StoreLimits,
} from "./session-store.js";
import { assertOwner, assertStorable, storable, utf8Bytes } from "./storable-text.js";
import { totalOf, turnsToDrop } from "./turns-to-drop.js";

interface Kept {
  readonly owner: string;
  readonly place: number;
  record: SessionRecord;
  entries: (StoredEntry & { readonly bytes: number })[];
  readonly size: LogSize;
  seq: number;
  token: number;
  held: boolean;
}

/** Options of a memory store. */
export interface MemoryStoreOptions {
  readonly limits?: StoreLimits;
  /** Returns the current time in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/**
 * Creates a store that keeps sessions in memory as long as the process runs: for tests, and for agents that support
 * `session/resume` without storing sessions on disk.
 *
 * @throws {TypeError} when a limit is not a number from 0 to `Infinity`.
 */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  checkOptions("memoryStore", options, optionKinds);
  const { now = Date.now } = options;
  const limits = checkLimits(options.limits);
  const sessions = new Map<string, Kept>();
  let place = 0;
  const timestamp = (): string => new Date(now()).toISOString();

  const ownedBy = (owner: string, sessionId: string): Kept | undefined => {
    const kept = sessions.get(sessionId);
    return kept?.owner === owner ? kept : undefined;
  };

  const openLog = (kept: Kept): SessionLog => {
    const token = ++kept.token;
    kept.held = true;
    const { sessionId } = kept.record;
    const assertHeld = (): void => {
      if (kept.token !== token || sessions.get(sessionId) !== kept) throw new LeaseLostError(sessionId);
    };
    return {
      sessionId,
      token,
      append(entry: LogEntry) {
        assertHeld();
        const text = JSON.stringify(entry);
        // A copy, because the agent may change the object later.
        const stored = {
          seq: ++kept.seq,
          at: timestamp(),
          entry: JSON.parse(text) as LogEntry,
          bytes: utf8Bytes(text),
        };
        kept.entries.push(stored);
        kept.record = { ...kept.record, updatedAt: stored.at };
        const isOverLimit = kept.size.add(entry, stored.bytes);
        if (limits.maxSessionBytes !== undefined && isOverLimit) shrink(kept, limits.maxSessionBytes);
        return stored.seq;
      },
      setTitle(title) {
        assertHeld();
        kept.record = { ...kept.record, title: title && storable(title), updatedAt: timestamp() };
      },
      release() {
        if (kept.token === token) kept.held = false;
      },
    };
  };

  /** @param next a session that is about to be created. */
  const prune = (next?: string): void => {
    const { maxAgeMs, maxSessions } = limits;
    const idle = [...sessions.values()].filter(({ held }) => !held).sort(byUse);
    for (const { record } of idle) {
      if (maxAgeMs !== undefined && Date.parse(record.updatedAt) < now() - maxAgeMs) sessions.delete(record.sessionId);
    }
    if (maxSessions === undefined) return;
    for (const owner of new Set(idle.map((kept) => kept.owner))) {
      const all = [...sessions.values()].filter((kept) => kept.owner === owner);
      const over = idle.filter((kept) => kept.owner === owner && sessions.has(kept.record.sessionId));
      for (const { record } of over.slice(0, Math.max(0, all.length + (owner === next ? 1 : 0) - maxSessions)))
        sessions.delete(record.sessionId);
    }
  };

  const owned = (owner: string): OwnedSessions => ({
    create({ sessionId, cwd, additionalDirectories }) {
      assertStorable({ sessionId, cwd, additionalDirectories });
      if (sessions.has(sessionId)) throw new TypeError(`The session ${sessionId} already exists`);
      prune(owner);
      const at = timestamp();
      const record = {
        sessionId,
        cwd,
        additionalDirectories: [...additionalDirectories],
        title: null,
        createdAt: at,
        updatedAt: at,
      };
      const size = new LogSize(limits.maxSessionBytes);
      sessions.set(sessionId, { owner, place: ++place, record, entries: [], size, seq: 0, token: 0, held: false });
    },
    find: (sessionId) => ownedBy(owner, sessionId)?.record,
    list({ cwd, cursor, limit }): SessionPage {
      const before = cursor === undefined ? Number.POSITIVE_INFINITY : placeOf(cursor);
      const found = [...sessions.values()]
        .filter((kept) => kept.owner === owner && kept.place < before && (cwd === undefined || kept.record.cwd === cwd))
        .sort((a, b) => b.place - a.place);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        sessions: page.map(({ record }) => record),
        ...(found.length > limit && last !== undefined && { nextCursor: cursorOf(last.place) }),
      };
    },
    read: (sessionId, after = 0) =>
      (ownedBy(owner, sessionId)?.entries ?? [])
        .filter(({ seq }) => seq > after)
        .map(({ seq, at, entry }) => ({ seq, at, entry })),
    open(sessionId) {
      const kept = ownedBy(owner, sessionId);
      if (kept === undefined) throw new LeaseLostError(sessionId);
      return openLog(kept);
    },
    delete(sessionId) {
      if (ownedBy(owner, sessionId) !== undefined) sessions.delete(sessionId);
    },
  });

  return { owner: (owner) => owned(assertOwner(owner)), prune: () => prune(), close: () => sessions.clear() };
}

const optionKinds: OptionKinds<MemoryStoreOptions> = { limits: "value", now: "function" };

function shrink(kept: Kept, maxBytes: number): void {
  const sizes = kept.entries.map(({ entry, bytes }) => ({ begins: beginsTurn(entry), bytes }));
  kept.entries.splice(0, turnsToDrop(sizes, totalOf(sizes), maxBytes));
  kept.size.setShrunk(totalOf(kept.entries));
}

const byUse = (a: Kept, b: Kept): number =>
  Date.parse(a.record.updatedAt) - Date.parse(b.record.updatedAt) || a.place - b.place;
