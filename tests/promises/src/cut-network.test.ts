import { connectAgent, isConnectionError } from "@acp-kit/client";
import { isRemoteError } from "@acp-kit/http";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { expect, it } from "vitest";
import { Cable, type Passage } from "./harness/cable.js";
import { startFixtureAgent } from "./harness/fixture-agent.js";
import { profiles } from "./harness/remote.js";

const directions = ["toServer", "toClient"] as const;
type Direction = (typeof directions)[number];
/** Positions at which one direction is cut, spread over all of its bytes. */
const CUTS = 30;

it.each(profiles)(
  "settle.agent-gone: if a socket is cut at any byte, in each direction, every promise settles: %s",
  async (profile) => {
    const agents: Promise<unknown>[] = [];
    const server = await serveHttp(
      {
        connect(transport) {
          const agent = startFixtureAgent(transport);
          agents.push(agent.closed);
          return agent;
        },
      },
      { limits: { idleTimeoutMs: 0 } },
    );

    /**
     * Connects, opens a session and runs a turn. Returns the last finished step, the error, and the bytes of both
     * directions.
     */
    async function play(cutIn: Direction, atByte: number) {
      const bytes = { toServer: 0, toClient: 0 };
      const passage =
        (direction: Direction): Passage =>
        (chunk, pass, cut) => {
          const room = direction === cutIn ? atByte - bytes[direction] : Number.POSITIVE_INFINITY;
          bytes[direction] += chunk.length;
          pass(chunk.subarray(0, Math.max(0, room)));
          if (chunk.length > room) cut();
        };
      await using cable = await Cable.to(server.port, { toServer: passage("toServer"), toClient: passage("toClient") });
      const url = `127.0.0.1:${cable.port}/acp`;
      const limits = { reconnectTimeoutMs: 0 };
      const source =
        profile === "WebSocket" ? webSocketAgent(`ws://${url}`, { limits }) : httpAgent(`http://${url}`, { limits });
      const came: string[] = [];
      const errors: unknown[] = [];
      try {
        const client = await connectAgent(await source.open(), { permissions: async () => "allow_once" });
        came.push("connected");
        const session = await client.newSession({ cwd: "/work" });
        came.push("opened");
        const turn = session.prompt("ask");
        const waiting = session.prompt("stream 20");
        const settled = Promise.allSettled([turn.result, waiting.result]);
        for await (const _ of turn);
        came.push((await turn.result).stopReason, (await waiting.result).stopReason);
        await settled;
        await client.close();
      } catch (error) {
        errors.push(error);
      }
      await source.close();
      return { came: came.join(", "), errors, bytes };
    }

    const whole = await play("toClient", Number.POSITIVE_INFINITY);
    expect(whole.errors).toEqual([]);
    const reached = new Set<string>();
    for (const direction of directions) {
      for (let cut = 0; cut < CUTS; cut += 1) {
        const atByte = Math.floor((whole.bytes[direction] * cut) / CUTS);
        const { came, errors } = await play(direction, atByte);
        reached.add(came);
        // The last bytes close the connection, and no promise depends on them.
        if (errors.length === 0) expect(came, `${direction} ${atByte}`).toBe(whole.came);
        for (const error of errors) {
          const isTyped = isRemoteError(error) || (isConnectionError(error) && error.cause !== undefined);
          expect(isTyped, `${direction} ${atByte}: ${error}`).toBe(true);
        }
      }
    }
    expect([...reached]).toEqual(expect.arrayContaining(["", "connected", "connected, opened"]));
    await Promise.all(agents); // Both sides have noticed the cut, too.
    await expect.poll(() => server.connections).toBe(0);
    await server.close();
  },
);
