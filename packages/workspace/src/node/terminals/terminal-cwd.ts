import { invalidParams, type RpcError } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import { Confinement, type Place } from "../files/confinement.js";
import { type Directory, openDirectory } from "../files/open-directory.js";
import { MAX_ATTEMPTS } from "../files/open-file.js";
import { systemTracking } from "../files/tracking.js";
import { type Root, type Roots, rootsOf } from "../roots.js";
import type { WorkspaceContext } from "../workspace-context.js";

/** A directory that stays open while a command starts in it. */
export interface HeldCwd {
  /** The real path of the directory when it was opened. */
  readonly realPath: string;
  /** The path in which the command starts. On Linux it leads to the open directory, even if that was moved. */
  readonly path: string;
  /** Returns whether the path still leads to the same directory, inside a root. */
  isInside(): Promise<boolean>;
  close(): Promise<void>;
}

/** Finds the directory that a command starts in. */
export class TerminalCwd {
  readonly #roots: Roots;
  readonly #confinement = new Confinement([]);

  constructor(roots: Roots) {
    this.#roots = roots;
  }

  /**
   * Opens the directory `cwd`. Without `cwd`, it opens the session's working directory if that directory is in a root,
   * otherwise the first root.
   *
   * @throws {RpcError} when the directory is outside the roots, or does not exist.
   */
  async open(cwd: string | null | undefined, sessionId: string, context: WorkspaceContext): Promise<HeldCwd> {
    const roots = rootsOf(this.#roots, sessionId, context);
    const candidates = cwd == null ? [context.session?.roots[0], roots[0]?.path] : [cwd];
    for (const path of candidates) {
      const held = path === undefined ? undefined : await this.#hold(path, roots).catch(() => undefined);
      if (held !== undefined) return held;
    }
    throw badCwd(cwd ?? candidates.find((each) => each !== undefined));
  }

  /** Opens the directory first and then checks the location that the system reports for it. */
  async #hold(path: string, roots: readonly Root[]): Promise<HeldCwd | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const place = await this.#confinement.find(path, roots, { change: false });
      if (place.missing.length > 0) return undefined;
      // It may have been moved in between
      const directory = await openDirectory(place.realPath, systemTracking).catch(() => undefined);
      if (directory === undefined) continue;
      const held = await this.#judge(directory, place, roots);
      if (held !== undefined) return held;
      await directory.close();
    }
    return undefined;
  }

  async #judge(directory: Directory, { path }: Place, roots: readonly Root[]): Promise<HeldCwd | undefined> {
    const locate = async (): Promise<string | undefined> => {
      const location = await directory.location();
      if (location !== undefined) await this.#confinement.judge(location, path, roots, { change: false });
      return location;
    };
    const realPath = await locate().catch(() => undefined);
    if (realPath === undefined) return undefined;
    return {
      realPath,
      path: directory.path,
      isInside: () =>
        locate().then(
          (location) => location !== undefined,
          () => false,
        ),
      close: () => directory.close(),
    };
  }
}

/** The error for a `cwd` that is no directory, or that the agent may not use. */
export function badCwd(cwd: string | undefined): RpcError {
  const data = { cwd: cwd === undefined ? undefined : shorten(cwd), reason: "bad_cwd" };
  return invalidParams("Invalid params: cwd: not an existing directory in a folder of this session", data);
}
