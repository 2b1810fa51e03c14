// The tools of the application. They run in its process, so they use its data.
import { mcpTools, ToolError } from "@acp-kit/mcp";
import { z } from "zod";

export const titles = new Map([["T-1", "The export is empty"]]);

export const desk = mcpTools("desk", {
  find: {
    description: "Returns the title of a ticket",
    input: z.object({ id: z.string() }),
    run: ({ id }) => titles.get(id) ?? missing(id),
  },
  rename: {
    description: "Changes the title of a ticket",
    input: z.object({ id: z.string(), title: z.string() }),
    run: ({ id, title }) => {
      if (!titles.has(id)) missing(id);
      titles.set(id, title);
      return `${id} is now "${title}".`;
    },
  },
});

function missing(id: string): never {
  throw new ToolError(`There is no ticket ${id}.`);
}
