import { type ClientCheck, callWatch, clientScenario, turnScenario } from "../../client/checks.js";
import { type RuleAt, schemaWatch } from "../../client/schema-watch.js";
import { member, shown } from "../../wire/values.js";

const ofBlocks: RuleAt = ([name, index]) => (name === "prompt" && index !== undefined ? "CONT-01" : undefined);

/** The checks of clients: prompt turn. */
export const promptTurnClientChecks: readonly ClientCheck[] = [
  ...["refusal", "max_tokens", "max_turn_requests"].map((stopReason) =>
    clientScenario(`endings/${stopReason.replaceAll("_", "-")}`, ["PROMPT-22"], {
      title: `The client ends a turn with the stop reason \`${stopReason}\``,
      run: async (context) => {
        (await context.turn()).end(stopReason);
        await context.settles("PROMPT-22", `The stop reason \`${stopReason}\``);
      },
    }),
  ),
  clientScenario("endings/unknown-stop-reason", ["PROMPT-22"], {
    title: "The client ends a turn with an unknown stop reason",
    run: async (context) => {
      (await context.turn()).end("weird");
      await context.settles("PROMPT-22", 'The stop reason "weird"');
    },
  }),
  clientScenario("endings/no-stop-reason", ["PROMPT-22"], {
    title: "The client ends a turn without a stop reason",
    run: async (context) => {
      (await context.turn()).respond({});
      await context.settles("PROMPT-22", "A prompt result without a stop reason");
    },
  }),
  turnScenario("endings/later-turns", ["PROMPT-13"], {
    title: "Each prompt of the client starts a turn",
    needs: ["a client that prompts more than once"],
    run: async (context, turn) => {
      turn.end();
      const second = await context.run.nextTurn();
      if (!second) context.skip("The client prompts once.");
      second?.say("Hello again.");
      await second?.checkAlive("a second turn");
      second?.end();
    },
  }),
  callWatch("lifecycle/one-turn-at-a-time", ["PROMPT-14"], {
    title: "The client prompts a session only after the previous turn has ended",
    method: "session/prompt",
    judge: (call, state) => {
      const open = state.openPrompt(member(call.params, "sessionId"));
      if (!open) return true;
      return {
        explanation: `The prompt with the id ${shown(open.id)} is still open; agents differ in how they treat a second one.`,
      };
    },
  }),
  schemaWatch("prompt", ["PROMPT-02", "CONT-01", "RPC-18"], ["session/prompt"], ofBlocks),
];
