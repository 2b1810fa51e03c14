import { ErrorResponse } from "../../client/agent-setup.js";
import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import { type Call, callOf } from "../../client/wire-event.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of clients: session list. */
export const sessionListClientChecks: readonly ClientCheck[] = [
  clientScenario({
    id: "opening/list-ends",
    title: "The client lists sessions page by page, and stops at a page without a cursor",
    verifies: ["LIST-07", "LIST-08"],
    needs: ["a client that lists sessions"],
    run: async (context) => {
      const cursors = ["page 2/ü=&\u{1f4c4}", '{"page":3}'];
      // A client may list its sessions several times, also at the same time: only the cursor selects the page.
      const pageOf = (params: unknown): number => cursors.indexOf(member(params, "cursor") as string) + 1;
      const isFirst = (params: unknown): boolean => (member(params, "cursor") ?? undefined) === undefined;
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
      /** For each page: how many of the listings have received it and not yet requested the next one. */
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
          sent: `Three pages, with the cursors ${shown(cursors)}`,
          received: `Request ${index + 1} has the cursor ${shown(member(params, "cursor"))}.`,
          explanation: isPastTheEnd
            ? "The third page had no cursor, so it was the last."
            : "The client sends each cursor back unchanged, in order.",
        });
      });
    },
  }),
  clientWatch({
    id: "payload/list-cwd",
    title: "The filter of `session/list` is an absolute path",
    verifies: ["LIST-03"],
    judge: (event) => {
      const call = callOf(event);
      const cwd = member(call?.params, "cwd");
      if (call?.method !== "session/list" || cwd === undefined || cwd === null) return undefined;
      return isAbsolutePath(cwd) ? "fine" : { received: shown(call) };
    },
  }),
  clientWatch({
    id: "payload/list-cursor",
    title: "The client sends cursors back unchanged",
    verifies: ["LIST-08", "LIST-09"],
    judge: (event, state) => {
      const call = callOf(event);
      const cursor = member(call?.params, "cursor");
      if (call?.method !== "session/list" || cursor === undefined || cursor === null) return undefined;
      if (typeof cursor === "string" && state.cursors.has(cursor)) return "fine";
      return { sent: `The cursors ${shown([...state.cursors])}`, received: shown(call) };
    },
  }),
];
