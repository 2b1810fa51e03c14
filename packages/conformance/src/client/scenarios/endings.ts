import type { Scenario } from "../../scenario.js";
import { after } from "../../timer.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";

/** Scenarios about unusual ends of turns, and about agents and clients that exit. */
export const endingScenarios: readonly Scenario<ClientScenarioContext>[] = [
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
    id: "endings/agent-leaves",
    title: "The client exits after its agent exits during a turn",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.say("I exit.");
      turn.agent.wire.exit();
      await context.settles("TRANS-12", "The agent exited during the turn");
    },
  }),
  clientScenario({
    id: "endings/agent-dies-in-a-line",
    title: "The client exits after its agent crashes in the middle of a message",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.agent.wire.sendText('{"jsonrpc":"2.0","method":"session/upd', "a message that breaks off");
      turn.agent.wire.crash();
      await context.settles("TRANS-12", "Half a message, then a crash of the agent");
    },
  }),
  clientScenario({
    id: "endings/client-leaves",
    title: "A client that exits closes the agent's stdin",
    verifies: ["TRANS-12"],
    run: async (context) => {
      const turn = await context.turn();
      turn.end();
      context.run.respondToOtherPrompts();
      const { agent } = turn;
      if (context.facts.exitCode === undefined) context.run.process.closeStdin();
      const { stepMs } = context.driving;
      const closed = await new Promise<boolean>((resolve) => {
        const stopTimer = after(stepMs, () => resolve(false));
        void agent.wire.closed.then(() => {
          stopTimer();
          resolve(true);
        });
      });
      if (closed) return;
      if (!context.run.status)
        context.skip("The client keeps running after its own stdin has ended, so the kit can't observe its exit.");
      context.fail("TRANS-12", {
        sent: "The end of a turn",
        received: "The client exited, and the agent's stdin is still open.",
        explanation: "An agent exits when its stdin ends, so a client closes it.",
      });
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
];
