import { otherSide, type PeerInfo, type PeersEntry, type RecordedMessage, type Side } from "./format.js";

/** Tracks open requests and the names of the peers, from the messages of a connection. */
export class OpenRequests {
  readonly #methods: Readonly<Record<Side, Map<unknown, string>>> = { client: new Map(), agent: new Map() };
  #client: PeerInfo | undefined;

  /**
   * Returns the method of a request or notification; for a response, the method of its request. Call it once for each
   * response, because the call removes the request.
   */
  methodOf(from: Side, message: unknown): string | undefined {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return undefined;
    const { id, method } = message as RecordedMessage;
    if (typeof method === "string") {
      if (isShort(id) && isShort(method)) this.#remember(from, id, method);
      return method;
    }
    if (id === undefined) return undefined;
    const asked = this.#methods[otherSide(from)];
    const answered = asked.get(id);
    asked.delete(id);
    return answered;
  }

  /** Returns the names of the peers, when `message` is the response that contains them. */
  peers(from: Side, message: unknown): Omit<PeersEntry, "t" | "kind"> | undefined {
    if (typeof message !== "object" || message === null) return undefined;
    const { method, params, result } = message as RecordedMessage;
    if (method === "initialize" && from === "client") this.#client = infoOf(params);
    if (from !== "agent" || typeof result !== "object" || result === null || !("protocolVersion" in result)) return;
    const agent = infoOf(result);
    const { protocolVersion } = result;
    return {
      ...(typeof protocolVersion === "number" && { protocolVersion }),
      ...(this.#client && { client: this.#client }),
      ...(agent && { agent }),
    };
  }

  /**
   * Remembers the method of a request. The number of remembered requests is limited, so that a peer that never responds
   * does not consume more and more memory.
   */
  #remember(from: Side, id: unknown, method: string): void {
    const asked = this.#methods[from];
    asked.set(id, method);
    if (asked.size <= MAX_OPEN) return;
    for (const oldest of asked.keys()) {
      asked.delete(oldest);
      return;
    }
  }
}

const MAX_OPEN = 10_000;

/** The maximum length of a remembered id or method, in characters. Real peers use shorter ones. */
const MAX_LENGTH = 1_000;

function isShort(value: unknown): boolean {
  return typeof value === "number" || value === null || (typeof value === "string" && value.length <= MAX_LENGTH);
}

/** Reads the name of a peer from the params or the result of `initialize`, of both versions of the protocol. */
function infoOf(holder: unknown): PeerInfo | undefined {
  const { info: named, clientInfo, agentInfo } = Object(holder) as Readonly<Record<string, unknown>>;
  const info = named ?? clientInfo ?? agentInfo;
  if (typeof info !== "object" || info === null) return undefined;
  const { name, version, title } = info as Record<string, unknown>;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  const words = { name: name.slice(0, MAX_LENGTH), version: version.slice(0, MAX_LENGTH) };
  return { ...words, ...(typeof title === "string" && { title: title.slice(0, MAX_LENGTH) }) };
}
