import type { DecoderTable, Issue } from "@acp-kit/schema/decode";
import { agentDecoders, clientDecoders, formatIssue } from "@acp-kit/schema/decode";
import {
  agentDecoders as unstableAgentDecoders,
  clientDecoders as unstableClientDecoders,
} from "@acp-kit/schema/unstable/decode";

export type Sender = "agent" | "client";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const stable: Readonly<Record<Sender, DecoderTable>> = { agent: clientDecoders, client: agentDecoders };
const unstable: Readonly<Record<Sender, DecoderTable>> = {
  agent: unstableClientDecoders,
  client: unstableAgentDecoders,
};

/**
 * Decodes one conversation. The sender of a message determines the decoders, and the id of a response determines its
 * request.
 */
export class Wire {
  readonly #asked: Readonly<Record<Sender, Map<unknown, string>>> = { agent: new Map(), client: new Map() };

  /** Returns the deviations of a message from the schema, as text; none if it is valid. */
  read(sender: Sender, message: Message): readonly string[] {
    if (Array.isArray(message)) return ["a batch"];
    if (message.method !== undefined) {
      if ("id" in message) this.#asked[sender].set(message.id, message.method);
      return departures(sender, "params", message.method, message.params);
    }
    if (message.error !== undefined) return [];
    const asked = this.#asked[sender === "agent" ? "client" : "agent"].get(message.id);
    return asked === undefined ? ["an answer to nothing"] : departures(sender, "results", asked, message.result);
  }
}

function departures(sender: Sender, part: keyof DecoderTable, method: string, value: unknown): readonly string[] {
  const subject = `${method} ${part}`;
  const decode = stable[sender][part][method] ?? unstable[sender][part][method];
  if (decode === undefined) return [method.startsWith("_") ? "an extension" : `${subject}: unknown method`];
  const outcome = decode.try(value);
  const spoken = (issue: Issue) => formatIssue(issue).replaceAll(/\[\d+\]/g, "[]");
  return outcome.ok
    ? outcome.salvaged.map((issue) => `${subject}, repaired: ${spoken(issue)}`)
    : outcome.issues.map((issue) => `${subject}, refused: ${spoken(issue)}`);
}
