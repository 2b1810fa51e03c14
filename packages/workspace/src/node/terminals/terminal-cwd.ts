import { resolve } from "node:path";
import { invalidParams } from "@acp-kit/protocol";
import { Confinement } from "../files/confinement.js";
import { type Roots, rootsOf } from "../roots.js";
import type { WorkspaceContext } from "../workspace-context.js";

/** Finds the directory that a command starts in. */
export class TerminalCwd {
  readonly #roots: Roots;
  readonly #confinement = new Confinement([]);

  constructor(roots: Roots) {
    this.#roots = roots;
  }

  /**
   * The real path of `cwd`; without one the session's working directory where that is allowed, else the first root.
   *
   * @throws {RpcError} when it lies outside, or there is no such directory.
   */
  async find(cwd: string | null | undefined, sessionId: string, context: WorkspaceContext): Promise<string> {
    const roots = rootsOf(this.#roots, sessionId, context);
    const candidates = cwd == null ? [context.session?.roots[0], roots[0]?.path] : [cwd];
    for (const path of candidates) {
      if (path === undefined) continue;
      const place = await this.#confinement.find(path, roots, { change: false }).catch(() => undefined);
      if (place !== undefined && place.missing.length === 0) return place.realPath;
    }
    const path = cwd ?? candidates.find((each) => each !== undefined);
    const data = { cwd: path === undefined ? undefined : resolve(path), reason: "bad_cwd" };
    throw invalidParams("Invalid params: cwd: not a directory in a folder of this session", data);
  }
}
