import { type ClientConnection, extension, extensionNotification } from "@acp-kit/agent";
import type { Extensions, StandardSchema } from "@acp-kit/protocol";

/** The key in the `_meta` of capabilities that announces these extensions. */
export const ANNOUNCED = "acp-kit.dev";
/** The request that gets its own params as result. */
export const ECHO = "_acp-kit.dev/echo";
/** The notification to which the agent responds with the notification {@link PONG}. */
export const PING = "_acp-kit.dev/ping";
/** The notification that the agent sends after {@link PING}, and for `/extension`. */
export const PONG = "_acp-kit.dev/pong";

/** The decoder of both extensions, which accepts any object. Real extensions use zod, valibot, ArkType, or a few lines of code. */
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

/** The extension request that the agent handles. */
export const extensions: Extensions = { [ECHO]: extension(anyObject, (params) => params) };

/** The extension notification that the agent handles. The response is a notification on the same connection. */
export function handlePing({ peer }: ClientConnection): void {
  peer.handleExtension(
    PING,
    extensionNotification(anyObject, (params) => peer.extensionNotify(PONG, params)),
  );
}
