import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { connect, createServer, type Server, type TLSSocket } from "node:tls";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { ReplicaLink } from "../cluster/replica-link.js";
import { FrameReader, frameBytes } from "./link-frames.js";
import { LinkPeer } from "./link-peer.js";

/** Options of {@link replicaLink}. */
export interface ReplicaLinkOptions {
  /** The `host:port` at which other replicas reach this one. Port 0 means the port of `listen`. */
  readonly address: string;
  /** The `host:port` at which this replica listens. Default: `address`. */
  readonly listen?: string;
  /** The shared secret of the replicas of an engine, at least 16 characters. */
  readonly secret: string;
  /**
   * How long a connection may make no progress while a message waits for its receipt, in milliseconds. Then the message
   * goes through the engine. Default 1,000.
   */
  readonly timeoutMs?: number;
  /** The maximum size of a message, in bytes. Longer messages go through the engine. Default 33,554,432. */
  readonly maxMessageBytes?: number;
}

/** A {@link ReplicaLink} that listens on a port. {@link replicaLink} creates it. */
export interface ReplicaLinkServer extends ReplicaLink {
  readonly port: number;
  /** Ends all connections. Messages go through the engine from now on. Idempotent. */
  close(): Promise<void>;
}

/** The maximum number of connections from other replicas. An engine has far fewer replicas. */
const MAX_CONNECTIONS = 1_000;
/** The maximum number of replicas to which the link keeps connections. */
const MAX_PEERS = 1_000;

/**
 * Listens for other replicas of the same engine. It uses TLS with a pre-shared key and without certificates: both ends
 * prove that they know the secret, and all messages are encrypted.
 *
 * @throws {TypeError} for an address that can't be read, or a secret that is too short.
 * @throws {Error} Node's error, such as `EADDRINUSE`, when the function can't listen at the address.
 */
export async function replicaLink(options: ReplicaLinkOptions): Promise<ReplicaLinkServer> {
  checkOptions("replicaLink", options, optionKinds);
  const { address, listen = address, secret, timeoutMs = 1_000, maxMessageBytes = 33_554_432 } = options;
  if (secret.length < 16) throw new TypeError("The secret of a replica link must have at least 16 characters");
  const place = hostAndPort(listen);
  const reached = hostAndPort(address);
  const key = createHash("sha256").update(`acp-kit replica link\n${secret}`).digest();
  const link = new TlsReplicaLink(reached, key, { timeoutMs, maxBytes: maxMessageBytes });
  await link.listen(place);
  return link;
}

const optionKinds: OptionKinds<ReplicaLinkOptions> = {
  address: "value!",
  listen: "value",
  secret: "value!",
  timeoutMs: "value",
  maxMessageBytes: "value",
};

interface Place {
  readonly host: string;
  readonly port: number;
}

interface Bounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

class TlsReplicaLink implements ReplicaLinkServer {
  readonly #reached: Place;
  readonly #key: Buffer;
  readonly #bounds: Bounds;
  readonly #server: Server;
  /** The TCP connections. `close` also ends those whose TLS handshake is not complete. */
  readonly #accepted = new Set<Socket>();
  readonly #peers = new Map<string, LinkPeer>();
  #port = 0;
  #id: string | undefined;
  #onMessage: (message: string) => void = () => {};
  #isClosed = false;

  constructor(reached: Place, key: Buffer, bounds: Bounds) {
    this.#reached = reached;
    this.#key = key;
    this.#bounds = bounds;
    const pskCallback = (_: TLSSocket, identity: string): Buffer | null => (identity === IDENTITY ? key : null);
    this.#server = createServer({ ...suite, pskCallback, handshakeTimeout: 5_000 }, (socket) => this.#accept(socket));
    this.#server.on("connection", (socket: Socket) => {
      this.#accepted.add(socket);
      socket.on("close", () => this.#accepted.delete(socket));
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("tlsClientError", (_, socket) => socket.destroy()); // a client without the secret
  }

  get port(): number {
    return this.#port;
  }

  get address(): string {
    const { host, port } = this.#reached;
    return `${isIPv6(host) ? `[${host}]` : host}:${port === 0 ? this.#port : port}`;
  }

  async listen({ host, port }: Place): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  open(id: string, onMessage: (message: string) => void): void {
    this.#id = id;
    this.#onMessage = onMessage;
  }

  async send(id: string, address: string, message: string): Promise<boolean> {
    if (this.#isClosed) return false;
    return this.#peer(address)?.send(id, message) ?? false;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const peer of this.#peers.values()) peer.close();
    for (const socket of this.#accepted) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #peer(address: string): LinkPeer | undefined {
    const known = this.#peers.get(address);
    if (known !== undefined) return known;
    const { host, port } = hostAndPort(address);
    if (port === 0) return undefined;
    for (const [name, peer] of this.#peers) {
      if (this.#peers.size < MAX_PEERS) break;
      if (peer.isInUse) continue;
      peer.close();
      this.#peers.delete(name);
    }
    const pskCallback = (): { psk: Buffer; identity: string } => ({ psk: this.#key, identity: IDENTITY });
    // The server has no certificate; it proves that it knows the secret
    const checkServerIdentity = (): undefined => undefined;
    const options = { ...suite, host, port, pskCallback, checkServerIdentity };
    const made = new LinkPeer({ ...this.#bounds, connect: () => connect(options).setNoDelay(true).setKeepAlive(true) });
    this.#peers.set(address, made);
    return made;
  }

  #accept(socket: TLSSocket): void {
    const reader = new FrameReader(this.#bounds.maxBytes);
    socket.setNoDelay(true).setKeepAlive(true);
    socket.on("error", () => {}); // the event "close" follows
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) {
          if (!("message" in frame)) continue;
          const arrived = frame.to === this.#id; // an earlier replica may have had this address
          if (arrived) this.#onMessage(frame.message);
          socket.write(frameBytes({ number: frame.number, arrived }));
        }
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  }
}

const IDENTITY = "acp-kit";

/** Node supports pre-shared keys only up to TLS 1.2. This cipher suite has forward secrecy. */
const suite = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

/** Reads `host:port`. @throws {TypeError} for any other text. */
function hostAndPort(address: string): Place {
  const [, v6, name, digits = ""] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]\s@]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    throw new TypeError(
      `The address of a replica must be host:port, such as 10.0.0.3:7700; it is ${JSON.stringify(address)}`,
    );
  return { host, port };
}
