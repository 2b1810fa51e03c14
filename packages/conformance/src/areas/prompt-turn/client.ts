import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import { type RuleAt, schemaRule } from "../../client/schema-rule.js";
import { callOf } from "../../client/wire-event.js";
import { member, shown } from "../../wire/values.js";

const ofBlocks: RuleAt = ([name, index]) => (name === "prompt" && index !== undefined ? "CONT-01" : undefined);

/** The checks of clients: prompt turn. */
export const promptTurnClientChecks: readonly ClientCheck[] = [
  ...["refusal", "max_tokens", "max_turn_requests"].map((stopReason) =>
    clientScenario({
      id: `endings/${stopReason.replaceAll("_", "-")}`,
      title: `The client ends a turn with the stop reason \`${stopReason}\``,
      verifies: ["PROMPT-22"],
      run: async (context) => {
        (await context.turn()).end(stopReason);
        await context.settles("PROMPT-22", `The stop reason \`${stopReason}\``);
      },
    }),
  ),
  clientScenario({
    id: "endings/unknown-stop-reason",
    title: "The client ends a turn with an unknown stop reason",
    verifies: ["PROMPT-22"],
    run: async (context) => {
      (await context.turn()).end("weird");
      await context.settles("PROMPT-22", 'The stop reason "weird"');
    },
  }),
  clientScenario({
    id: "endings/no-stop-reason",
    title: "The client ends a turn without a stop reason",
    verifies: ["PROMPT-22"],
    run: async (context) => {
      (await context.turn()).respond({});
      await context.settles("PROMPT-22", "A prompt result without a stop reason");
    },
  }),
  clientScenario({
    id: "endings/later-turns",
    title: "Each prompt of the client starts a turn",
    verifies: ["PROMPT-13"],
    needs: ["a client that prompts more than once"],
    run: async (context) => {
      const turn = await context.turn();
      turn.end();
      const second = await context.run.nextTurn();
      if (!second) context.skip("The client prompts once.");
      second?.say("Hello again.");
      await second?.checkAlive("a second turn");
      second?.end();
    },
  }),
  clientWatch({
    id: "lifecycle/one-turn-at-a-time",
    title: "The client prompts a session only after the previous turn has ended",
    verifies: ["PROMPT-14"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "session/prompt") return undefined;
      const open = state.openPrompt(member(call.params, "sessionId"));
      if (!open) return "fine";
      return {
        received: shown(call),
        explanation: `The prompt with the id ${shown(open.id)} is still open; agents differ in how they treat a second one.`,
      };
    },
  }),
  clientWatch(schemaRule("prompt", ["PROMPT-02", "CONT-01", "RPC-18"], ["session/prompt"], ofBlocks)),
];
