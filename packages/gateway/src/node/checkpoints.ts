import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Database } from "libsql";

/** The number of writes after which the thread copies the write-ahead log. A write changes about four pages. */
const WRITES = 1_000;
/** If the log has this number of pages (64 MiB), the thread can't keep up. A commit then copies the log itself. */
const MAX_PAGES = 16_384;
/**
 * The number of pages at which a commit copies the log in a process that can't start a thread. This is SQLite's
 * default.
 */
const PAGES_WITHOUT_THREAD = 1_000;

/**
 * The program of the thread. The program is a text, because a bundled application contains no separate file that a
 * thread could execute. Like SQLite's own checkpoints, it ignores errors: the next checkpoint copies the same pages.
 *
 * While SQLite empties the log, no transaction can be written. Therefore the thread copies the pages first, and does
 * not wait for readers and writers: the next commit tries again.
 */
const program = `
const { parentPort, workerData } = require("node:worker_threads");
const Database = require(workerData.libsql);
const database = new Database(workerData.file);
const copy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
const empty = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
parentPort.on("message", (message) => {
  if (message === "close") {
    database.close();
    return parentPort.close();
  }
  let busy = 1;
  try {
    copy.get();
    if (message === "empty") busy = empty.get().busy;
  } catch {}
  parentPort.postMessage(message === "empty" && busy !== 0 ? "not empty" : "done");
});
`;

/** `none`: the thread has not started yet. `failed`: the thread can't run, so the commits copy the log. */
type ThreadState =
  | { readonly is: "none" | "failed" }
  | { readonly is: "idle"; readonly worker: Worker; readonly ended: Promise<void> }
  /** `empties`: the thread also empties the log, which contains deleted texts. */
  | { readonly is: "copying"; readonly empties: boolean; readonly worker: Worker; readonly ended: Promise<void> };

/**
 * Copies the write-ahead log of a SQLite file to the file itself (a checkpoint). A thread does this, because SQLite's
 * function waits for the disk and would block the event loop. The thread starts with the first checkpoint.
 *
 * SQLite reuses the log from its beginning only when all pages are copied. This needs a moment without writes. Without
 * such a moment, the commit with which the log reaches `MAX_PAGES` copies the remaining pages.
 */
export class Checkpoints {
  readonly #database: Database;
  readonly #path: string;
  #writes = 0;
  #hasDeleted = false;
  #thread: ThreadState = { is: "none" };

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#copyAt(MAX_PAGES);
  }

  /** Empties the log after the next commit, because the log still contains the texts that the commit deletes. */
  deletes(): void {
    this.#hasDeleted = true;
  }

  /** Counts the writes of a committed transaction. Never throws. */
  wrote(count: number): void {
    this.#writes += count;
    if (this.#writes < WRITES && !this.#hasDeleted) return;
    if (this.#thread.is === "none") this.#thread = this.#start();
    if (this.#thread.is === "failed" && this.#hasDeleted) this.#empty();
    if (this.#thread.is !== "idle") return;
    this.#writes = 0;
    const { worker, ended } = this.#thread;
    this.#thread = { is: "copying", empties: this.#hasDeleted, worker, ended };
    worker.postMessage(this.#hasDeleted ? "empty" : "copy");
    this.#hasDeleted = false;
  }

  /** Ends the thread, and copies the log. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread.is === "idle" || thread.is === "copying") {
      thread.worker.ref();
      thread.worker.postMessage("close");
      await thread.ended;
    }
    this.#empty();
  }

  #empty(): void {
    try {
      this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      this.#hasDeleted = false;
    } catch {
      // The next commit after a deletion tries again, or the next process that opens the file reads the log.
    }
  }

  #start(): ThreadState {
    try {
      const libsql = createRequire(import.meta.url).resolve("libsql");
      const file = `${pathToFileURL(this.#path)}?mode=rw`; // a file that was removed is not created again
      const worker = new Worker(program, { eval: true, workerData: { libsql, file } });
      const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      worker.unref();
      worker.on("message", (message) => {
        this.#hasDeleted ||= message === "not empty"; // another process reads the log; the next commit tries again
        if (this.#thread.is === "copying") this.#thread = { is: "idle", worker, ended };
        if (this.#hasDeleted && message === "done") this.wrote(0); // deleted while the thread copied
      });
      // The event "exit" follows.
      worker.once("error", () => {
        this.#hasDeleted ||= this.#thread.is === "copying" && this.#thread.empties;
        this.#fail();
        if (this.#hasDeleted) this.#empty();
      });
      return { is: "idle", worker, ended };
    } catch {
      return this.#fail();
    }
  }

  #fail(): ThreadState {
    this.#thread = { is: "failed" };
    try {
      this.#copyAt(PAGES_WITHOUT_THREAD);
    } catch {
      // The commits copy the log at `MAX_PAGES`.
    }
    return this.#thread;
  }

  #copyAt(pages: number): void {
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }
}
