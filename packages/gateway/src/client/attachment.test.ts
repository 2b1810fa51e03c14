import type { Connection } from "@acp-kit/jsonrpc";
import { Budget, Holding } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import { limitReached, sessionNotFound } from "../gateway-error.js";
import { Feed } from "../journal/feed.js";
import { PrincipalMemory } from "../principal-memory.js";
import { newState } from "../session/session-state.js";
import { Attachment } from "./attachment.js";
import { ClientView } from "./client-view.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const opening = { cwd: "/", mcpServers: [] };
const limits = { maxRecentChars: 0, page: { maxEntries: 10, maxChars: 1_000 } };

const viewOf = (clock: ManualClock) =>
  new ClientView({ version: 1, capabilities: {}, clock, report: () => {} }, newState("a", {}, "replica"), () => {});

/** Attaches a client at the end of a feed. */
function attach(feed: Feed, replica: Replica, clock: ManualClock): Attachment {
  const attachment: Attachment = new Attachment(
    {
      connection: {} as Connection,
      client: "c",
      connectionId: "1",
      replica,
      clock,
      abilities: { isInteractive: true, serves: [], mayReturn: false },
      sendsCursors: true,
      times: { retryMs: 100, engineGraceMs: 30_000 },
      room: new PrincipalMemory(1_000).enter(key.scope).unread,
      onLost: (why) => attachment.detach(why instanceof Error ? why : new Error(why)),
    },
    { feed, opening, view: viewOf(clock), holding: new Holding(new Budget(1_000)), from: feed.last, turn: null },
  );
  return attachment;
}

describe("gateway.journal-repair: a client with lost entries", () => {
  test("gets the report of the loss, and not the response to a prompt that the next owner has run", async () => {
    const clock = new ManualClock();
    const last = { seq: 66, epoch: 2 };
    const engine = { mayLose: true, read: async () => ({ is: "ahead", last }) } as unknown as Engine;
    const feed = new Feed(engine, key, { seq: 72, epoch: 1 }, limits);
    const outcome = { result: { stopReason: "end_turn" } };
    const replica = {
      command: async () => ({ is: "done", at: last.seq, epoch: last.epoch, outcome }),
      mention: () => {},
      feeds: { close: () => {} },
    } as unknown as Replica;
    const attachment = attach(feed, replica, clock);
    attachment.start(opening, { setup: {} });
    const response = attachment.prompt("key", {});
    response.catch(() => {});
    await clock.advance(0);
    feed.reset(last);
    await expect(response).rejects.toThrow("ahead");
  });
});

test("a prompt in a session that no longer exists gets this error, although the client was attached when it sent the prompt", async () => {
  const replica = { mention: () => {}, feeds: { close: () => {} } } as unknown as Replica;
  const feed = new Feed({} as Engine, key, { seq: 1, epoch: 1 }, limits);
  const attachment = attach(feed, replica, new ManualClock());
  attachment.detach(sessionNotFound());
  await expect(attachment.prompt("key", {})).rejects.toMatchObject({ code: -32002 });
});

test("gateway.bounded-memory: a notification is sent again while the agent does not read, and the client's next message waits", async () => {
  const clock = new ManualClock();
  const feed = new Feed({} as Engine, key, { seq: 0, epoch: 0 }, limits);
  const error = limitReached("maxQueuedBytes", "The agent does not read").toJSON();
  let isReading = false;
  const sent: unknown[] = [];
  const replica = {
    mention: () => {},
    mentioned: async (_: unknown, command: unknown) => {
      sent.push(command);
      return isReading ? { is: "done", at: 0, epoch: 0 } : { is: "refused", error };
    },
    feeds: { close: () => {} },
  } as unknown as Replica;
  const attachment = attach(feed, replica, clock);
  let isSent = false;
  void attachment.notify("_x", { text: "a" }).then(() => (isSent = true));
  await clock.advance(1_000);
  expect([isSent, sent.length]).toEqual([false, 11]);
  isReading = true;
  await clock.advance(100);
  expect([isSent, sent.length]).toEqual([true, 12]);
  isReading = false;
  const last = attachment.notify("_x", {});
  attachment.detach(new Error("gone"));
  await last;
});
