import type { RecordingEntry } from "@acp-kit/testing/recording";
import { diffArrays } from "diff";
import { asText, members, textOf } from "./members.js";

/** A message of a recording, in the form in which two recordings are compared. */
export interface ComparedMessage {
  readonly entry: number;
  readonly from: string;
  /** The method, or the kind of the update. */
  readonly label: string;
  /** The content without parts that differ in each run: ids are numbered in order, and times are removed. */
  readonly text: string;
}

/** A row of the comparison, with a message of each recording. One is absent if only one recording has it. */
export interface ComparedPair {
  readonly left: ComparedMessage | undefined;
  readonly right: ComparedMessage | undefined;
  readonly kind: "same" | "changed" | "left" | "right";
}

/** The maximum number of compared messages of each recording, because the time grows faster than linearly. */
export const MAX_COMPARED = 20_000;
/** The maximum number of differences. Recordings with more differences are not aligned. */
const MAX_EDITS = 2_000;
const MAX_COMPARE_MS = 1_000;

/**
 * Returns the messages of a recording in the form in which they are compared. Adjacent chunks of a message are joined,
 * because the boundaries of chunks have no meaning.
 */
export function comparedMessages(entries: readonly RecordingEntry[]): readonly ComparedMessage[] {
  const names = new Map<string, string>();
  const open = new Map<string, string>();
  const messages: ComparedMessage[] = [];
  /** The message to which the last chunk of text belongs; `undefined` if the last message was not one. */
  let lastStream: string | undefined;
  for (const [entry, each] of entries.entries()) {
    if (each.kind !== "message" || messages.length >= MAX_COMPARED) continue;
    const { id, method, params, result, error } = members(each.message);
    const key = `${each.from} ${JSON.stringify(id)}`;
    const requestMethod = open.get(`${each.from === "client" ? "agent" : "client"} ${JSON.stringify(id)}`);
    if (typeof method === "string" && id !== undefined) open.set(key, method);
    const update = method === "session/update" ? members(members(params).update) : undefined;
    const label =
      update !== undefined
        ? asText(update.sessionUpdate)
        : typeof method === "string"
          ? method
          : `↩ ${requestMethod ?? "?"}`;
    const chunk = /_chunk$/.test(label) ? textOf(update?.content, "text") : undefined;
    const stream = chunk === undefined ? undefined : `${label} ${textOf(params, "sessionId")}`;
    const last = messages.at(-1);
    if (chunk !== undefined && last !== undefined && stream === lastStream) {
      messages[messages.length - 1] = { ...last, text: last.text + chunk };
    } else
      messages.push({ entry, from: each.from, label, text: chunk ?? normalized(params ?? result ?? error, names) });
    lastStream = stream;
  }
  return messages;
}

/** Aligns the messages of two recordings. Returns `undefined` if they have too many differences. */
export function comparedPairs(
  left: readonly ComparedMessage[],
  right: readonly ComparedMessage[],
): readonly ComparedPair[] | undefined {
  const parts = diffArrays([...left], [...right], {
    comparator: (a, b) => a.from === b.from && a.label === b.label && a.text === b.text,
    maxEditLength: MAX_EDITS,
    timeout: MAX_COMPARE_MS,
  });
  if (parts === undefined) return undefined;
  const pairs: ComparedPair[] = [];
  let l = 0;
  let r = 0;
  let removed: ComparedMessage[] = [];
  const flush = (): void => {
    for (const message of removed) pairs.push({ left: message, right: undefined, kind: "left" });
    removed = [];
  };
  for (const { added, removed: isRemoved, count } of parts) {
    if (isRemoved) {
      removed.push(...left.slice(l, l + count));
      l += count;
    } else if (added) {
      for (const message of right.slice(r, r + count)) {
        const at = removed.findIndex((each) => each.label === message.label && each.from === message.from);
        if (at < 0) pairs.push({ left: undefined, right: message, kind: "right" });
        else {
          for (const skipped of removed.splice(0, at)) pairs.push({ left: skipped, right: undefined, kind: "left" });
          pairs.push({ left: removed.shift(), right: message, kind: "changed" });
        }
      }
      flush();
      r += count;
    } else {
      flush();
      for (let index = 0; index < count; index += 1) {
        pairs.push({ left: left[l + index], right: right[r + index], kind: "same" });
      }
      l += count;
      r += count;
    }
  }
  flush();
  return pairs;
}

/** Returns JSON with replaced ids and times. The reader of recordings refuses values that are too deep. */
function normalized(value: unknown, names: Map<string, string>): string {
  return (
    JSON.stringify(value, (key, member: unknown) => {
      if (/(?:^|[a-z])(?:Id|_id)$/.test(key) && (typeof member === "string" || typeof member === "number")) {
        const known = names.get(String(member));
        if (known !== undefined) return known;
        const name = `#${names.size + 1}`;
        if (names.size < 100_000) names.set(String(member), name);
        return name;
      }
      return /(?:At|^pid|timestamp)$/.test(key) ? "…" : member;
    }) ?? ""
  );
}
