import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { type FileHandlers, invalidParams, RpcError } from "@acp-kit/client";

/** Text files of one folder, for the agent. Nothing outside it can be reached, not through a symbolic link either. */
export function filesIn(root: string, onUse: (method: string, path: string) => void): FileHandlers {
  return {
    async readTextFile({ path, line, limit }) {
      onUse("fs/read_text_file", path);
      const text = await readFile(await confined(root, path), "utf8").catch(notFound(path));
      if (line == null && limit == null) return { content: text };
      const first = (line ?? 1) - 1;
      const lines = text.split(/(?<=\n)/);
      return { content: lines.slice(first, limit == null ? undefined : first + limit).join("") };
    },
    async writeTextFile({ path, content }) {
      onUse("fs/write_text_file", path);
      const target = await confined(root, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    },
  };
}

/** The real path of `path`, which must lie in `root`. What doesn't exist yet is judged by the nearest folder that does. */
export async function confined(root: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw invalidParams("Invalid params: path: must be absolute", { path });
  const realRoot = await realpath(root);
  const real = await realOf(path);
  const inside = relative(realRoot, real);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw invalidParams("Invalid params: path: outside the folder of this session", { path });
  }
  return real;
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    return join(await realOf(parent), relative(parent, path));
  }
}

function notFound(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === "ENOENT") throw new RpcError(-32002, "Resource not found", { data: { path } });
    throw error;
  };
}
