import type { StoredJournalPart } from "@acp-kit/gateway/engine";

/** A part in a reply of Redis: its id, and the name and the value of its field. `RedisKeys.journal` describes them. */
export type PartReply = readonly [id: string, field: readonly [name: string, texts: string]];

/** Reads a part from a reply. */
export function partOf(reply: PartReply): StoredJournalPart {
  const [id, [, texts]] = reply;
  const dash = id.indexOf("-");
  return { first: firstOfPart(reply), last: Number(id.slice(0, dash)), epoch: Number(id.slice(dash + 1)), texts };
}

/** The number of the first entry of a part. */
export function firstOfPart([, [name]]: PartReply): number {
  return Number.parseInt(name, 10);
}
