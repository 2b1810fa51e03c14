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
}

/** Our client with all that it can do, in this process, behind a proxy. It prompts once; "cancel" cancels. */
export function ourClient({ cwd, permissionMs, mutation = () => ({}) }: OurClientOptions): LaunchClient {
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
    const exited = converse({ cwd, permissionMs, toClient, fromClient, stop: stop.signal, cancel: cancel.signal }).then(
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

interface Conversation {
  readonly cwd: string;
  readonly permissionMs: number;
  readonly toClient: PassThrough;
  readonly fromClient: PassThrough;
  readonly stop: AbortSignal;
  readonly cancel: AbortSignal;
}

/** Connects, lists sessions where it can, and prompts once. Resolves with an exit code. */
async function converse({ cwd, permissionMs, toClient, fromClient, stop, cancel }: Conversation): Promise<number> {
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
    // A while, so that some are still open when the turn is cancelled.
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
  const session = await agent.newSession({ cwd });
  const turn = session.prompt("Hello");
  cancel.addEventListener("abort", () => turn.cancel());
  const { stopReason } = await turn.result;
  return stopReason === "end_turn" ? 0 : 4;
}
