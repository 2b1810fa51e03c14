import { PassThrough } from "node:stream";
import type { RemoteServer, TestAgentOptions } from "@acp-kit/conformance/node";
import type { RemoteTarget } from "../agent-target.js";
import { relayRemote } from "../connect/relay-remote.js";
import { errorText } from "../error-text.js";

type Start = Extract<TestAgentOptions["agent"], (...never: never) => unknown>;
type Peer = Awaited<ReturnType<Start>>;

/** Scenarios about the lines and the end of a process's streams, which a remote agent does not have. */
export const scenariosOfProcesses: readonly string[] = [
  "transport/fragments",
  "transport/blank-lines",
  "transport/end-of-input",
];

/** Where the transports of a remote agent are tested, with its token. */
export function remoteServer({ url, token }: RemoteTarget): RemoteServer {
  return { url: url.href, ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) };
}

/** A new connection to a remote agent, as the process that scenarios talk to. */
export async function remotePeer(target: RemoteTarget): Promise<Peer> {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const exited = relayRemote(target, { input, output, stop: stop.signal }).then(
    () => ({ exitCode: 0, signal: null, stderrTail: "" }),
    (error: unknown) => ({ exitCode: 1, signal: null, stderrTail: errorText(error) }),
  );
  return {
    write: (bytes) => void input.write(bytes),
    endInput: () => void input.end(),
    onOutput: (listener) => void output.on("data", listener),
    exited,
    async kill() {
      stop.abort();
      await exited;
    },
  };
}
