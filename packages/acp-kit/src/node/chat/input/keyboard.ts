import { emitKeypressEvents } from "node:readline";
import type { Readable } from "node:stream";

/** A pressed key, or pasted text. */
export interface Key {
  /** The name of the key in Node's readline, such as `return`, `up` or `a`. `paste` for pasted text. */
  readonly name: string | undefined;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** The text to insert if the key is not a command. */
  readonly text: string;
}

/** Standard input that is a terminal. */
export type KeyboardStream = Readable & { setRawMode?(raw: boolean): unknown };

/** Reads keys while it is open. While it is closed, the terminal is in its normal mode. */
export interface Keyboard {
  open(): void;
  close(): void;
}

interface RawKey {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** Creates a keyboard that calls `onKey` for each key, and once for a pasted text (bracketed-paste mode). */
export function createKeyboard(stream: KeyboardStream, onKey: (key: Key) => void): Keyboard {
  let pasted: string | undefined;
  let isOpen = false;
  const onKeypress = (text: string | undefined, raw: RawKey = {}): void => {
    const { name, ctrl = false, meta = false, shift = false } = raw;
    if (name === "paste-start") pasted = "";
    else if (name === "paste-end") {
      onKey({ name: "paste", ctrl: false, meta: false, shift: false, text: clean(pasted ?? "") });
      pasted = undefined;
    } else if (pasted !== undefined) pasted += text ?? raw.sequence ?? "";
    else onKey({ name, ctrl, meta, shift, text: ctrl || meta ? "" : clean(text ?? "") });
  };
  return {
    open() {
      if (isOpen) return;
      isOpen = true;
      emitKeypressEvents(stream);
      stream.on("keypress", onKeypress);
      stream.setRawMode?.(true);
      stream.resume();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      pasted = undefined;
      stream.off("keypress", onKeypress);
      stream.setRawMode?.(false);
      stream.pause();
    },
  };
}

/** Converts pasted line ends to `\n` and removes other control characters. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[^\P{Cc}\n]/gu, "");
}
