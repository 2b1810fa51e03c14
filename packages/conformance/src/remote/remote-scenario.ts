import { heaviestTier } from "../heaviest-tier.js";
import type { RemoteContext, RemoteScenario } from "./remote-context.js";
import { LinkError } from "./remote-link.js";

/** Creates a scenario of one profile, skipped if the server lacks it, and inconclusive if the network fails. */
export function remoteScenario(
  profile: "http" | "webSocket",
  scenario: Pick<RemoteScenario, "id" | "title" | "verifies"> & { run(context: RemoteContext): Promise<void> },
): RemoteScenario {
  return {
    ...scenario,
    kind: "scenario",
    role: "agent",
    tier: heaviestTier(scenario.verifies),
    needs: [profile === "http" ? "streamable HTTP" : "WebSocket"],
    async run(context) {
      const { facts } = context;
      if (facts.blocked !== undefined) context.inconclusive(facts.blocked);
      if (profile === "http" && facts.http === undefined) {
        const { withoutHttp } = facts;
        context.skip(`the server does not offer streamable HTTP${withoutHttp === undefined ? "" : `: ${withoutHttp}`}`);
      }
      if (profile === "webSocket" && !facts.webSocket) context.skip("the server does not offer WebSocket");
      try {
        await scenario.run(context);
      } catch (error) {
        if (error instanceof LinkError) context.inconclusive(`the network failed: ${error.message}`);
        throw error;
      }
    },
  };
}
