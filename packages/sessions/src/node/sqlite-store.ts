import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { LeaseLostError, SessionHeldError } from "../errors.js";
import type { LogEntry, StoredEntry } from "../log-entry.js";
import { cursorOf, placeOf } from "../page-cursor.js";
import type {
  OwnedSessions,
  SessionLog,
  SessionPage,
  SessionRecord,
  SessionStore,
  StoreLimits,
} from "../session-store.js";
import { assertOwner, assertStorable, isStorable, storable } from "../storable-text.js";
import { turnsToDrop } from "../turns-to-drop.js";
import { isAlive, thisHolder } from "./holder.js";
import { migrate } from "./migrations.js";
import { writeAhead } from "./write-ahead.js";

/** How a SQLite store runs. */
export interface SqliteStoreOptions {
  /** The file. It and its folder are made where they don't exist; only this user may read it. `:memory:` keeps everything in memory. */
  readonly path: string;
  readonly limits?: StoreLimits;
  /** How long to wait for another process that is writing, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
}

interface SessionRow {
  readonly place: number;
  readonly id: string;
  readonly cwd: string;
  readonly additional_directories: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface EntryRow {
  readonly seq: number;
  readonly at: string;
  readonly body: string;
}

const columns = `place, id, cwd, additional_directories, title, created_at,
  MAX(changed_at, COALESCE((SELECT at FROM entries WHERE session = id ORDER BY seq DESC LIMIT 1), '')) AS updated_at`;

/**
 * Sessions in one SQLite file, for one or more processes of one machine. It answers at once, so that an update is written when it leaves; what
 * was written survives the end of the process, however it ends. After a power cut, the last moments may be missing.
 *
 * @throws {FormatError} when the file was written by a newer version.
 */
export function sqliteStore({
  path,
  limits = {},
  busyTimeoutMs = 5_000,
  now = Date.now,
}: SqliteStoreOptions): SessionStore {
  if (path !== ":memory:") makePrivate(path);
  const database = new Database(path);
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  writeAhead(database, busyTimeoutMs);
  database.exec("PRAGMA synchronous = NORMAL");
  migrate(database);

  const timestamp = (): string => new Date(now()).toISOString();
  const me = thisHolder();
  const statements = {
    create: database.prepare(
      "INSERT INTO sessions (id, owner, cwd, additional_directories, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    exists: database.prepare("SELECT 1 FROM sessions WHERE id = ?"),
    find: database.prepare(`SELECT ${columns} FROM sessions WHERE owner = ? AND id = ?`),
    list: database.prepare(
      `SELECT ${columns} FROM sessions WHERE owner = ?1 AND place < ?2 AND (?3 IS NULL OR cwd = ?3) ORDER BY place DESC LIMIT ?4`,
    ),
    read: database.prepare(
      `SELECT seq, at, body FROM entries WHERE session = ?2 AND seq > ?3
       AND EXISTS (SELECT 1 FROM sessions WHERE owner = ?1 AND id = ?2) ORDER BY seq`,
    ),
    // One statement, so that nobody can take the session over between the look at the token and the write.
    append: database.prepare(
      `INSERT INTO entries (session, seq, at, type, body)
       SELECT ?1, ?6, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM sessions WHERE place = ?7 AND token = ?2)`,
    ),
    lastSeq: database.prepare("SELECT COALESCE(MAX(seq), 0) AS seq FROM entries WHERE session = ?"),
    setTitle: database.prepare("UPDATE sessions SET title = ?3, changed_at = ?4 WHERE place = ?1 AND token = ?2"),
    holder: database.prepare("SELECT place, holder, token FROM sessions WHERE owner = ? AND id = ?"),
    take: database.prepare("UPDATE sessions SET token = token + 1, holder = ?2 WHERE id = ?1"),
    release: database.prepare("UPDATE sessions SET holder = NULL WHERE place = ?1 AND token = ?2"),
    releaseAll: database.prepare("UPDATE sessions SET holder = NULL WHERE holder = ?"),
    sizes: database.prepare(
      "SELECT seq, type, LENGTH(CAST(body AS BLOB)) AS bytes FROM entries WHERE session = ? ORDER BY seq",
    ),
    dropEntries: database.prepare("DELETE FROM entries WHERE session = ? AND seq <= ?"),
    deleteEntries: database.prepare("DELETE FROM entries WHERE session = ?"),
    deleteSession: database.prepare("DELETE FROM sessions WHERE id = ?"),
    byUse: database.prepare(`SELECT ${columns}, owner, holder FROM sessions ORDER BY updated_at, place`),
  };

  /** All or nothing, and nobody else writes meanwhile. */
  const transaction = <Result>(work: () => Result): Result => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };

  const remove = (sessionId: string): void => {
    statements.deleteEntries.run(sessionId);
    statements.deleteSession.run(sessionId);
  };

  const sizesOf = (sessionId: string) =>
    (statements.sizes.all(sessionId) as { seq: number; type: string; bytes: number }[]).map(({ seq, type, bytes }) => ({
      seq,
      begins: type === "prompt",
      bytes,
    }));

  /** @param place - which session of that id: one that was deleted and created again is another. */
  const openLog = (sessionId: string, place: number, token: number): SessionLog => {
    const { maxSessionBytes } = limits;
    let { seq } = statements.lastSeq.get(sessionId) as { seq: number };
    let bytes = maxSessionBytes === undefined ? 0 : totalOf(sizesOf(sessionId)); // it reads the whole log
    const assertWritten = ({ changes }: { readonly changes: number }): void => {
      if (changes === 0) throw new LeaseLostError(sessionId);
    };
    const shrink = (maxBytes: number): void => {
      const entries = sizesOf(sessionId);
      const total = totalOf(entries);
      const last = entries[turnsToDrop(entries, total, maxBytes) - 1];
      if (last !== undefined) statements.dropEntries.run(sessionId, last.seq);
      bytes = entries.reduce((sum, entry) => (entry.seq > (last?.seq ?? 0) ? sum + entry.bytes : sum), 0);
    };
    return {
      sessionId,
      token,
      append(entry: LogEntry) {
        const body = JSON.stringify(entry);
        assertWritten(statements.append.run(sessionId, token, timestamp(), entry.type, body, seq + 1, place));
        seq++;
        bytes += Buffer.byteLength(body);
        if (maxSessionBytes !== undefined && bytes > maxSessionBytes) shrink(maxSessionBytes);
        return seq;
      },
      setTitle(title) {
        assertWritten(statements.setTitle.run(place, token, title && storable(title), timestamp()));
      },
      release() {
        statements.release.run(place, token);
      },
    };
  };

  /** @param next whose session is about to be created. */
  const prune = (next?: string): void => {
    const { maxAgeMs, maxSessions } = limits;
    if (maxAgeMs === undefined && maxSessions === undefined) return;
    const rows = statements.byUse.all() as (SessionRow & { owner: string; holder: string | null })[];
    const oldest = maxAgeMs === undefined ? "" : new Date(now() - maxAgeMs).toISOString();
    const counts = new Map<string, number>(next === undefined ? [] : [[next, 1]]);
    for (const row of rows) counts.set(row.owner, (counts.get(row.owner) ?? 0) + 1);
    for (const row of rows) {
      const count = counts.get(row.owner) ?? 0;
      if (row.updated_at >= oldest && count <= (maxSessions ?? Number.POSITIVE_INFINITY)) continue;
      if (row.holder !== null && isAlive(row.holder)) continue;
      remove(row.id);
      counts.set(row.owner, count - 1);
    }
  };

  const owned = (owner: string): OwnedSessions => ({
    create({ sessionId, cwd, additionalDirectories }) {
      assertStorable({ sessionId, cwd, additionalDirectories });
      transaction(() => {
        if (statements.exists.get(sessionId) !== undefined)
          throw new TypeError(`There is a session ${sessionId} already`);
        prune(owner);
        const at = timestamp();
        statements.create.run(sessionId, owner, cwd, JSON.stringify(additionalDirectories), at, at);
      });
    },
    find(sessionId) {
      if (!isStorable(sessionId)) return undefined;
      const row = statements.find.get(owner, sessionId) as SessionRow | undefined;
      return row && recordOf(row);
    },
    list({ cwd, cursor, limit }): SessionPage {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor);
      const rows = statements.list.all(owner, before, cwd ?? null, limit + 1) as SessionRow[];
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        sessions: page.map(recordOf),
        ...(rows.length > limit && last !== undefined && { nextCursor: cursorOf(last.place) }),
      };
    },
    read(sessionId, after = 0): StoredEntry[] {
      if (!isStorable(sessionId)) return [];
      const rows = statements.read.all(owner, sessionId, after) as EntryRow[];
      return rows.map(({ seq, at, body }) => ({ seq, at, entry: JSON.parse(body) as LogEntry }));
    },
    open(sessionId, { takeOver = false } = {}) {
      if (!isStorable(sessionId)) throw new LeaseLostError(sessionId);
      const { place, token } = transaction(() => {
        const row = statements.holder.get(owner, sessionId) as
          | { place: number; holder: string | null; token: number }
          | undefined;
        if (row === undefined) throw new LeaseLostError(sessionId);
        const { holder } = row;
        if (holder !== null && holder !== me && !takeOver && isAlive(holder))
          throw new SessionHeldError(sessionId, holder);
        statements.take.run(sessionId, me);
        return { place: row.place, token: row.token + 1 };
      });
      return openLog(sessionId, place, token);
    },
    delete(sessionId) {
      if (!isStorable(sessionId)) return;
      transaction(() => {
        if (statements.holder.get(owner, sessionId) !== undefined) remove(sessionId);
      });
    },
  });

  return {
    owner: (owner) => owned(assertOwner(owner)),
    prune: () => transaction(() => prune()),
    close() {
      if (!database.open) return;
      statements.releaseAll.run(me);
      database.close();
    },
  };
}

const totalOf = (entries: readonly { readonly bytes: number }[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0);

function recordOf(row: SessionRow): SessionRecord {
  return {
    sessionId: row.id,
    cwd: row.cwd,
    additionalDirectories: JSON.parse(row.additional_directories) as string[],
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Conversations are nobody else's business: the file is made before SQLite makes one that all may read. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
