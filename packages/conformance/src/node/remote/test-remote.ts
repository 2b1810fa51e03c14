import { rootCertificates } from "node:tls";
import { remoteScenarios } from "../../areas/remote-transport/server.js";
import { DialogueLog } from "../../dialogue.js";
import { learnRemote } from "../../remote/learn-remote.js";
import { RemoteContext, type RemoteFacts, type RemoteLimits } from "../../remote/remote-context.js";
import type { RunScenariosOptions, ScenarioOutcome } from "../../runner/run-options.js";
import { runScenarios } from "../../runner/run-scenarios.js";
import { NodeRemoteLink } from "./node-remote-link.js";
import type { RemoteTarget } from "./remote-target.js";

/** The server whose transports are tested. */
export interface RemoteServer {
  /** The endpoint, of either scheme: `http:`, `https:`, `ws:` or `wss:`. */
  readonly url: string;
  /** Headers of every request, such as `authorization`. Reports do not contain them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM certificates to trust besides those of Node, for example a self-signed one. @defaultValue none */
  readonly ca?: string;
}

/** Options of {@link testRemote}. */
export interface TestRemoteOptions
  extends RemoteServer,
    Pick<RunScenariosOptions<RemoteContext>, "jobs" | "timeoutMs" | "confirm" | "signal" | "onOutcome"> {
  readonly limits: RemoteLimits;
  /** Returns whether a scenario should run. */
  wanted(scenario: { readonly id: string; readonly verifies: readonly string[] }): boolean;
}

/** Tests both remote transports of a server, with raw HTTP and WebSocket. */
export async function testRemote(options: TestRemoteOptions): Promise<ScenarioOutcome<RemoteContext>[]> {
  const { limits, jobs, timeoutMs, confirm, signal, wanted, onOutcome } = options;
  const url = new URL(options.url);
  const target: RemoteTarget = {
    url,
    headers: options.headers ?? {},
    limitMs: limits.requestTimeoutMs,
    ...(options.ca !== undefined && { trusted: [...rootCertificates, options.ca] }),
  };
  const scenarios = remoteScenarios.filter(wanted);
  if (scenarios.length === 0) return [];
  const facts = await factsOf(target);
  return runScenarios<RemoteContext>({
    scenarios,
    watches: [],
    jobs,
    timeoutMs,
    confirm,
    signal,
    onOutcome,
    async open(_, reporting) {
      const log = new DialogueLog("connection 1");
      const link = new NodeRemoteLink(target, log, facts.http ?? "1.1");
      return {
        context: new RemoteContext({ link, log, facts, limits, reporting }),
        dialogues: [log],
        close: () => link.close(),
      };
    },
  });
}

async function factsOf(target: RemoteTarget): Promise<RemoteFacts> {
  const link = new NodeRemoteLink(target, new DialogueLog("learning"), "1.1");
  try {
    return await learnRemote(link, target.url);
  } finally {
    await link.close();
  }
}
