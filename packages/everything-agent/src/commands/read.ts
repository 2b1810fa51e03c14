import { content } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";
import { pathOf } from "./path-of.js";

/** Reads a file through the client, with unsaved changes. */
export const read: EverythingCommand = {
  name: "read",
  description: "Read a text file through the client: all of it, or some lines",
  hint: "<path> [first line] [number of lines]",
  needs: "clientCapabilities.fs.readTextFile",
  async play(scene) {
    const { name, line, limit } = partOf(scene.args);
    if (name === "") return scene.sendText("Which file? Say /read <path>.");
    const path = pathOf(scene.session.place.cwd, name);
    const part = { ...(line && { line: Number(line) }), ...(limit && { limit: Number(limit) }) };
    const location = { path, ...(line && { line: Number(line) }) };
    const init = { kind: "read", title: `Read ${name}`, name: "read_file", status: "in_progress" } as const;
    let text = "";
    const done = await scene.tool({ ...init, locations: [location], rawInput: { path, ...part } }, async () => {
      ({ content: text } = await scene.turn.client.readTextFile({ path, ...part }));
      return { content: [content(text)], rawOutput: { characters: text.length } };
    });
    await scene.sendText(done ? `${name} has ${text.length} characters.` : `I could not read ${name}.`);
  },
};

/** Parses the arguments `<path> [first line] [number of lines]`. The path may contain spaces. */
export function partOf(args: string): { readonly name: string; readonly line?: string; readonly limit?: string } {
  const numbers: string[] = [];
  let name = args;
  while (numbers.length < 2) {
    const space = name.lastIndexOf(" ");
    const word = name.slice(space + 1);
    if (space < 0 || !/^\d+$/.test(word)) break;
    numbers.unshift(word);
    name = name.slice(0, space).trimEnd();
  }
  const [line, limit] = numbers;
  return { name, ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
}
