import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import { clientHas } from "../../client/client-facts.js";
import { callOf } from "../../client/wire-event.js";
import { info, works } from "../../client/works-with.js";
import { member, shown } from "../../wire/values.js";

/** The checks of clients: authentication. */
export const authenticationClientChecks: readonly ClientCheck[] = [
  works(
    "opening/unknown-login-method",
    "The client ignores login methods that are malformed or of an unknown type",
    ["AUTH-20", "AUTH-21"],
    {
      protocolVersion: 1,
      agentCapabilities: {},
      agentInfo: info,
      authMethods: [
        { type: "env_var", id: "env", name: "A method of an unknown type", vars: [] },
        { type: "terminal", id: "broken", name: "A malformed method", args: "no list" },
        { id: "plain", name: "A plain method" },
      ],
    },
  ),
  clientScenario({
    id: "opening/login",
    title: "The client logs in with a listed method and repeats the refused request",
    verifies: ["AUTH-08", "AUTH-02"],
    needs: ["a client that logs in without a person"],
    run: async (context) => {
      const inTerminal = { type: "terminal", id: "terminal-log-in", name: "Log in, in a terminal", args: ["login"] };
      const authMethods = [
        ...(clientHas(context.facts, "auth.terminal") ? [inTerminal] : []),
        { id: "log-in", name: "Log in" },
      ];
      const run = await context.start({ loginRequired: true, authMethods });
      if (!(await run.request("session/new"))) context.skip(`The client opened no session${run.silence()}.`);
      if (!(await run.request("authenticate"))) {
        context.skip(
          `The client did not call \`authenticate\` by itself; a person may have to choose${run.silence()}.`,
        );
      }
      const isRepeated = (): boolean => run.requests.filter(({ method }) => method === "session/new").length > 1;
      await run.until(isRepeated);
      if (isRepeated()) return;
      await run.waitForLate("the second `session/new`", isRepeated);
      context.fail("AUTH-08", {
        sent: "`-32000` for `session/new`, then success for `authenticate`",
        received: `No second \`session/new\`${run.silence()}.`,
      });
    },
  }),
  clientScenario({
    id: "opening/login-lost-in-a-turn",
    title: "The client ends a turn whose prompt gets the error -32000",
    verifies: ["AUTH-19"],
    run: async (context) => {
      const turn = await context.turn();
      turn.fail(-32000, "Authentication required");
      await context.settles("AUTH-19", "`-32000` for `session/prompt`");
    },
  }),
  clientWatch({
    id: "payload/login-method",
    title: "`authenticate` names a method that the agent has listed",
    verifies: ["AUTH-04"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "authenticate") return undefined;
      const methods = state.loginMethods();
      if (methods.has(member(call.params, "methodId"))) return "fine";
      return { sent: `The login methods ${shown([...methods.keys()])}`, received: shown(call) };
    },
  }),
  clientWatch({
    id: "payload/terminal-login",
    title: "A login method of type `terminal` is not passed to `authenticate`",
    verifies: ["AUTH-05"],
    judge: (event, state) => {
      const call = callOf(event);
      if (call?.method !== "authenticate") return undefined;
      const type = state.loginMethods().get(member(call.params, "methodId"));
      return type === "terminal" ? { received: shown(call) } : "fine";
    },
  }),
];
