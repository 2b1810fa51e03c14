import { type ClientCheck, callWatch, clientScenario, turnScenario } from "../../client/checks.js";
import { clientHas } from "../../client/client-facts.js";
import { info, works } from "../../client/works-with.js";
import { member, shown } from "../../wire/values.js";

/** The checks of clients: authentication. */
export const authenticationClientChecks: readonly ClientCheck[] = [
  works(
    "opening/unknown-login-method",
    ["AUTH-20", "AUTH-21"],
    "The client ignores login methods that are malformed or of an unknown type",
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
  clientScenario("opening/login", ["AUTH-08", "AUTH-02"], {
    title: "The client logs in with a listed method and repeats the refused request",
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
  turnScenario("opening/login-lost-in-a-turn", ["AUTH-19"], {
    title: "The client ends a turn whose prompt gets the error -32000",
    run: async (context, turn) => {
      turn.fail(-32000, "Authentication required");
      await context.settles("AUTH-19", "`-32000` for `session/prompt`");
    },
  }),
  callWatch("payload/login-method", ["AUTH-04"], {
    title: "`authenticate` names a method that the agent has listed",
    method: "authenticate",
    judge: (call, state) => {
      const methods = state.loginMethods();
      if (methods.has(member(call.params, "methodId"))) return true;
      return { sent: `The login methods ${shown([...methods.keys()])}` };
    },
  }),
  callWatch("payload/terminal-login", ["AUTH-05"], {
    title: "A login method of type `terminal` is not passed to `authenticate`",
    method: "authenticate",
    judge: (call, state) => {
      const type = state.loginMethods().get(member(call.params, "methodId"));
      return type !== "terminal";
    },
  }),
];
