import { jsonText } from "../../json-text.js";
import { mapStrings } from "../map-strings.js";

/**
 * How the replay treats paths. `map`: the recorded working directory of a session corresponds to the live one. `keep`:
 * paths are compared like other texts. A table: each key is a recorded folder, and its value the corresponding live
 * folder.
 */
export type PathMapping = "map" | "keep" | Readonly<Record<string, string>>;

/**
 * The members that contain an id or a folder chosen by one of the peers. The live value differs from the recorded
 * value, but within one conversation the same value always identifies the same object.
 */
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

/** A recorded id or folder, and the corresponding live one. */
export interface Binding {
  readonly space: string;
  readonly recorded: string;
  readonly live: string;
}

/** Maps live ids and folders to recorded ids and folders, and back. */
export class IdMap {
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  readonly #folders: (readonly [recorded: string, live: string])[] = [];
  readonly #mapsFolders: boolean;

  constructor(paths: PathMapping) {
    this.#mapsFolders = paths === "map";
    if (typeof paths === "object")
      for (const [recorded, live] of Object.entries(paths)) this.#addFolder(recorded, live);
  }

  /** Returns the kind of id in a member of this name, or `undefined` if the member contains no id. */
  spaceOf(member: string): string | undefined {
    if (member === "cwd" && this.#mapsFolders) return FOLDER;
    return idMembers.get(member);
  }

  /** Whether two values may correspond, given the known bindings. Returns a new correspondence as a binding. */
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

  /** Adds two request ids of any type as a binding. */
  bindRequest(recorded: unknown, live: unknown): void {
    this.bind({ space: "request", recorded: textOf(recorded), live: textOf(live) });
  }

  /** Returns the recorded id that corresponds to a live id. */
  recordedOf(space: string, live: string): string | undefined {
    return this.#recorded.get(keyOf(space, live));
  }

  /** Returns a recorded text in which recorded folders are replaced by the corresponding live folders. */
  path(text: string): string {
    const pieces: string[] = [];
    let done = 0;
    for (const { start, end, live } of this.#foldersIn(text)) {
      if (start < done) continue; // inside a folder that was replaced
      pieces.push(text.slice(done, start), live);
      done = end;
    }
    return pieces.length === 0 ? text : pieces.join("") + text.slice(done);
  }

  /** Converts a recorded message for the live peer. An id without a counterpart becomes its own. */
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

  /** Finds the recorded folders in a text, in order. If several begin at the same place, the longest comes first. */
  #foldersIn(text: string): { readonly start: number; readonly end: number; readonly live: string }[] {
    const found = this.#folders.flatMap(([recorded, live]) => {
      const places: { start: number; end: number; live: string }[] = [];
      for (let start = text.indexOf(recorded); start !== -1; start = text.indexOf(recorded, start + recorded.length)) {
        const end = start + recorded.length;
        if (isFolderBetween(text[start - 1] ?? "", text.slice(end, end + 2))) places.push({ start, end, live });
      }
      return places;
    });
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  #addFolder(recorded: string, live: string): void {
    if (recorded.length < 2 || this.#folders.some(([known]) => known === recorded)) return;
    this.#folders.push([recorded, live]);
  }
}

const FOLDER = "folder";

/** Whether these characters surround a whole folder. `/work` is none in `/workspace` and `src/work`. */
function isFolderBetween(before: string, after: string): boolean {
  return !/[\w.~-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after);
}

const keyOf = (space: string, id: string): string => `${space} ${id}`;

/** Returns the key of an id. Ids of requests may be numbers. */
function textOf(id: unknown): string {
  return typeof id === "string" ? id : jsonText(id);
}
