import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fireClient, someProfiles } from "./client.js";
import { type Losses, lossesOf, noLosses, numbersIn, sumOf, times } from "./counts.js";
import { noProcessesOf, promptsRun, runTwice, type ServerHome, serverHome, startServer } from "./served.js";

const kills = times(3, 50);

describe.each(someProfiles)("fire.server-killed: over %s", (profile) => {
  let place: ServerHome;
  beforeAll(async () => {
    place = await serverHome();
  });
  afterAll(() => place.remove());

  it(`a client whose server is killed ${kills} times during turns reconnects; no update is lost and no prompt runs twice`, {
    timeout: 900_000,
  }, async () => {
    const program = await buildCommandLine();
    let server = await startServer(place, { program, protocol: "auto" });
    const client = await fireClient(place, profile);
    const session = await client.open();
    const losses: Losses[] = [];
    let live = "";
    for (let kill = 0; kill < kills; kill++) {
      const turn = session.prompt(`/flood ${50_000 + kill}`).result;
      turn.catch(() => {});
      await client.until(1 + ((kill * 997) % 8_000)); // at another moment each time
      await server.end("SIGKILL");
      server = await startServer(place, { program, protocol: "auto" });
      // On a slow machine the turn may have ended before.
      const end = await turn.catch((error: unknown) => error);
      const isWhole = (end as { readonly stopReason?: string }).stopReason === "end_turn";
      if (!isWhole) expect(end).toMatchObject({ data: { reason: "turn_interrupted" } });
      const received = client.take();
      losses.push(lossesOf(numbersIn(received), isWhole ? 50_000 + kill : undefined));
      live += received;
    }
    const { stopReason } = await session.prompt("/flood 500").result;
    expect(stopReason).toBe("end_turn");
    const last = client.take();
    losses.push(lossesOf(numbersIn(last), 500));
    live += last;
    expect(sumOf(losses)).toEqual(noLosses);
    const other = await fireClient(place, profile);
    await other.open(session.sessionId);
    expect(other.take() === live).toBe(true);
    await Promise.all([client[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    expect(await server.end()).toBe(0);
    await noProcessesOf(place.home);
    expect(promptsRun(place.store)).toHaveLength(kills + 1);
    expect(runTwice(place.store)).toBe(0);
  });
});
