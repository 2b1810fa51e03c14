import type { PromptResult, Turn } from "@acp-kit/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { v2AgentSession } from "../../test/v2-agent.js";

/** What the handler of a prompt does. */
const behaviours: Readonly<Record<string, (turn: Turn) => Promise<PromptResult>>> = {
  "ends at once": async () => "end_turn",
  "throws at once": async () => {
    throw new Error("at once");
  },
  "sends and throws at once": async (turn) => {
    void turn.message("first");
    throw new Error("after a message");
  },
  "throws later": async (turn) => {
    await tick();
    await turn.message("first");
    throw new Error("later");
  },
  "works for a while": async (turn) => {
    await turn.message("first");
    await tick();
    turn.toolCall({ title: "x", status: "in_progress" });
    await tick();
    await turn.message("second");
    return "max_tokens";
  },
  "waits for the cancellation": (turn) =>
    new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason))),
  "takes further prompts": async (turn) => {
    turn.onPrompt(() => void turn.message("more"));
    await tick();
    await tick();
  },
};

type Step = { readonly prompt: string } | "cancel" | "withdraw the last prompt" | "wait" | "work";

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(behaviours)).map((prompt) => ({ prompt })) },
  { weight: 3, arbitrary: fc.constantFrom("cancel", "withdraw the last prompt", "wait", "work") },
);

test("versions.inserted-once: every prompt has one response, and is in the conversation exactly if it has an id; every work ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("queue", "reject", "merge"),
      fc.array(steps, { maxLength: 15 }),
      async (policy, script) => {
        const agent = await v2AgentSession({
          options: { concurrentPrompts: policy },
          definition: { prompt: (turn) => (behaviours[turn.text] as (turn: Turn) => Promise<PromptResult>)(turn) },
        });
        const prompts: unknown[] = [];
        for (const step of script) {
          if (typeof step === "object") prompts.push(agent.prompt(step.prompt));
          else if (step === "cancel") agent.client.notify("session/cancel", { sessionId: "s" });
          else if (step === "withdraw the last prompt")
            agent.client.notify("$/cancel_request", { requestId: prompts.at(-1) ?? 0 });
          else if (step === "work")
            void agent.connection
              .session("s")
              .work(async (work) => void (await work.message("own")))
              .catch(() => {});
          else await tick();
        }
        // Ends turns that end only by a cancellation, until every prompt has its response and no work runs
        const isBusy = (): boolean => {
          const last = agent.states().at(-1);
          return (
            prompts.some((id) => agent.client.responseTo(id) === undefined) ||
            (last !== undefined && last.state !== "idle")
          );
        };
        for (let round = 0; isBusy() && round < 200; round += 1) {
          agent.client.notify("session/cancel", { sessionId: "s" });
          await tick();
        }
        expect(isBusy()).toBe(false);
        const responses = agent.client
          .receivedSoFar()
          .filter(({ method, id }) => method === undefined && prompts.includes(id));
        expect(responses).toHaveLength(prompts.length);
        const inserted = responses.flatMap(({ result }) =>
          result === undefined ? [] : [(result as { messageId: string }).messageId],
        );
        const messages = updatesOf(agent.client).filter(({ sessionUpdate }) => sessionUpdate === "user_message");
        expect(messages.map(({ messageId }) => messageId).sort()).toEqual([...inserted].sort());
        expect(new Set(inserted).size).toBe(inserted.length);
        let state = "idle";
        for (const update of updatesOf(agent.client)) {
          if (update.sessionUpdate === "state_update") {
            if (update.state === "idle") expect(state).not.toBe("idle");
            state = String(update.state);
          }
          // Nothing of a turn is sent while no work runs; the user message precedes the state
          if (update.sessionUpdate === "agent_message_chunk") expect(state).not.toBe("idle");
        }
        const ends = agent.states().filter((update) => update.state === "idle");
        for (const end of ends) expect(typeof end.stopReason).toBe("string");
        await agent.connection.close();
      },
    ),
    { numRuns: 100 },
  );
});
