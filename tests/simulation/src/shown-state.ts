/** A version of the protocol. */
export type Version = 1 | 2;

interface Option {
  readonly id?: string;
  readonly configId?: string;
  readonly currentValue?: string;
}

/** The members of responses and updates that have settings. */
export interface WithSettings {
  readonly modes?: { readonly currentModeId: string };
  readonly currentModeId?: string;
  readonly configOptions?: readonly Option[];
}

/** The mode and the option of a session, as a client of one version shows them. */
export class ShownSettings {
  readonly #version: Version;
  /** The mode of version 1. */
  mode: string | undefined;
  /** The option that takes the place of the mode in version 2. Agents of version 2 have it in version 1, too. */
  modeOption: string | undefined;
  option: string | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  /** Takes the settings in the response that opens a session. */
  opened(response: WithSettings): void {
    this.mode = response.modes?.currentModeId;
    this.modeOption = undefined;
    this.option = undefined;
    this.changed(response);
  }

  /** Takes the settings in an update, or in the response to a change. */
  changed({ currentModeId, configOptions }: WithSettings): void {
    if (this.#version === 1 && currentModeId !== undefined) this.mode = currentModeId;
    if (configOptions !== undefined) {
      this.modeOption = this.#valueOf("mode", configOptions);
      this.option = this.#valueOf("option", configOptions);
    }
  }

  /** The modes that the client shows: they must be equal. */
  get modes(): (string | undefined)[] {
    const shown = [this.mode, this.modeOption].filter((value) => value !== undefined);
    return shown.length === 0 ? [undefined] : shown;
  }

  /** The id of an option has another name in each version. */
  #valueOf(name: string, options: readonly Option[]): string | undefined {
    return options.find(({ id, configId }) => (this.#version === 1 ? id : configId) === name)?.currentValue;
  }
}

interface Update {
  readonly sessionUpdate?: string;
  readonly toolCallId?: string;
  readonly title?: string | null;
  readonly content?: unknown;
  readonly terminalId?: string;
  readonly cwd?: string;
  readonly data?: string;
  readonly output?: { readonly data: string } | null;
  readonly _meta?: {
    readonly terminal_info?: { readonly terminal_id: string };
    readonly terminal_output?: { readonly terminal_id: string; readonly data: string };
  };
}

/** The exit of a command, which ends the text of a terminal in version 1. */
const EXIT = "[exit code 0]";

/** The commands that an agent runs: the titles of their calls, and the output of their terminals with the same ids. */
export class ShownCommands {
  readonly #version: Version;
  /** A title that was cleared is empty. */
  readonly #titles = new Map<string, string>();
  /** The output of the terminals of which the client has received the beginning. */
  readonly #terminals = new Map<string, Buffer>();

  constructor(version: Version) {
    this.#version = version;
  }

  /** The ids of the commands, in the order in which they began. */
  get ids(): string[] {
    return [...this.#terminals.keys()];
  }

  /** The title and the output of each command that has a title, by id. */
  get all(): ReadonlyMap<string, string> {
    const commands = new Map<string, string>();
    for (const [id, bytes] of this.#terminals) {
      const title = this.#titles.get(id);
      if (title !== undefined) commands.set(id, `${title}: ${bytes.toString("utf8")}`);
    }
    return commands;
  }

  updated(update: Update): void {
    const { sessionUpdate = "", toolCallId = "", title, terminalId = "", output, data = "" } = update;
    if (sessionUpdate.startsWith("tool_call")) {
      if (typeof title === "string") this.#titles.set(toolCallId, title);
      else if (title === null && this.#version === 2) this.#titles.set(toolCallId, ""); // in version 1, it is unchanged
      if (this.#version === 1) this.#terminalOfCall(update);
    } else if (sessionUpdate === "terminal_output_chunk") this.#append(terminalId, Buffer.from(data, "base64"));
    else if (sessionUpdate === "terminal_update") {
      if (update.cwd !== undefined) this.#begin(terminalId);
      if (output !== undefined && this.#terminals.has(terminalId))
        this.#terminals.set(terminalId, Buffer.from(output?.data ?? "", "base64"));
    }
  }

  /** In version 1, a terminal is in the `_meta` of its call, or a text in the content of the call. */
  #terminalOfCall({ sessionUpdate, toolCallId = "", content, _meta = {} }: Update): void {
    const { terminal_info: info, terminal_output: output } = _meta;
    if (info !== undefined) this.#begin(info.terminal_id);
    if (output !== undefined) this.#append(output.terminal_id, Buffer.from(output.data));
    const [item] = (content ?? []) as readonly { readonly content?: { readonly text: string } }[];
    if (item?.content === undefined) return;
    if (sessionUpdate === "tool_call") this.#begin(toolCallId);
    const { text } = item.content;
    const shown = text.endsWith(EXIT) ? text.slice(0, -EXIT.length).trimEnd() : text;
    if (this.#terminals.has(toolCallId)) this.#terminals.set(toolCallId, Buffer.from(shown));
  }

  #begin(id: string): void {
    this.#terminals.set(id, Buffer.alloc(0));
  }

  #append(id: string, bytes: Buffer): void {
    const before = this.#terminals.get(id);
    if (before !== undefined) this.#terminals.set(id, Buffer.concat([before, bytes]));
  }
}
