import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Host } from "../../client/host.js";

/** The {@link Host} of one scenario on this machine. */
export function nodeHost(): Host {
  const folders: string[] = [];
  const servers: Server[] = [];
  const makeFolder = async (parent: string): Promise<string> => {
    const folder = await mkdtemp(join(parent, "acp-kit-conformance-"));
    folders.push(folder);
    return folder;
  };
  return {
    makeFolder,
    makeOutsideFolder: () => makeFolder(tmpdir()),
    join: (folder, name) => join(folder, name),
    relative: (folder, path) => relative(folder, path),
    contains: async (folder, path) => {
      const [root, place] = await Promise.all([folder, path].map((each) => realpath(each).catch(() => undefined)));
      if (root === undefined || place === undefined) return false;
      const way = relative(root, place);
      return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    },
    writeFile: (path, content) => writeFile(path, content),
    readFile: (path) => readFile(path, "utf8").catch(() => undefined),
    link: (target, path) =>
      symlink(target, path).then(
        () => true,
        () => false,
      ),
    script: { command: process.execPath, args: ["-e"] },
    isAlive: (pid) => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    },
    listen: async () => {
      let visits = 0;
      const server = createServer((_, response) => {
        visits++;
        response.end();
      });
      servers.push(server);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits: () => visits };
    },
    dispose: async () => {
      for (const server of servers) server.close();
      // A client may still write to a folder while the kit removes it. Such a failure must not end the run.
      const retrying = { recursive: true, force: true, maxRetries: 5 } as const;
      await Promise.all(folders.map((folder) => rm(folder, retrying).catch(() => {})));
    },
  };
}
