// #region buffers
import { readFile, writeFile } from "node:fs/promises";
import { type FileHandlers, RpcError } from "@acp-kit/client";

/** What the user has open, with changes that are not saved yet. */
export const buffers = new Map<string, string>();

/** The agent sees files as the user does: unsaved changes included. `inside` decides which paths are the agent's business. */
export function fileHandlers(inside: (path: string) => boolean): FileHandlers {
  const assertInside = (path: string): void => {
    if (!inside(path)) throw new RpcError(-32602, "The path is outside the workspace", { data: { path } });
  };
  return {
    async readTextFile({ path, line, limit }) {
      assertInside(path);
      const text = buffers.get(path) ?? (await readFile(path, "utf8").catch(() => undefined));
      if (text === undefined) throw new RpcError(-32002, "Resource not found", { data: { path } });
      const lines = text.split(/(?<=\n)/).slice((line ?? 1) - 1);
      return { content: lines.slice(0, limit ?? lines.length).join("") };
    },
    async writeTextFile({ path, content }) {
      assertInside(path);
      if (buffers.has(path)) buffers.set(path, content);
      await writeFile(path, content);
    },
  };
}
// #endregion buffers
