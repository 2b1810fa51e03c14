import { type ClientConnection, extension, extensionNotification } from "@acp-kit/agent";
import type { Extensions, StandardSchema } from "@acp-kit/protocol";

/** The key in the `_meta` of capabilities that announces these extensions. */
export const ANNOUNCED = "acp-kit.dev";
/** The request that gets its own params as result. */
export const ECHO = "_acp-kit.dev/echo";
/** The notification that causes another one, {@link TOLD}. */
export const TELL = "_acp-kit.dev/tell";
/** The notification that follows {@link TELL}, and that `/extension` sends. */
export const TOLD = "_acp-kit.dev/told";

/** The decoder of both: any object. Real extensions use zod, valibot, ArkType, or a few lines of code. */
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

/** The extension notification of the agent, which needs the connection it arrived on. */
export function handleTell({ peer }: ClientConnection): void {
  peer.handleExtension(
    TELL,
    extensionNotification(anyObject, (params) => peer.extensionNotify(TOLD, params)),
  );
}
