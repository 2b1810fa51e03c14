// #region middleware
import { allowReads, reject } from "@acp-kit/client";
import type { Transport } from "@acp-kit/jsonrpc";
import { withProxies } from "@acp-kit/proxy";
import { addInstructions, decidePermissions, mapPaths, redactMessages } from "@acp-kit/proxy/middleware";
import { createRedactor } from "@acp-kit/redact";

/** One policy for every agent in a container. */
export function inContainer(agent: Transport): Transport {
  return withProxies(agent, [
    redactMessages(createRedactor()), // no secrets in the client, its logs and its recordings
    decidePermissions([reject({ touching: ["/work/.env"] }), allowReads({ within: "session" })]),
    addInstructions("Run the tests before you finish."),
    mapPaths([{ client: "/work", agent: "/workspace" }]), // next to the agent, so that the rules see the client's paths
  ]);
}
// #endregion middleware
