import { heaviestTier } from "../heaviest-tier.js";
import type { RemoteScenario } from "./remote-context.js";
import { LinkError } from "./remote-link.js";

/** The hand-written part of a scenario about a transport. */
type Details = Pick<RemoteScenario, "title" | "run">;

/** Creates a scenario of streamable HTTP, skipped if the server lacks it, and inconclusive if the network fails. */
export function httpScenario(id: string, verifies: readonly string[], details: Details): RemoteScenario {
  return remoteScenario(id, verifies, "streamable HTTP", details);
}

/** Creates a scenario of WebSocket, skipped if the server lacks it, and inconclusive if the network fails. */
export function webSocketScenario(id: string, verifies: readonly string[], details: Details): RemoteScenario {
  return remoteScenario(id, verifies, "WebSocket", details);
}

function remoteScenario(
  id: string,
  verifies: readonly string[],
  profile: "streamable HTTP" | "WebSocket",
  { title, run }: Details,
): RemoteScenario {
  return {
    id,
    title,
    verifies,
    kind: "scenario",
    role: "agent",
    tier: heaviestTier(verifies),
    needs: [profile],
    async run(context) {
      const { blocked, http, webSocket, withoutHttp } = context.facts;
      if (blocked !== undefined) context.inconclusive(blocked);
      const isOffered = profile === "WebSocket" ? webSocket : http !== undefined;
      const why = profile === "WebSocket" || withoutHttp === undefined ? "" : `: ${withoutHttp}`;
      if (!isOffered) context.skip(`the server does not offer ${profile}${why}`);
      try {
        await run(context);
      } catch (error) {
        if (error instanceof LinkError) context.inconclusive(`the network failed: ${error.message}`);
        throw error;
      }
    },
  };
}
