import { expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { newState } from "../session/session-state.js";
import type { GatewayVersion, SessionView } from "../version.js";
import { ClientView } from "./client-view.js";

/** A conversion that collects updates for 100 milliseconds. */
const collecting = {
  view: (_, { send, timer }) =>
    ({ update: ({ update }) => void timer(100, () => send({ sessionId: "s", update })) }) as Partial<SessionView>,
} as GatewayVersion;

test("versions.reconnect: what a conversion has collected is sent when the client receives the entries, not while it opens the session", async () => {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const protocol = { version: 1, v2: collecting, capabilities: {}, clock, report: () => {} } as const;
  const view = new ClientView(protocol, newState("agent-1", {}, "replica", 2), ({ update }) => sent.push(update));
  const receive = async (update: string): Promise<void> => {
    view.update({ sessionId: "s", update }, 2, 1);
    await clock.advance(200);
  };
  await receive("replayed");
  expect(sent).toEqual([]);
  view.resume();
  expect(sent).toEqual(["replayed"]);
  await receive("live");
  expect(sent).toEqual(["replayed", "live"]);
  view.pause();
  await receive("paused");
  expect(sent).toEqual(["replayed", "live"]);
  view.resume();
  expect(sent).toEqual(["replayed", "live", "paused"]);
});
