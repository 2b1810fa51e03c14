import { type ClientConnection, extension, extensionNotification } from "@acp-kit/agent";
import type { Extensions, StandardSchema } from "@acp-kit/protocol";

/** The key in the `_meta` of capabilities that announces these extensions. */
export const ANNOUNCED = "acp-kit.dev";
/** The request that is answered with its own params. */
export const ECHO = "_acp-kit.dev/echo";
/** The notification that is answered with another one, {@link TOLD}. */
export const TELL = "_acp-kit.dev/tell";
/** What {@link TELL} leads to, and what `/extension` sends. */
export const TOLD = "_acp-kit.dev/told";

/** What both take: any object. Real extensions use zod, valibot, ArkType, or write the few lines. */
const anyObject: StandardSchema<object> = {
  "~standard": {
    version: 1,
    vendor: "acp-kit.dev",
    validate(value) {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value };
      return { issues: [{ message: "must be an object" }] };
    },
  },
};

/** The extension request of the agent. */
export const extensions: Extensions = { [ECHO]: extension(anyObject, (params) => params) };

/** The extension notification of the agent, which needs the connection that it came over. */
export function handleTell({ peer }: ClientConnection): void {
  peer.handleExtension(
    TELL,
    extensionNotification(anyObject, (params) => peer.extensionNotify(TOLD, params)),
  );
}
