import { type ClientCheck, clientScenario } from "../../client/checks.js";

/** The checks of clients: notices. */
export const noticesClientChecks: readonly ClientCheck[] = [
  clientScenario({
    id: "updates/notice-severity",
    title: "The client accepts a notice of an unknown severity",
    verifies: ["NOTICE-03"],
    needs: ["clientCapabilities.session.notices"],
    run: async (context) => {
      context.needsCapability("session.notices");
      const turn = await context.turn();
      for (const severity of ["info", "warning", "error", "_own", "later"]) {
        turn.update({ sessionUpdate: "notice", severity, title: "A notice" });
      }
      await context.survived(turn, "NOTICE-03", "notices of known and unknown severity");
    },
  }),
];
