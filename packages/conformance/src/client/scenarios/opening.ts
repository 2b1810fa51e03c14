import type { Scenario } from "../../scenario.js";
import { ErrorResponse } from "../agent-setup.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { clientHas } from "../client-facts.js";
import { at, type JsonObject, show } from "../json.js";
import type { Call } from "../wire-event.js";

const info = { name: "acp-kit-conformance", version: "1" };

function works(
  id: string,
  title: string,
  verifies: readonly string[],
  initialized: JsonObject,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn({ initialized });
      await context.survived(turn, verifies[0] ?? "", `the response ${show(initialized)} to \`initialize\``);
    },
  });
}

function leaves(id: string, title: string, protocolVersion: number): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies: ["INIT-09"],
    run: async (context) => {
      const run = await context.start({ initialized: { protocolVersion, agentCapabilities: {}, agentInfo: info } });
      const agent = await run.agent();
      if (!(await run.request("initialize"))) context.skip(`The client sent no \`initialize\`${run.silence()}.`);
      const goesOn = (): Call | undefined => {
        const since = run.requests.findIndex(({ method }) => method === "initialize");
        return run.requests.slice(since).find(({ method }) => method !== "initialize");
      };
      const left = await Promise.race([
        agent.wire.closed.then(() => true),
        run.exit().then((status) => status !== undefined),
        run.until(() => goesOn() !== undefined).then(() => false),
      ]);
      const next = goesOn();
      if (next) {
        context.fail("INIT-09", {
          sent: `\`protocolVersion\` ${protocolVersion}, which no client of version 1 knows`,
          received: show(next),
        });
      }
      if (left) return;
      await run.waitForLateExit();
      context.fail("INIT-09", {
        sent: `\`protocolVersion\` ${protocolVersion}, which no client of version 1 knows`,
        received: `No message, and the connection was still open ${context.driving.stepMs} ms later.`,
      });
    },
  });
}

