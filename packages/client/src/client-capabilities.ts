import type { ClientCapabilities } from "@acp-kit/types";
import type { ConnectAgentOptions } from "./connect-options.js";
import type { ClientFeature } from "./unstable/unstable-feature.js";

/** Returns the parts of all features of the option `unstable`, whose type hides them. */
export function featuresOf({ unstable = [] }: ConnectAgentOptions): Omit<ClientFeature, "name"> {
  return Object.assign({}, ...unstable);
}

/**
 * Derives the capabilities of a client from its handlers.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#client-capabilities
 */
export function clientCapabilities(options: ConnectAgentOptions): ClientCapabilities {
  const { files, terminals, elicitation, login, supports = {}, capabilitiesMeta } = options;
  const { capabilities } = featuresOf(options);
  return {
    fs: {
      readTextFile: files?.readTextFile !== undefined,
      writeTextFile: files?.writeTextFile !== undefined,
      ...(files?.deleteFile && { deleteFile: true }), // these two are not in the protocol: see `fileExtensions`
      ...(files?.renameFile && { renameFile: true }),
    },
    terminal: terminals !== undefined,
    auth: { terminal: supports.terminalAuth === true || login?.terminal !== undefined },
    session: {
      ...(supports.notices && { notices: {} }),
      ...(supports.compaction && { compaction: {} }),
      ...(supports.booleanConfigOptions && { configOptions: { boolean: {} } }),
    },
    ...(elicitation && {
      elicitation: { ...(elicitation.form && { form: {} }), ...(elicitation.url && { url: {} }) },
    }),
    ...capabilities,
    ...(capabilitiesMeta && { _meta: { ...capabilities?._meta, ...capabilitiesMeta } }),
  };
}
