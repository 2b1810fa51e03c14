import { connectAgent } from "@acp-kit/client";
import { createGateway } from "@acp-kit/gateway";
import { serveGateway, sqliteEngine } from "@acp-kit/gateway/node";
import { httpAgent } from "@acp-kit/http/node";
import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import { spawnAgent } from "@acp-kit/stdio/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lossesOf, noLosses, numbersIn } from "./counts.js";
import { type ServerHome, serverHome } from "./served.js";

let place: ServerHome;
beforeAll(async () => {
  place = await serverHome();
});
afterAll(() => place.remove());

const DAY = 86_400_000;

it("fire.clock-set-back: after a clock jumps back and forth by days, no update and no lease is lost, and the order of sessions is correct", {
  timeout: 120_000,
}, async () => {
  const program = await buildCommandLine();
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const engine = sqliteEngine({ path: place.sessions, now });
  const gateway = await createGateway({
    engine,
    start: () =>
      spawnAgent({ command: process.execPath, args: [program, "demo-agent", "--pace", "0"], cwd: place.work }),
    times: { leaseMs: 600 }, // leases are renewed while the clock jumps
  });
  await using server = await serveGateway(gateway);
  await using agent = await connectAgent(httpAgent(server.url));
  const ids: string[] = [];
  for (const jump of [0, -DAY, 2 * DAY, -30 * DAY, 29 * DAY]) {
    let text = "";
    const session = await agent.newSession({ cwd: place.work });
    ids.unshift(session.sessionId);
    let isSet = false;
    session.onUpdate((update) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      text += update.content.text;
      if (text.length > 2_000 && !isSet) {
        isSet = true;
        offset += jump; // in the middle of the turn
      }
    });
    expect((await session.prompt("/flood 5000").result).stopReason).toBe("end_turn");
    expect(lossesOf(numbersIn(text), 5_000)).toEqual(noLosses);
    expect(isSet).toBe(true);
  }
  const listed: string[] = [];
  for await (const { sessionId } of agent.listSessions()) listed.push(sessionId);
  expect(listed).toEqual(ids);
  await gateway.close();
  await engine.close();
});
