import type { DialogueLog } from "../../dialogue.js";
import { Arrivals } from "../../remote/arrivals.js";
import type { EventStream, HttpReply, StreamEvent } from "../../remote/remote-link.js";
import type { OpenReply } from "./http-exchange.js";

/** The maximum length of one event, in characters, so that a peer can't fill the memory. */
const MAX_EVENT = 16_000_000;

/** Reads the events of an open response and adds each to the dialogue, in which `name` names the stream. */
export function readEventStream(open: OpenReply, head: HttpReply, name: string, log: DialogueLog): EventStream {
  const arrivals = new Arrivals<StreamEvent>();
  void read(open, name, log, arrivals);
  return {
    head,
    events: arrivals.items,
    find: (matches, limitMs) => arrivals.find(matches, limitMs),
    ended: (limitMs) => arrivals.ended(limitMs),
    close: () => open.close(),
  };
}

async function read(open: OpenReply, name: string, log: DialogueLog, arrivals: Arrivals<StreamEvent>): Promise<void> {
  const decoder = new TextDecoder();
  /** The parts of the current line, whose end has not arrived. */
  let pieces: string[] = [];
  let lineLength = 0;
  let data: string[] = [];
  let dataLength = 0;
  try {
    for await (const bytes of open.body) {
      const piece = decoder.decode(bytes, { stream: true });
      const endsLine = /[\r\n]/.test(piece) || pieces.at(-1)?.endsWith("\r") === true;
      pieces.push(piece);
      lineLength += piece.length;
      if (lineLength + dataLength > MAX_EVENT) throw new Error("an event is too long");
      if (!endsLine) continue; // each character is examined once, even if the chunks are small
      const lines = pieces.join("").split(/\r\n|\r(?!$)|\n/);
      const rest = lines.pop() ?? "";
      pieces = [rest];
      lineLength = rest.length;
      for (const line of lines) {
        if (line === "data" || line.startsWith("data:")) {
          const value = line.slice("data:".length);
          data.push(value.startsWith(" ") ? value.slice(1) : value);
          dataLength += line.length; // an empty line counts as well, so that empty lines are bounded
        }
        if (line !== "" || data.length === 0) continue;
        const event = data.join("\n");
        data = [];
        dataLength = 0;
        arrivals.add({ data: event, seq: log.message("agent", { stream: name, data: parsed(event) }).seq });
      }
    }
  } catch {
    // A broken stream counts as ended.
  }
  log.event(`the ${name} ended`);
  arrivals.end();
}

/** Returns the JSON value of a text, or the text itself if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
