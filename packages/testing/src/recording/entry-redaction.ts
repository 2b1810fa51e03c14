import type { Redactor } from "@acp-kit/redact";
import type { ProcessEvent, Side } from "./format.js";

/** Hides the secrets in each kind of entry before the recorder writes it. */
export interface EntryRedaction {
  value(value: unknown): unknown;
  text(text: string): string;
  /** Hides secrets in a line that is not JSON (noise). A secret may begin in one line and end in the next. */
  noise(from: Side, line: string): string;
  stderr(line: string): string;
  process(event: ProcessEvent): ProcessEvent;
}

/** Returns functions that hide the secrets that the redactor knows or finds. */
export function redactedBy(redactor: Redactor): EntryRedaction {
  const lines = { client: redactor.lines(), agent: redactor.lines() };
  return {
    value: redactor.messages(),
    text: (text) => redactor.redactText(text),
    noise: (from, line) => lines[from](line),
    stderr: redactor.lines(),
    process: (event) => {
      if (event.event === "failed") return { ...event, reason: redactor.redactText(event.reason) };
      if (event.event !== "started" || event.command === undefined) return event;
      return { ...event, command: redactor.redactCommand(event.command) };
    },
  };
}

/** Functions that hide nothing. */
export const unredacted: EntryRedaction = {
  value: (value) => value,
  text: (text) => text,
  noise: (_, line) => line,
  stderr: (line) => line,
  process: (event) => event,
};
