import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";

/** Scenarios about endings: turns with unusual endings, agents that exit, clients that exit. */
export const endingScenarios: readonly Scenario<ClientScenarioContext>[] = [
  ...["refusal", "max_tokens", "max_turn_requests"].map((stopReason) =>
    clientScenario({
      id: `endings/${stopReason.replaceAll("_", "-")}`,
      title: `A turn that ends with \`${stopReason}\` is over`,
      verifies: ["PROMPT-22"],
      run: async (context) => {
        (await context.turn()).end(stopReason);
        await context.settles("PROMPT-22", `The stop reason \`${stopReason}\``);
      },
    }),
  ),
  clientScenario({
    id: "endings/unknown-stop-reason",
    title: "A turn that ends with an unknown stop reason is over",
    verifies: ["PROMPT-22"],
    run: async (context) => {
      (await context.turn()).end("weird");
      await context.settles("PROMPT-22", 'The stop reason "weird"');
    },
  }),
  clientScenario({
    id: "endings/no-stop-reason",
    title: "A turn that ends without a stop reason is over",
    verifies: ["PROMPT-22"],
    run: async (context) => {
      (await context.turn()).respond({});
      await context.settles("PROMPT-22", "A prompt result without a stop reason");
    },
  }),
  clientScenario({
    id: "endings/agent-leaves",
    title: "A client whose agent ends in the middle of a turn comes to an end too",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.say("I am off.");
      turn.agent.wire.exit();
      await context.settles("TRANS-12", "Nothing more: the agent ended in the middle of the turn");
    },
  }),
  clientScenario({
    id: "endings/agent-dies-in-a-line",
    title: "A client whose agent dies in the middle of a message comes to an end too",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.agent.wire.sendText('{"jsonrpc":"2.0","method":"session/upd', "a message that breaks off");
      turn.agent.wire.crash();
      await context.settles("TRANS-12", "Half a message; then the agent died");
    },
  }),
  clientScenario({
    id: "endings/client-leaves",
    title: "A client that exits closes the agent's stdin",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.end();
      context.run.answerOtherPrompts();
      const { agent } = turn;
      if (context.facts.exitCode === undefined) context.run.process.closeStdin();
      const { stepMs } = context.driving;
      const closed = await Promise.race([
        agent.wire.closed.then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, stepMs, false)),
      ]);
      if (closed) return;
      if (!context.run.status)
        context.skip("The client stays after its own stdin has ended, so its exit can't be observed.");
      context.fail({
        requirement: "TRANS-12",
        sent: "The end of a turn",
        received: "The client has gone, and the agent's stdin is still open.",
        explanation: "The end of its stdin is how an agent learns that it should end.",
      });
    },
  }),
  clientScenario({
    id: "endings/later-turns",
    title: "Each prompt of a client is a turn of its own",
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
];
