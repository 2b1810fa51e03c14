import {
  type AgentConnection,
  type AgentSource,
  type ConnectAgentOptions,
  connectAgent,
  type Transport,
} from "@acp-kit/client";

type Open = () => Transport | AgentSource | PromiseLike<Transport | AgentSource>;

/**
 * Opens an agent and connects to it. Rejects as soon as `stop` or the signal of the options aborts, even if `open`
 * never settles. An agent that is opened after that is closed.
 */
export async function openAgent(
  open: Open,
  options: ConnectAgentOptions,
  stop: AbortController,
): Promise<AgentConnection> {
  const { signal } = options;
  const forward = (): void => stop.abort(signal?.reason);
  const ignore = (): void => signal?.removeEventListener("abort", forward);
  if (signal?.aborted) forward();
  signal?.addEventListener("abort", forward, { once: true });
  try {
    const agent = await unlessStopped(open, stop.signal);
    const connection = await connectAgent(agent, { ...options, signal: stop.signal });
    void connection.closed.then(ignore);
    return connection;
  } catch (error) {
    ignore();
    throw error;
  }
}

async function unlessStopped(open: Open, signal: AbortSignal): Promise<Transport | AgentSource> {
  signal.throwIfAborted();
  const opening = (async () => await open())();
  let onAbort = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([opening, stopped]);
  } catch (error) {
    if (signal.aborted) opening.then((agent) => agent.close()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
