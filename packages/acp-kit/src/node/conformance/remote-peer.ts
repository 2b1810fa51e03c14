import { PassThrough } from "node:stream";
import type { RemoteServer, TestAgentOptions } from "@acp-kit/conformance/node";
import type { RemoteTarget } from "../agent-target.js";
import { relayRemote } from "../connect/relay-remote.js";
import { errorText } from "../error-text.js";

type Start = Extract<TestAgentOptions["agent"], (...never: never) => unknown>;
type Peer = Awaited<ReturnType<Start>>;

/** The scenarios about the standard streams of an agent's process. They do not apply to a remote agent. */
export const scenariosOfProcesses: readonly string[] = [
  "transport/fragments",
  "transport/blank-lines",
  "transport/end-of-input",
];

/** Returns the URL and the token for tests of a remote agent's transports. */
export function remoteServer({ url, token }: RemoteTarget): RemoteServer {
  return { url: url.href, ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) };
}

/** Opens a connection to a remote agent, as an agent process, so that the same scenarios can test it. */
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
