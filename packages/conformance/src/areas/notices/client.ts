import { type ClientCheck, turnScenario } from "../../client/checks.js";

/** The checks of clients: notices. */
export const noticesClientChecks: readonly ClientCheck[] = [
  turnScenario("updates/notice-severity", ["NOTICE-03"], {
    title: "The client accepts a notice of an unknown severity",
    needs: ["clientCapabilities.session.notices"],
    run: async (context, turn) => {
      for (const severity of ["info", "warning", "error", "_own", "later"]) {
        turn.update({ sessionUpdate: "notice", severity, title: "A notice" });
      }
      await context.survived(turn, "NOTICE-03", "notices of known and unknown severity");
    },
  }),
];
