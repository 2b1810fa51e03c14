import { deferred } from "@acp-kit/jsonrpc/internal";
import type { Engine, Lease, Membership } from "./engine.js";
import { isEngineError } from "./engine-error.js";
import {
  beginning,
  type JournalPage,
  type PageLimits,
  type Position,
  type StoredJournalEntry,
} from "./journal-page.js";
import { journalPartLimits } from "./journal-parts.js";
import type { NewSessionRecord, Scope, SessionKey } from "./session-record.js";

/** An engine under test, with the functions by which a test case controls it. */
export interface ContractEngine {
  readonly engine: Engine;
  /** Moves the engine's clock ahead, in milliseconds. */
  advance(ms: number): void | Promise<void>;
  /** A second engine over the same data, as in another process. Default: `engine` itself. */
  readonly other?: Engine;
  dispose(): Promise<void>;
}

/** A test case for one rule of the contract. If the engine breaks the rule, `run` rejects with the reason. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * How long memberships in the tests last without a renewal. Long enough that they don't end during a test of an engine
 * with the real clock.
 */
const TTL_MS = 10_000;
const all: PageLimits = { maxEntries: 1_000, maxChars: 1_000_000 };
const alice: Scope = { tenant: "t", user: "alice" };
const session = (sessionId: string, cwd = "/work"): NewSessionRecord => ({
  sessionId,
  cwd,
  additionalDirectories: ["/more"],
  state: "{}",
});

/**
 * The contract of an {@link Engine}, as cases for any test runner:
 *
 * @example
 * ```ts
 * for (const { name, run } of engineContract(makeEngine)) test(name, run);
 * ```
 */
export function engineContract(make: () => ContractEngine | Promise<ContractEngine>): readonly ContractCase[] {
  return rules.map(([name, rule]) => ({
    name,
    async run() {
      const made = await make();
      try {
        await rule(new Bench(made));
      } finally {
        await made.dispose();
      }
    },
  }));
}

/** The engine that one test case checks, and the helper methods of all test cases. */
class Bench {
  readonly engine: Engine;
  readonly other: Engine;
  readonly advance: (ms: number) => void | Promise<void>;
  #replicas = 0;

  constructor({ engine, other = engine, advance }: ContractEngine) {
    this.engine = engine;
    this.other = other;
    this.advance = advance;
  }

  /** Joins a new replica. Every second replica joins through the other engine. */
  join(onMessage: (message: string) => void = () => {}, ttlMs: number = TTL_MS): Promise<Membership> {
    const engine = this.#replicas++ % 2 === 0 ? this.engine : this.other;
    return engine.join({ id: `replica-${this.#replicas}`, ttlMs, onMessage });
  }

  async created(sessionId = "s", scope: Scope = alice): Promise<SessionKey> {
    await this.engine.create(scope, session(sessionId));
    return { scope, sessionId };
  }

  async leased(member: Membership, key: SessionKey): Promise<Lease> {
    const acquired = await member.acquire(key);
    if (acquired.is !== "held") return fail(`acquire is ${JSON.stringify(acquired)}, not held`);
    return acquired.lease;
  }

  /** Creates a session with `count` entries. Their texts are `"1"`, `"2"` and so on. */
  async filled(count: number, sessionId = "s"): Promise<{ key: SessionKey; member: Membership; lease: Lease }> {
    const key = await this.created(sessionId);
    const member = await this.join();
    const lease = await this.leased(member, key);
    if (count > 0) same(await member.append(lease, 1, numbered(1, count)), { is: "appended" });
    return { key, member, lease };
  }

