import { PassThrough } from "node:stream";
import { connectAgent } from "@acp-kit/client";
import type { AgentLinkListener, ExitStatus, LaunchClient } from "@acp-kit/conformance";
import { nodeTransport } from "@acp-kit/stdio/node";
import { workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";
import type { MakeMutation } from "../wire/mutation.js";
import { WireProxy } from "../wire/wire-proxy.js";

/** Options of {@link ourClient}. */
export interface OurClientOptions {
  /** Where its sessions work. */
  readonly cwd: string;
  /** How long a permission request stays open, in milliseconds. */
  readonly permissionMs: number;
  readonly mutation?: MakeMutation;
  /** How many turns it runs. @defaultValue 1 */
  readonly turns?: number;
  /** It does not exit after its turns. */
  readonly stays?: boolean;
  /** Continues a session of its agent instead of opening one, if the agent can. */
  readonly continues?: "load" | "resume";
}

/**
 * Our client with all its features, in this process, behind a proxy. The line "cancel" on its stdin cancels the turn.
 */
export function ourClient({ mutation = () => ({}), ...manners }: OurClientOptions): LaunchClient {
  return async ({ onAgent }) => {
    const toClient = new PassThrough();
    const fromClient = new PassThrough();
    let listener: AgentLinkListener | undefined;
    const end = (): void => void toClient.end();
    const proxy = new WireProxy(mutation(), {
      toKit: (bytes) => listener?.data(bytes),
      toPeer: (bytes) => void (toClient.writable && toClient.write(bytes)),
      die: () => {
        end();
        listener?.end();
      },
    });
    fromClient.on("data", (bytes: Uint8Array) => proxy.peerWrote(bytes));
    fromClient.on("end", () => listener?.end());
    onAgent({
      extraArguments: [],
      write: (bytes) => proxy.kitWrote(bytes),
      exit: end,
      crash: end,
      listen: (to) => {
        listener = to;
      },
    });
    const stop = new AbortController();
    const cancel = new AbortController();
    const exited = converse({ ...manners, toClient, fromClient, stop: stop.signal, cancel: cancel.signal }).then(
      (code): ExitStatus => ({ code, signal: null }),
      (): ExitStatus => ({ code: 1, signal: null }),
    );
    return {
      exited,
      stderr: () => "",
      type: (text) => {
        if (text.trim() === "cancel") cancel.abort();
      },
      closeStdin: () => {},
      signal: () => {},
      kill: async () => {
        stop.abort();
        end();
        await exited;
      },
    };
  };
}

interface Conversation extends Omit<OurClientOptions, "mutation"> {
  readonly toClient: PassThrough;
  readonly fromClient: PassThrough;
  readonly stop: AbortSignal;
  readonly cancel: AbortSignal;
}

/** Connects, lists sessions where it can, and prompts. Resolves with an exit code. */
async function converse(conversation: Conversation): Promise<number> {
  const { cwd, permissionMs, toClient, fromClient, stop, cancel, turns = 1, stays = false, continues } = conversation;
  await using agent = await connectAgent(nodeTransport(toClient, fromClient), {
    info: { name: "our-client", version: "1.0.0" },
    files: workspaceFiles({ roots: [cwd] }),
    terminals: workspaceTerminals({ roots: [cwd] }),
    elicitation: {
      form: ({ requestedSchema }) => {
        const content: Record<string, string> = {};
        for (const [key, property] of Object.entries(requestedSchema.properties ?? {})) {
          const value = (property as { readonly default?: unknown }).default;
          if (typeof value === "string") content[key] = value;
        }
        return { action: "accept", content };
      },
      url: () => ({ action: "decline" }),
    },
    // A delay, so that some requests are still open when the turn is cancelled.
    permissions: async (_, { signal }) => {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, permissionMs);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve(undefined);
        });
      });
      return "allow_once";
    },
    login: { choose: async (methods) => methods.find(({ kind }) => kind === "agent") },
    supports: { notices: true, compaction: true, booleanConfigOptions: true },
    signal: stop,
  });
  if (agent.offers("agentCapabilities.sessionCapabilities.list")) {
    for await (const _ of agent.listSessions({ cwd }));
  }
  const saved = { cwd, sessionId: "session-1" };
  const session =
    continues === "load" && agent.offers("agentCapabilities.loadSession")
      ? await agent.loadSession(saved)
      : continues === "resume" && agent.offers("agentCapabilities.sessionCapabilities.resume")
        ? await agent.resumeSession(saved)
        : await agent.newSession({ cwd });
  let last = "end_turn";
  for (let number = 0; number < turns && last === "end_turn"; number++) {
    const turn = session.prompt("Hello");
    cancel.addEventListener("abort", () => turn.cancel());
    last = (await turn.result).stopReason;
  }
  if (stays && !stop.aborted) await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve()));
  return last === "end_turn" ? 0 : 4;
}
