import type { Diagnostic } from "@acp-kit/client";
import { type McpSource, mcpTools } from "@acp-kit/mcp";
import { type ServedMcp, serveMcp } from "@acp-kit/mcp/node";
import { deferred } from "@acp-kit/protocol/internal";
import type { AgentCapabilities } from "@acp-kit/types";
import type { McpFindings } from "./examination.js";

const NAME = "acp-kit-doctor";

/** A server of MCP in this process that observes whether an agent uses the servers that it gets. */
export class McpProbe {
  /** The value of the option `mcp` of `connectAgent`. */
  readonly served: ServedMcp;
  readonly #listed = deferred();
  #isListed = false;
  #isLeftOut = false;

  constructor() {
    const probe = mcpTools(NAME, { hello: { description: "Says hello", run: () => "Hello." } });
    const observed: McpSource = {
      name: NAME,
      open: (session, report) => {
        const handle = probe.open(session, report);
        return (request) => {
          if (request.method === "tools/list") {
            this.#isListed = true;
            this.#listed.resolve();
          }
          return handle(request);
        };
      },
    };
    this.served = serveMcp(observed);
  }

  /** Resolves when the agent has listed the tools of the server, or can't get it. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  /** Receives the diagnostics of the connection. Returns whether one is about this server. */
  noted({ code, data }: Diagnostic): boolean {
    const { name } = (data ?? {}) as { readonly name?: unknown };
    if (code !== "mcp_server_left_out" || name !== NAME) return false;
    this.#isLeftOut = true;
    this.#listed.resolve();
    return true;
  }

  findings({ mcpCapabilities = {} }: AgentCapabilities): McpFindings {
    const { acp, http } = mcpCapabilities as { readonly acp?: unknown; readonly http?: unknown };
    const way = acp ? "acp" : http ? "http" : "stdio";
    return { way: this.#isLeftOut ? null : way, listsTools: this.#isListed };
  }
}