  async texts(key: SessionKey, after?: Position, engine: Engine = this.other): Promise<string[]> {
    return textsOf(await engine.read(key, after, all));
  }
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

type Rule = (bench: Bench) => Promise<void>;

const rules: readonly (readonly [string, Rule])[] = [
  [
    "finds a session in its scope, with the members it was created with",
    async ({ engine, other }) => {
      const at = await engine.create(alice, session("s"));
      same(at, undefined);
      const found = await other.find({ scope: alice, sessionId: "s" });
      const { createdAt, updatedAt, ...rest } = found ?? fail("the session is not found");
      same(rest, { ...session("s"), title: null });
      same(createdAt, updatedAt);
      same(await other.find({ scope: alice, sessionId: "t" }), undefined);
    },
  ],
  [
    "separates scopes, even if their parts join to the same text",
    async ({ engine, other, ...bench }) => {
      const scopes: Scope[] = [
        alice,
        { tenant: "t", user: "bob" },
        { tenant: "u", user: "alice" },
        { tenant: "ta", user: "lice" },
        { tenant: "t:alice", user: "" },
        { tenant: "", user: "t:alice" },
        { tenant: 't","alice', user: "x" },
        { tenant: "__proto__", user: "constructor" },
        { tenant: "T", user: "alice" },
        { tenant: "t", user: "Alice" },
        { tenant: "{t}", user: "alice" },
        { tenant: "t/", user: "alice" },
      ];
      for (const [i, scope] of scopes.entries()) await engine.create(scope, session("s", `/${i}`));
      for (const [i, scope] of scopes.entries()) {
        same((await other.find({ scope, sessionId: "s" }))?.cwd, `/${i}`);
        same((await other.list(scope, { limit: 10 })).sessions.length, 1);
      }
      same(await other.delete({ scope: alice, sessionId: "s" }), true);
      for (const scope of scopes.slice(1)) same((await engine.find({ scope, sessionId: "s" }))?.sessionId, "s");
      void bench;
    },
  ],
  [
    "rejects a second session with the same id",
    async (bench) => {
      await bench.created("s");
      await rejects(bench.other.create(alice, session("s")), "exists");
    },
  ],
  [
    "lists newest first, in pages that contain each session once despite changes between pages",
    async (bench) => {
      const { engine, other } = bench;
      for (let i = 0; i < 7; i++) await engine.create(alice, session(`s${i}`, i % 2 === 0 ? "/even" : "/odd"));
      await engine.create({ tenant: "t", user: "bob" }, session("bobs"));
      const first = await other.list(alice, { limit: 3 });
      const member = await bench.join();
      await member.append(await bench.leased(member, { scope: alice, sessionId: "s0" }), 1, ["moves nothing"]);
      await engine.create(alice, session("new"));
      await engine.delete({ scope: alice, sessionId: "s4" });
      const second = await other.list(alice, { limit: 3, cursor: first.nextCursor });
      const third = await other.list(alice, { limit: 3, cursor: second.nextCursor });
      same(
        [first, second, third].map((page) => page.sessions.map(({ sessionId }) => sessionId)),
        [["s6", "s5", "s4"], ["s3", "s2", "s1"], ["s0"]],
      );
      same(third.nextCursor, undefined);
      const even = await other.list(alice, { limit: 10, cwd: "/even" });
      same(
        even.sessions.map(({ sessionId }) => sessionId),
        ["s6", "s2", "s0"],
      );
      same((await other.list({ tenant: "t", user: "carol" }, { limit: 10 })).sessions, []);
    },
  ],
  [
    "counts the sessions of a scope",
    async ({ engine, other }) => {
      same(await other.count(alice), 0);
      for (const id of ["a", "b", "c"]) await engine.create(alice, session(id));
      await engine.create({ tenant: "t", user: "bob" }, session("a"));
      await rejects(engine.create(alice, session("a")), "exists");
      same(await other.count(alice), 3);
      await other.delete({ scope: alice, sessionId: "b" });
      await other.delete({ scope: alice, sessionId: "b" });
      same([await engine.count(alice), await engine.count({ tenant: "t", user: "bob" })], [2, 1]);
    },
  ],
  [
    "rejects a list cursor that it never returned",
    async ({ engine }) => {
      for (const cursor of ["", "p", "p-1", "nonsense", "{}", `p${"z".repeat(5_000)}`, "p1\n"])
        await rejects(engine.list(alice, { limit: 3, cursor }), "bad_cursor");
    },
  ],
  [
    "deletes a session with its journal, once",
    async (bench) => {
      const { key, member, lease } = await bench.filled(2);
      same(await bench.other.delete(key), true);
      same(await bench.engine.delete(key), false);
      same(await bench.engine.find(key), undefined);
      same(await bench.engine.read(key, undefined, all), { is: "missing" });
      same(await member.append(lease, 3, ["3"]), { is: "missing" });
      same(await member.acquire(key), { is: "missing" });
      await bench.created("s");
      same(await bench.texts(key), []);
      same((await member.append(lease, 1, ["of the session that was deleted"])).is === "appended", false);
    },
  ],
  [
    "appends in order, numbers without gaps, any text",
    async (bench) => {
      const { key, member, lease } = await bench.filled(0);
      const texts = ["", "\u0000", "\u2028\n\r", '"\\', "😀".repeat(100), "x".repeat(300_000), "\ufffd"];
      same(await member.append(lease, 1, texts), { is: "appended" });
      same(await member.append(lease, texts.length + 1, ["last"]), { is: "appended" });
      const page = await bench.other.read(key, undefined, all);
      same(page.is === "page" && page.entries.map(({ text }) => text), [...texts, "last"]);
      same(page.is === "page" && page.entries.map(({ seq }) => seq), texts.map((_, i) => i + 1).concat(8));
      same(page.is === "page" && page.last, { seq: 8, epoch: lease.epoch });
    },
  ],
  [
    "appends nothing at a wrong number, and returns the last number",
    async (bench) => {
      const { key, member, lease } = await bench.filled(3);
      for (const first of [1, 3, 5, 100])
        same(await member.append(lease, first, ["x"], { title: "x" }), { is: "misplaced", last: 3 });
      same(await bench.texts(key), ["1", "2", "3"]);
      same((await bench.other.find(key))?.title, null);
      same(await member.append(lease, 4, []), { is: "appended" });
      same(await member.append(lease, 3, []), { is: "misplaced", last: 3 });
    },
  ],
  [
    "accepts exactly one of many appends with the same number",
    async (bench) => {
      const { key, member, lease } = await bench.filled(0);
      const results = await Promise.all(Array.from({ length: 8 }, (_, i) => member.append(lease, 1, [`${i}`, "end"])));
      same(results.filter(({ is }) => is === "appended").length, 1);
      same((await bench.texts(key)).length, 2);
    },
  ],
  [
    "an append with a patch changes the session's record in the same step, and changes only the members that the patch contains",
    async (bench) => {
      const { key, member, lease } = await bench.filled(1);
      await bench.advance(1_000);
      await member.append(lease, 2, ["2"], { title: "A title", state: "new" });
      await member.append(lease, 3, ["3"], { state: "newer" });
      const record = (await bench.other.find(key)) ?? fail("the session is not found");
      same([record.title, record.state, record.cwd], ["A title", "newer", "/work"]);
      same(record.updatedAt >= record.createdAt + 1_000, true);
      const acquired = await member.acquire(key);
      same(acquired.is === "held" && acquired.record.state, "newer");
      await member.append(await bench.leased(member, key), 4, ["4"], { title: null });
      same((await bench.other.find(key))?.title, null);
    },
  ],
  [
    "reads without gaps, in pages within the limits of entries and characters",
    async (bench) => {
      const { key } = await bench.filled(250);
      for (const limits of [
        all,
        { maxEntries: 4, maxChars: 1_000 },
        { maxEntries: 200, maxChars: 400 },
        { maxEntries: 100, maxChars: 5 },
        { maxEntries: 1, maxChars: 0 },
      ]) {
        const texts: string[] = [];
        let after: Position | undefined;
        for (let pages = 0; pages < 300; pages++) {
          const page = await bench.other.read(key, after, limits);
          if (page.is !== "page") return fail(`a page is ${page.is}`);
          if (page.entries.length === 0) break;
          same(page.entries.length <= limits.maxEntries, true);
          const chars = page.entries.reduce((sum, { text }) => sum + text.length, 0);
          same(page.entries.length === 1 || chars <= limits.maxChars, true);
          texts.push(...page.entries.map(({ text }) => text));
          const last = page.entries.at(-1);
          after = last && { seq: last.seq, epoch: last.epoch };
        }
        same(texts, numbered(1, 250));
      }
    },
  ],
  [
    "reads no entries with a limit of 0 entries, but checks the position",
    async (bench) => {
      const { key, lease } = await bench.filled(3);
      const none: PageLimits = { maxEntries: 0, maxChars: 1_000 };
      const last = { seq: 3, epoch: lease.epoch };
      for (const after of [undefined, beginning, { seq: 1, epoch: lease.epoch }, last])
        same(await bench.other.read(key, after, none), { is: "page", entries: [], last });
      same(await bench.other.read(key, { seq: 4, epoch: lease.epoch }, none), { is: "ahead", last });
    },
  ],
  [
    "reads exactly the entries after a position, and none after the last",
    async (bench) => {
      const { key, lease } = await bench.filled(5);
      for (let seq = 1; seq <= 5; seq++)
        same(await bench.texts(key, { seq, epoch: lease.epoch }), numbered(seq + 1, 5));
      same(await bench.texts(key, beginning), numbered(1, 5));
    },
  ],
  [
    "returns `ahead` for a position that the journal does not contain",
    async (bench) => {
      const { key, member, lease } = await bench.filled(3);
      const last = { seq: 3, epoch: lease.epoch };
      for (const position of [
        { seq: 4, epoch: lease.epoch },
        { seq: 3, epoch: lease.epoch + 1 },
        { seq: 2, epoch: 0 },
        { seq: 1_000_000, epoch: 1 },
      ])
        same(await bench.other.read(key, position, all), { is: "ahead", last });
      void member;
    },
  ],
  [
    "trims the oldest entries; a position before the cut is expired, the position at the cut is not",
    async (bench) => {
      const { key, member, lease } = await bench.filled(6);
      await member.trim(lease, 4);
      same(await bench.texts(key), ["4", "5", "6"]);
      same(await bench.other.read(key, { seq: 2, epoch: lease.epoch }, all), { is: "expired", first: 4 });
      same(await bench.other.read(key, beginning, all), { is: "expired", first: 4 });
      same(await bench.texts(key, { seq: 3, epoch: lease.epoch }), ["4", "5", "6"]);
      same((await bench.other.read(key, { seq: 3, epoch: lease.epoch + 7 }, all)).is, "ahead");
      await member.trim(lease, 2); // the first trim has removed this entry already
      await member.trim(lease, 100);
      same(await bench.texts(key), []);
      same(await member.append(lease, 7, ["7"]), { is: "appended" });
      same(await bench.texts(key, { seq: 6, epoch: lease.epoch }), ["7"]);
    },
  ],
  [
    "reads every page of every journal that three appends, trims or acquisitions can make, and none at a position of another journal",
    async (bench) => {
      const member = await bench.join();
      for (const changes of changesOfJournals) {
        const key = await bench.created(changes.join(" "));
        const journal = await changedJournal(bench, member, key, changes);
        await Promise.all(
          pageReads.map(async ({ after, limits }) => {
            const { epoch } = after === 0 ? beginning : (journal.entries[after - 1] ?? { epoch: 1 });
            checkPage(await bench.other.read(key, { seq: after, epoch }, limits), journal, after, limits);
            if (after === 0) return;
            const foreign = await bench.other.read(key, { seq: after, epoch: epoch + 1_000_000 }, limits);
            same(foreign, after + 1 < journal.first ? { is: "expired", first: journal.first } : aheadOf(journal));
          }),
        );
        await bench.engine.delete(key);
      }
    },
  ],
  [
    "gives the lease of a session to one replica, with increasing epochs",
    async (bench) => {
      const key = await bench.created();
      const members = [await bench.join(), await bench.join(), await bench.join()];
      const results = await Promise.all(members.map((member) => member.acquire(key)));
      same(results.filter(({ is }) => is === "held").length, 1);
      const winner = members[results.findIndex(({ is }) => is === "held")] ?? fail("no replica won");
      for (const result of results) if (result.is === "taken") same(result.by, winner.id);
      let epoch = 0;
      for (let i = 0; i < 3; i++) {
        const lease = await bench.leased(winner, key);
        same(lease.epoch > epoch, true);
        epoch = lease.epoch;
      }
    },
  ],
  [
    "lets the next replica acquire a session after its release, or after its replica left or stopped renewing",
    async (bench) => {
      const key = await bench.created();
      const [a, b, c, d] = [await bench.join(), await bench.join(), await bench.join(), await bench.join()];
      const first = await bench.leased(a, key);
      same((await b.acquire(key)).is, "taken");
      await a.release(first);
      const second = await bench.leased(b, key);
      await a.release(first); // this lease is stale, so the call has no effect
      same((await c.acquire(key)).is, "taken");
      await b.leave();
      const third = await bench.leased(c, key);
      await bench.advance(TTL_MS - 1_000);
      same(await d.renew(), true);
      same((await d.acquire(key)).is, "taken");
      await bench.advance(2_000);
      const fourth = await bench.leased(d, key);
      same(
        [first, second, third, fourth].every(({ epoch }, i, all) => i === 0 || epoch > (all[i - 1]?.epoch ?? 0)),
        true,
      );
    },
  ],
  [
    "leaves a session to a holder whose membership has ended, if the other replica spares ended members",
    async (bench) => {
      const { key, member: a, lease } = await bench.filled(2);
      const b = await bench.join();
      await bench.advance(TTL_MS + 1_000);
      await b.renew();
      same(await b.acquire(key, { sparesEnded: true }), { is: "taken", by: a.id, hasEnded: true });
      same(await a.append(lease, 3, ["3"]), { is: "appended" });
      same(await a.renew(), false);
      same(await b.acquire(key, { sparesEnded: true }), { is: "taken", by: a.id });
      same(await b.acquire(key), { is: "taken", by: a.id });
      await a.release(lease);
      same((await b.acquire(key, { sparesEnded: true })).is, "held");
      // A replica may always acquire its own session again
      same((await b.acquire(key, { sparesEnded: true })).is, "held");
    },
  ],
  [
    "always rejects appends and trims of a former holder",
    async (bench) => {
      const { key, member: a, lease: old } = await bench.filled(2);
      const b = await bench.join();
      await bench.advance(TTL_MS + 1_000);
      await b.renew();
      const lease = await bench.leased(b, key);
      const stale = { is: "stale" } as const;
      same(await a.append(old, 3, ["zombie"], { title: "zombie" }), stale);
      same(await a.append(old, 3, []), stale);
      await b.append(lease, 3, ["3"]);
      same(await a.renew(), false); // its membership had ended
      same(await a.append(old, 4, ["zombie"]), stale);
      await a.trim(old, 4);
      await a.release(old);
      same((await a.acquire(key)).is, "taken");
      await b.release(lease);
      same(await a.append(old, 4, ["zombie"]), stale);
      same(await bench.texts(key), ["1", "2", "3"]);
      same((await bench.other.find(key))?.title, null);
    },
  ],
  [
    "keeps the epoch of each entry, so that a reader with a position of a former lease continues",
    async (bench) => {
      const { key, member, lease } = await bench.filled(2);
      const next = await bench.leased(member, key);
      await member.append(next, 3, ["3"]);
      const page = await bench.other.read(key, { seq: 2, epoch: lease.epoch }, all);
      same(page.is === "page" && page.entries, [{ seq: 3, epoch: next.epoch, text: "3" }]);
      same((await bench.other.read(key, { seq: 2, epoch: next.epoch }, all)).is, "ahead");
    },
  ],
  [
    "keeps a member as long as it renews",
    async (bench) => {
      const key = await bench.created();
      const [a, b] = [await bench.join(), await bench.join()];
      await bench.leased(a, key);
      for (let i = 0; i < 4; i++) {
        await bench.advance(TTL_MS / 2);
        same(await a.renew(), true);
      }
      await b.renew();
      same((await b.acquire(key)).is, "taken");
    },
  ],
  [
    "rejects a second replica with the same id",
    async (bench) => {
      const options = { id: "twice", ttlMs: TTL_MS, onMessage: () => {} };
      await bench.engine.join(options);
      await rejects(bench.other.join(options), "exists");
    },
  ],
  [
    "delivers messages between replicas in order, and reports that a replica is gone",
    async (bench) => {
      const received: string[] = [];
      const a = await bench.join();
      const done = deferred();
      await bench.join((message) => {
        if (received.at(-1) !== message) received.push(message); // an engine may deliver a message more than once
        if (received.length === 100) done.resolve();
      });
      await bench.join();
      const sent = Array.from({ length: 100 }, (_, i) => `${i} "\u2028" ${"x".repeat(i)}`);
      for (const message of sent) same(await a.send("replica-2", message), true);
      await done.promise;
      same(received, sent);
      same(await a.send("no-such-replica", "x"), false);
      await bench.advance(TTL_MS + 1_000);
      same(await a.send("replica-2", "x"), false);
    },
  ],
  [
    "calls a watcher after an append and after a deletion, but not after the watch ended",
    async (bench) => {
      const { key, member, lease } = await bench.filled(0);
      for (const act of [
        () => member.append(lease, 1, ["1"]),
        () => member.append(lease, 2, ["2"]),
        () => bench.engine.delete(key),
      ]) {
        let end = (): void => {};
        const called = new Promise<void>((resolve) => {
          end = bench.other.watch(key, resolve);
        });
        await act();
        await called;
        end();
        end();
      }
      let calls = 0;
      bench.other.watch(key, () => calls++)();
      await bench.created("s");
      const again = await bench.leased(member, key);
      await member.append(again, 1, ["1"]);
      same(calls, 0);
    },
  ],
  [
    "rejects every call after close",
    async (bench) => {
      const { key, member, lease } = await bench.filled(1);
      await bench.engine.close();
      await bench.engine.close();
      for (const use of [
        () => bench.engine.find(key),
        () => bench.engine.list(alice, { limit: 1 }),
        () => bench.engine.read(key, undefined, all),
        () => bench.engine.create(alice, session("t")),
        () => member.append(lease, 2, ["2"]),
        () => member.acquire(key),
      ])
        await rejects(use(), "closed");
    },
  ],
];

type JournalChange = "short" | "long" | "lines" | "trim" | "acquire";

/**
 * The texts of an append. Some engines store up to 100 entries or 65,536 characters together, and an entry with a line
 * end by itself.
 */
const textsOfAppend: Readonly<Partial<Record<JournalChange, readonly string[]>>> = {
  short: numbered(1, 250),
  long: ["", "x".repeat(40_000), "y".repeat(40_000), "z".repeat(70_000)],
  lines: ["a", "\n", "b\nc", "", "d"],
};
const journalChanges: readonly JournalChange[] = ["short", "long", "lines", "trim", "acquire"];
const changesOfJournals = journalChanges.flatMap((first) =>
  journalChanges.flatMap((second) => journalChanges.map((third) => [first, second, third])),
);
const pageLimits: readonly PageLimits[] = [
  { maxEntries: 1_000, maxChars: 80_000 },
  { maxEntries: 150, maxChars: 400 },
  { maxEntries: 3, maxChars: 1_000_000 },
];
const pageReads = [0, 2, 100, 126, 251, 350].flatMap((after) => pageLimits.map((limits) => ({ after, limits })));

/** What a journal should contain. */
interface ExpectedJournal {
  /** The entries that were ever appended, in order. */
  readonly entries: readonly StoredJournalEntry[];
  /** The number of the first entry that was not trimmed. */
  readonly first: number;
}

/** Changes an empty journal. A trim removes the first half of it. */
async function changedJournal(
  bench: Bench,
  member: Membership,
  key: SessionKey,
  changes: readonly JournalChange[],
): Promise<ExpectedJournal> {
  const entries: StoredJournalEntry[] = [];
  let current = await bench.leased(member, key);
  let first = 1;
  for (const change of changes) {
    const texts = textsOfAppend[change];
    if (texts !== undefined) {
      same(await member.append(current, entries.length + 1, texts), { is: "appended" });
      for (const text of texts) entries.push({ seq: entries.length + 1, epoch: current.epoch, text });
    } else if (change === "trim") {
      first = Math.max(first, Math.ceil(entries.length / 2));
      await member.trim(current, first);
    } else current = await bench.leased(member, key);
  }
  return { entries, first };
}

/** The result of a read at a position that the journal does not have. */
function aheadOf({ entries }: ExpectedJournal): JournalPage {
  const { seq, epoch } = entries.at(-1) ?? beginning;
  return { is: "ahead", last: { seq, epoch } };
}

/**
 * Checks a page after the position `after`. It may end at most 65,536 characters before `maxChars`, so that an engine
 * can read whole parts.
 */
function checkPage(
  page: JournalPage,
  journal: ExpectedJournal,
  after: number,
  { maxEntries, maxChars }: PageLimits,
): void {
  const { entries, first } = journal;
  if (after + 1 < first || after > entries.length) {
    same(page, after + 1 < first ? { is: "expired", first } : aheadOf(journal));
    return;
  }
  const { seq, epoch } = entries.at(-1) ?? beginning;
  const count = page.is === "page" ? page.entries.length : 0;
  const charsOf = (to: number): number => entries.slice(after, to).reduce((sum, { text }) => sum + text.length, 0);
  same(page, { is: "page", entries: entries.slice(after, after + count), last: { seq, epoch } });
  same(count <= maxEntries && (count <= 1 || charsOf(after + count) <= maxChars), true);
  const isFull = after + count === entries.length || count === maxEntries;
  const next = charsOf(after + count + 1);
  same(isFull || (count > 0 && next + journalPartLimits.maxChars > maxChars), true);
}

function textsOf(page: JournalPage): string[] {
  return page.is === "page" ? page.entries.map(({ text }) => text) : fail(`the page is ${JSON.stringify(page)}`);
}

function same(actual: unknown, expected: unknown): void {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) fail(`expected ${b.slice(0, 2_000)}, got ${a.slice(0, 2_000)}`);
}

/** JSON with sorted members, so that the order of members does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? "undefined"
  );
}

async function rejects(promise: Promise<unknown>, code: string): Promise<void> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome && isEngineError(outcome.error) && outcome.error.code === code) return;
  fail(
    `expected an EngineError with code ${code}, got ${"error" in outcome ? String(outcome.error) : canonical(outcome.value)}`,
  );
}

function fail(message: string): never {
  throw new Error(message);
}
