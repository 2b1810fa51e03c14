import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fireClient, someProfiles } from "./client.js";
import { lossesOf, noLosses, numbersIn, times } from "./counts.js";
import { cuttingProxy } from "./cutting-proxy.js";
import { noProcessesOf, promptsRun, runTwice, type ServerHome, serverHome, startServer } from "./served.js";

const cuts = times(10, 100);
/** Of each cut: many chunks are on the way. */
const bytesBetween = 20_000;

let program: string;
beforeAll(async () => {
  program = await buildCommandLine();
});

describe.each(someProfiles)("fire.sockets-cut: over %s", (profile) => {
  let place: ServerHome;
  beforeAll(async () => {
    place = await serverHome();
  });
  afterAll(() => place.remove());

  it(`a turn whose sockets are cut ${cuts} times loses, repeats and reorders no update`, {
    timeout: 600_000,
  }, async () => {
    const server = await startServer(place, { program, protocol: "auto" });
    const proxy = await cuttingProxy(place.port);
    const client = await fireClient(place, profile, proxy.port);
    const session = await client.open();
    proxy.cutEvery(bytesBetween, cuts);
    // More bytes than the cuts need. The pauses make the turn last longer than the cuts: of a turn that has ended, the
    // client gets long messages instead of the chunks.
    const chunks = cuts * 400;
    const { stopReason } = await session.prompt(`/flood ${chunks} 1`).result;
    expect(stopReason).toBe("end_turn");
    expect(proxy.cuts).toBe(cuts);
    const live = client.take();
    expect(lossesOf(numbersIn(live), chunks)).toEqual(noLosses);
    // Another client loads the same from the journal.
    const other = await fireClient(place, profile);
    await other.open(session.sessionId);
    expect(other.take() === live).toBe(true);
    await Promise.all([client[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    await proxy.close();
    expect(await server.end()).toBe(0);
    await noProcessesOf(place.home);
    expect(promptsRun(place.store)).toHaveLength(1);
    expect(runTwice(place.store)).toBe(0);
  });
});
