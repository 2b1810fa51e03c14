import type { Transport } from "@acp-kit/jsonrpc";
import { onAbort } from "@acp-kit/jsonrpc/internal";
import { RemoteError } from "../wire/remote-error.js";

/** A remote agent to which `connectAgent` can connect. Each call of `open()` opens a new connection. */
export interface RemoteAgent {
  /** Returns a transport to the agent. The transport sends nothing before the first message. */
  open(): Promise<Transport>;
  /** Closes all open connections. A second call has no effect, and the returned promise never rejects. */
  close(): Promise<void>;
}

/** A transport that a {@link remoteSource} manages. */
export interface RemoteTransport extends Transport {
  /** Resolves when the transport has closed. */
  readonly ended: Promise<void>;
  /** Breaks the connection. The receiver gets the error. */
  fail(error: RemoteError): void;
}

/** The options of {@link remoteSource}. */
export interface RemoteSourceOptions {
  /** The name of the function that the application has called, for messages. */
  readonly name: string;
  /** The address of the agent, without its query. */
  readonly url: string;
  /** When this signal aborts, every transport fails with a {@link RemoteError} whose `cause` is the signal's reason. */
  readonly signal: AbortSignal | undefined;
  /** Creates a transport. The transport must not connect if the signal has aborted. */
  readonly create: () => RemoteTransport;
}

/** Creates a remote agent. Its signal and `close()` end all of its transports. */
export function remoteSource({ name, url, signal, create }: RemoteSourceOptions): RemoteAgent {
  const open = new Set<RemoteTransport>();
  let isClosed = false;
  let stopListening = (): void => {};
  const abort = (): void => {
    const message = "The caller's signal ended the connection.";
    const error = new RemoteError("aborted", message, { url, cause: signal?.reason });
    for (const transport of open) transport.fail(error);
  };
  return {
    open: async () => {
      if (isClosed) throw new TypeError(`${name}: the agent was closed.`);
      const transport = create();
      open.add(transport);
      void transport.ended.then(() => {
        open.delete(transport);
        if (open.size === 0) stopListening();
      });
      if (signal?.aborted) abort();
      // One listener for all transports, because Node warns of a leak when a signal has more than ten listeners.
      else if (open.size === 1) stopListening = onAbort(signal, abort);
      return transport;
    },
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(open, (transport) => transport.close()));
    },
  };
}