/** Scenarios about the start of a connection: versions, capabilities, login, opening a session. */
export const openingScenarios: readonly Scenario<ClientScenarioContext>[] = [
  clientScenario({
    id: "opening/stdio",
    title: "The client starts its agent as a child process and initializes it over stdio",
    verifies: ["TRANS-02", "TRANS-08", "INIT-01"],
    run: async (context) => {
      const run = await context.start();
      await run.until(() => run.agents.length > 0);
      if (run.agents.length === 0) {
        await run.waitForLate("the start of the agent", () => run.agents.length > 0);
        context.fail("TRANS-02", {
          sent: "The agent's command, in the arguments and in the environment of the client",
          received: `The client started no agent within ${context.driving.stepMs} ms${run.silence()}.`,
          explanation:
            "A client starts its agent as a child process. The kit can test no other rule until the client starts the agent of the kit.",
        });
      }
      if (await run.request("initialize")) return;
      await run.waitForLate("`initialize`", () => run.requests.length > 0);
      context.fail("INIT-01", {
        sent: "No message; the agent waits for `initialize`.",
        received: `No \`initialize\` within ${context.driving.stepMs} ms${run.silence()}.`,
      });
    },
  }),
  clientScenario({
    id: "opening/waits-for-initialize",
    title: "The client waits for the response to `initialize`",
    verifies: ["INIT-01"],
    run: async (context) => {
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const initialize = async (): Promise<unknown> => {
        await held;
        return { protocolVersion: 1, agentCapabilities: {}, agentInfo: info, authMethods: [] };
      };
      const run = await context.start({ handlers: { initialize } });
      await run.agent();
      if (!(await run.request("initialize"))) context.skip(`The client sent no \`initialize\`${run.silence()}.`);
      await run.until(() => run.requests.length > 1, context.driving.quietMs);
      const early = run.requests.find(({ method }) => method !== "initialize");
      release();
      if (early) {
        context.fail("INIT-01", {
          sent: "No message yet; the agent delays its response to `initialize`.",
          received: show(early),
        });
      }
    },
  }),
  leaves("opening/newer-version", "The client leaves an agent that responds with a newer version", 99),
  leaves("opening/version-zero", "The client leaves an agent that responds with version 0", 0),
  works(
    "opening/bare-answer",
    "The client works with an agent whose initialize response has only the version",
    ["INIT-12", "INIT-15"],
    {
      protocolVersion: 1,
    },
  ),
  works("opening/null-capabilities", "The client reads capabilities that are `null` as absent", ["INIT-13"], {
    protocolVersion: 1,
    agentCapabilities: {
      sessionCapabilities: { list: null, resume: null, close: null, delete: null, additionalDirectories: null },
      auth: { logout: null },
    },
    agentInfo: null,
    authMethods: [],
  }),
  works("opening/unknown-capabilities", "The client ignores capabilities that it doesn't know", ["INIT-23"], {
    protocolVersion: 1,
    agentCapabilities: {
      future: {},
      promptCapabilities: { smell: true },
      sessionCapabilities: { teleport: {} },
      _meta: { "acp-kit.test/any": [1, { deep: null }] },
    },
    agentInfo: { ...info, title: "A title", flavour: "unknown" },
  }),
  works(
    "opening/malformed-optional-members",
    "The client reads malformed optional members of the response as absent",
    ["INIT-22"],
    {
      protocolVersion: 1,
      agentCapabilities: { loadSession: "yes", promptCapabilities: 5, sessionCapabilities: [] },
      agentInfo: 5,
      authMethods: [5, { id: "fine", name: "A method that is fine" }],
    },
  ),
  works("opening/everything-advertised", "The client works with an agent that advertises everything", ["INIT-15"], {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    agentInfo: info,
    authMethods: [],
  }),
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
    id: "opening/modes",
    title: "The client works with an agent that has modes",
    verifies: ["INIT-15"],
    run: async (context) => {
      const availableModes = [
        { id: "ask", name: "Ask", description: null },
        { id: "code", name: "Code" },
      ];
      const turn = await context.turn({ session: { modes: { currentModeId: "ask", availableModes } } });
      await context.survived(turn, "INIT-15", "a session with modes");
    },
  }),
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
  clientScenario({
    id: "opening/odd-session-id",
    title: "The client sends a session id with unusual characters unchanged",
    verifies: ["SESS-05", "TRANS-01"],
    run: async (context) => {
      const id = 'a session/ü\u2028\u{1f9ea} é\n"quoted"\\';
      const turn = await context.turn({ sessionId: (n) => (n === 1 ? id : `${id}${n}`) });
      if (turn.sessionId !== id && turn.sessionId !== `${id}2`) {
        context.fail("SESS-05", {
          sent: `The session id ${show(id)}`,
          received: show(turn.sessionId),
          explanation: "Ids are opaque: every character counts, also those outside ASCII.",
        });
      }
    },
  }),
  clientScenario({
    id: "opening/updates-before-the-session",
    title: "The client accepts an update that arrives before the response to session/new",
    verifies: ["UPD-06", "UPD-04"],
    run: async (context) => {
      const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
      const turn = await context.turn({
        handlers: {
          "session/new": (_, agent) => {
            agent.notify("session/update", { sessionId: "early", update: commands });
            return { sessionId: "early" };
          },
        },
      });
      await context.survived(turn, "UPD-06", "an update before the response to `session/new`");
    },
  }),
  clientScenario({
    id: "opening/list-ends",
    title: "The client lists sessions page by page, and stops at a page without a cursor",
    verifies: ["LIST-07", "LIST-08"],
    needs: ["a client that lists sessions"],
    run: async (context) => {
      const cursors = ["page 2/ü=&\u{1f4c4}", '{"page":3}'];
      // A client may list its sessions several times, also at the same time: only the cursor selects the page.
      const pageOf = (params: unknown): number => cursors.indexOf(at(params, "cursor") as string) + 1;
      const isFirst = (params: unknown): boolean => (at(params, "cursor") ?? undefined) === undefined;
      const run = await context.start({
        capabilities: { sessionCapabilities: { list: {} } },
        handlers: {
          "session/list": ({ params }) => {
            const page = pageOf(params);
            if (page === 0 && !isFirst(params)) throw new ErrorResponse(-32602, "There is no such page");
            const nextCursor = cursors[page];
            const sessions = [{ sessionId: `listed-${page + 1}`, cwd: "/" }];
            return nextCursor === undefined ? { sessions } : { sessions, nextCursor };
          },
        },
      });
      const calls = (): readonly Call[] => run.requests.filter(({ method }) => method === "session/list");
      if (!(await run.request("session/list"))) context.skip(`The client never lists sessions${run.silence()}.`);
      if (!(await run.nextTurn())) await run.until(() => calls().length > cursors.length + 1, context.driving.quietMs);
      /** For each page: how many of the client's listings, which may overlap, have received this page and not yet requested the next one. */
      const open = [0, 0, 0];
      calls().forEach(({ params }, index) => {
        const page = pageOf(params);
        const isKnown = page === 0 ? isFirst(params) : (open[page - 1] ?? 0) > 0;
        if (isKnown) {
          if (page > 0) open[page - 1] = (open[page - 1] ?? 0) - 1;
          open[page] = (open[page] ?? 0) + 1;
          return;
        }
        const isPastTheEnd = (open[cursors.length] ?? 0) > 0;
        context.note(isPastTheEnd ? "LIST-07" : "LIST-08", {
          sent: `Three pages, with the cursors ${show(cursors)}`,
          received: `Request ${index + 1} has the cursor ${show(at(params, "cursor"))}.`,
          explanation: isPastTheEnd
            ? "The third page had no cursor, so it was the last."
            : "The client sends each cursor back unchanged, in order.",
        });
      });
    },
  }),
];
