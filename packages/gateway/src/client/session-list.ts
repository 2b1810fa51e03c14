import { invalidParams } from "@acp-kit/jsonrpc";
import type { Engine } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import type { DirectoryRecord, Scope } from "../engine/session-record.js";
import { engineFailure } from "../retry.js";
import { ListCursors } from "./list-cursors.js";

/** The maximum number of characters of the paths and titles on a page of `session/list`. One session may have more. */
const MAX_LIST_CHARS = 65_536;

/** The pages of `session/list` for one connection. */
export class SessionList {
  readonly #engine: Engine;
  readonly #scope: Scope;
  readonly #pageSize: number;
  readonly #cursors = new ListCursors();

  /** @param scope the tenant and user whose sessions are listed. @param pageSize the number of sessions on a page. */
  constructor(engine: Engine, scope: Scope, pageSize: number) {
    this.#engine = engine;
    this.#scope = scope;
    this.#pageSize = pageSize;
  }

  /** Reads a page. @throws {RpcError} for a cursor that no earlier page contained, and if the engine fails. */
  async page(cwd: string | undefined, after: string | undefined): Promise<object> {
    const query = { cwd, cursor: this.#cursors.open(after), limit: this.#pageSize };
    try {
      let page = await this.#engine.list(this.#scope, query);
      const fitting = fittingOf(page.sessions);
      if (fitting < page.sessions.length) page = await this.#engine.list(this.#scope, { ...query, limit: fitting });
      return {
        sessions: page.sessions.map(({ sessionId, cwd, title, updatedAt, additionalDirectories }) => ({
          sessionId,
          cwd,
          updatedAt: new Date(updatedAt).toISOString(),
          ...(title !== null && { title }),
          ...(additionalDirectories.length > 0 && { additionalDirectories }),
        })),
        ...(page.nextCursor !== undefined && { nextCursor: this.#cursors.seal(page.nextCursor) }),
      };
    } catch (error) {
      if (isEngineError(error) && error.code === "bad_cursor") throw invalidParams(`Invalid params: ${error.message}`);
      throw engineFailure(error);
    }
  }
}

/** Returns the number of sessions that fit on a page of `session/list`, at least 1. */
function fittingOf(sessions: readonly DirectoryRecord[]): number {
  let chars = 0;
  const over = sessions.findIndex(({ cwd, title, additionalDirectories }) => {
    chars += cwd.length + (title?.length ?? 0);
    for (const path of additionalDirectories) chars += path.length;
    return chars > MAX_LIST_CHARS;
  });
  return over === -1 ? sessions.length : Math.max(1, over);
}
