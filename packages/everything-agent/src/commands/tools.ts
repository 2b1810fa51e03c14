import { content } from "@acp-kit/agent";
import type { ToolKind } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

const titles: Readonly<Record<ToolKind, string>> = {
  read: "Read src/main.ts",
  edit: "Edit src/main.ts",
  delete: "Delete src/old.ts",
  move: "Move src/a.ts to src/b.ts",
  search: "Search for TODO",
  execute: "Run the tests",
  think: "Think about it",
  fetch: "Fetch https://agentclientprotocol.com",
  switch_mode: "Switch to code mode",
  other: "Something else",
};

/** Sends a tool call of every kind, through every status. The tool calls do no real work. */
export const tools: EverythingCommand = {
  name: "tools",
  description: "Send tool calls of every kind: pending, in progress, then completed, and two that fail",
  async play(scene) {
    const path = `${scene.session.place.cwd}/src/main.ts`;
    for (const [kind, title] of Object.entries(titles) as [ToolKind, string][]) {
      await scene.tool({ kind, title, name: `pretend_${kind}`, status: "pending" }, async (call) => {
        await call.update({ rawInput: { path }, locations: [{ path, line: 1 }] });
        await scene.step();
        await call.start();
        await scene.step();
        if (kind === "delete") return call.fail("src/old.ts does not exist");
        if (kind === "fetch") return call.fail({ content: [content("404")], rawOutput: { status: 404 } });
        return { content: [content(`${title}: done`)], rawOutput: { ok: true }, locations: [{ path, line: 12 }] };
      });
    }
    await scene.sendText("Ten tool calls: eight completed, two failed.");
  },
};
