import { diff } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";
import { pathOf } from "./path-of.js";

/** Writes a file through the client without a permission request; `/edit` requests one. */
export const write: EverythingCommand = {
  name: "write",
  description: "Write a text file through the client",
  hint: "<path> <text>",
  needs: "clientCapabilities.fs.writeTextFile",
  async play(scene) {
    const [, name = "", text = ""] = /^(\S+)\s*([\s\S]*)$/.exec(scene.args) ?? [];
    if (name === "") return scene.sendText("Which file? Say /write <path> <text>.");
    const path = pathOf(scene.session.place.cwd, name);
    const init = { kind: "edit", title: `Write ${name}`, name: "write_file", status: "in_progress" } as const;
    const done = await scene.tool({ ...init, locations: [{ path }], rawInput: { path } }, async () => {
      await scene.turn.client.writeTextFile({ path, content: text });
      return { content: [diff({ path, newText: text })] };
    });
    await scene.sendText(done ? `I wrote ${text.length} characters to ${name}.` : `I could not write ${name}.`);
  },
};
