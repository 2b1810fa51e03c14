import type { Transport } from "@acp-kit/protocol";
import type { Dialects } from "./dialects.js";
import { isMembers } from "./members.js";

/**
 * Finds out which request an error without an id answers: the only one that is open, if there is just one. Otherwise it stays what it is, an answer
 * to nothing.
 *
 * The id is added where only the connection finds it, so that taps and recordings show what came.
 */
export function tolerantTransport(transport: Transport, dialects: Dialects): Transport {
  if (!dialects.allows("error-without-id")) return transport;
  const open = new Set<unknown>();
  const hear = (value: unknown): void => {
    const message = value as { id?: unknown; method?: unknown; error?: unknown } | null;
    if (typeof message !== "object" || message === null || message.method !== undefined) return;
    if (message.id !== undefined) {
      open.delete(message.id);
    } else if (isMembers(message.error) && open.size === 1) {
      const [id] = open;
      open.clear();
      Object.defineProperty(message, "id", { value: id, enumerable: false });
      dialects.heard("error-without-id", "");
    }
  };
  return {
    start(receiver) {
      transport.start({
        message(value, size) {
          hear(value);
          receiver.message(value, size);
        },
        malformed: (input) => receiver.malformed(input),
        ended: () => receiver.ended(),
        failed: (error) => receiver.failed(error),
      });
    },
    send(message) {
      const { id, method } = message as { id?: unknown; method?: unknown };
      if (method !== undefined && id !== undefined) open.add(id);
      return transport.send(message);
    },
    get full() {
      return transport.full;
    },
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}
