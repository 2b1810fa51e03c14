import { emitKeypressEvents } from "node:readline";
import type { Readable } from "node:stream";

/** A key that was pressed, or text that was pasted. */
export interface Key {
  /** As Node's readline names it: `return`, `up`, `a`; `paste` for pasted text. */
  readonly name: string | undefined;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** What is to be written when the key is no command. */
  readonly text: string;
}

/** A terminal as standard input. */
export type KeyboardStream = Readable & { setRawMode?(raw: boolean): unknown };

/** Reads keys while it is open; the terminal is its normal self otherwise. */
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

/** Reads single keys of a terminal. What is pasted (the terminal marks it when it was asked to) comes as a whole, its line ends included. */
export function createKeyboard(stream: KeyboardStream, onKey: (key: Key) => void): Keyboard {
  let pasted: string | undefined;
  let isOpen = false;
  const heard = (text: string | undefined, raw: RawKey = {}): void => {
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
      stream.on("keypress", heard);
      stream.setRawMode?.(true);
      stream.resume();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      pasted = undefined;
      stream.off("keypress", heard);
      stream.setRawMode?.(false);
      stream.pause();
    },
  };
}

/** Line ends are `\n`, whichever the terminal pastes; other control characters are not written. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[^\P{Cc}\n]/gu, "");
}
