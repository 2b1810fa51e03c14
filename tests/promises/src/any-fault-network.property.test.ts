import { faulty, forEachSeed, randomPlan } from "@acp-kit/testing";
import { expect, it, vi } from "vitest";
import { Conversation } from "./harness/conversation.js";
import { startFixtureAgent } from "./harness/fixture-agent.js";
import { openRemote, profiles } from "./harness/remote.js";

const patience = { idleTimeoutMs: 300, cancelTimeoutMs: 200, deadlineMs: 1_000 };
const RUNS = 6;
/** More bytes than `initialize` and the first session need, so that most cuts hit turns. */
const FIRST_BYTE = 500;
const LAST_BYTE = 20_000;

it.each(profiles)(
  "settle.any-fault: over %s with cut sockets, every promise settles, and the server keeps no connection",
  async (profile) => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    await forEachSeed({ runs: RUNS }, async (seed) => {
      const agents: Promise<unknown>[] = [];
      const cutAt = FIRST_BYTE + ((seed * 7_919) % (LAST_BYTE - FIRST_BYTE));
      let passed = 0;
      const remote = await openRemote(
        profile,
        {
          connect(transport) {
            const agent = startFixtureAgent(transport, { limits: { requestTimeoutMs: patience.deadlineMs } });
            agents.push(agent.closed);
            return agent;
          },
        },
        {
          toClient: (bytes, pass, cut) => {
            const isHere = passed < cutAt && passed + bytes.length >= cutAt;
            pass(isHere && seed % 2 === 0 ? bytes.subarray(0, cutAt - passed) : bytes);
            if (isHere && seed % 2 === 0) cut();
            passed += bytes.length;
          },
        },
      );
      const transport = faulty(remote.transport, randomPlan(seed), { seed });
      const conversation = new Conversation(patience);
      await conversation.play(transport);
      await transport.close();
      await Promise.all(agents);
      const after = { hanging: conversation.hanging, untyped: conversation.untyped, rejections };
      expect(after, transport.describe()).toEqual({ hanging: [], untyped: [], rejections: [] });
      // The server drops a connection in a later task than its agent.
      await vi.waitFor(() => expect(remote.connections(), transport.describe()).toBe(0), 20_000);
      await remote[Symbol.asyncDispose]();
    });
    process.off("unhandledRejection", note);
  },
);
