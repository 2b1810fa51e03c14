import { ErrorResponse } from "../../client/agent-setup.js";
import { type ClientCheck, callWatch, clientScenario } from "../../client/checks.js";
import type { Call } from "../../client/wire-event.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of clients: session list. */
export const sessionListClientChecks: readonly ClientCheck[] = [
  clientScenario("opening/list-ends", ["LIST-07", "LIST-08"], {
    title: "The client lists sessions page by page, and stops at a page without a cursor",
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
  callWatch("payload/list-cwd", ["LIST-03"], {
    title: "The filter of `session/list` is an absolute path",
    method: "session/list",
    judge: ({ params }) => {
      const cwd = member(params, "cwd") ?? undefined;
      return cwd === undefined ? undefined : isAbsolutePath(cwd);
    },
  }),
  callWatch("payload/list-cursor", ["LIST-08", "LIST-09"], {
    title: "The client sends cursors back unchanged",
    method: "session/list",
    judge: ({ params }, { cursors }) => {
      const cursor = member(params, "cursor") ?? undefined;
      if (cursor === undefined) return undefined;
      return (typeof cursor === "string" && cursors.has(cursor)) || { sent: `The cursors ${shown([...cursors])}` };
    },
  }),
];
