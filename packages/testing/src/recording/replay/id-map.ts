import { mapStrings } from "../map-strings.js";

/** What to do with paths. `map`: the working directories of sessions stand for each other. A table: what is recorded → what is live. */
export type PathMapping = "map" | "keep" | Readonly<Record<string, string>>;

/** Members whose values one of the peers made up, and which mean the same wherever they are the same. */
const idMembers: ReadonlyMap<string, string> = new Map([
  ["sessionId", "session"],
  ["terminalId", "terminal"],
  ["toolCallId", "tool call"],
  ["messageId", "message"],
  ["userMessageId", "message"],
  ["elicitationId", "elicitation"],
  ["optionId", "option"],
  ["requestId", "request"],
]);

/** Two ids, or two folders, that stand for each other. */
export interface Binding {
  readonly space: string;
  readonly recorded: string;
  readonly live: string;
}

/** Knows which live id stands for which recorded one, and which folder for which. */
export class IdMap {
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Longest first, so that a folder wins over the one that it is in. */
  #folders: (readonly [recorded: string, live: string])[] = [];
  readonly #mapsFolders: boolean;

  constructor(paths: PathMapping) {
    this.#mapsFolders = paths === "map";
    if (typeof paths === "object")
      for (const [recorded, live] of Object.entries(paths)) this.#addFolder(recorded, live);
  }

  /** The space that ids in a member of this name are in; `undefined` when it holds none. */
  spaceOf(member: string): string | undefined {
    if (member === "cwd" && this.#mapsFolders) return FOLDER;
    return idMembers.get(member);
  }

  /** Whether two values may stand for each other, given what is known; if that is new, as a binding to be made. */
  match(space: string, recorded: unknown, live: unknown): boolean | Binding {
    if (space === FOLDER) {
      if (typeof recorded !== "string" || typeof live !== "string") return recorded === live;
      return this.path(recorded) === live || { space, recorded, live };
    }
    if (recorded == null || live == null) return recorded === live;
    const [from, to] = [textOf(recorded), textOf(live)];
    const known = this.#live.get(keyOf(space, from));
    if (known !== undefined) return known === to;
    return this.#recorded.has(keyOf(space, to)) ? false : { space, recorded: from, live: to };
  }

  bind({ space, recorded, live }: Binding): void {
    if (space === FOLDER) {
      this.#addFolder(recorded, live);
      return;
    }
    this.#live.set(keyOf(space, recorded), live);
    this.#recorded.set(keyOf(space, live), recorded);
  }

  /** Two request ids, of whatever type. */
  bindRequest(recorded: unknown, live: unknown): void {
    this.bind({ space: "request", recorded: textOf(recorded), live: textOf(live) });
  }

  /** The recorded id that a live one stands for. */
  recordedOf(space: string, live: string): string | undefined {
    return this.#recorded.get(keyOf(space, live));
  }

  /** A recorded text with the live folders in it. */
  path(text: string): string {
    let result = text;
    for (const [recorded, live] of this.#folders) {
      if (!result.includes(recorded)) continue;
      const pieces = result.split(recorded);
      // `/work` is not in `/workspace`.
      result = pieces.reduce((all, piece) => `${all}${/^[\w-]/.test(piece) ? recorded : live}${piece}`);
    }
    return result;
  }

  /** A recorded message as it is said to the live peer. Ids that are new to the peer stay as they are, and are known from then on. */
  toLive(message: unknown): unknown {
    return mapStrings(message, (text, member) => {
      const space = this.spaceOf(member);
      if (space === undefined || space === FOLDER || space === "request") return this.path(text);
      const live = this.#live.get(keyOf(space, text));
      if (live !== undefined) return live;
      this.bind({ space, recorded: text, live: text });
      return text;
    });
  }

  #addFolder(recorded: string, live: string): void {
    if (recorded.length < 2 || this.#folders.some(([known]) => known === recorded)) return;
    this.#folders = [...this.#folders, [recorded, live] as const].sort(([a], [b]) => b.length - a.length);
  }
}

const FOLDER = "folder";

const keyOf = (space: string, id: string): string => `${space} ${id}`;

/** Ids of requests may be numbers. */
function textOf(id: unknown): string {
  return typeof id === "string" ? id : JSON.stringify(id);
}
