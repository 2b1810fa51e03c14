import { type ClientConnection, extension, extensionNotification } from "@acp-kit/agent";
import type { Extensions, StandardSchema } from "@acp-kit/protocol";

/** The key in the `_meta` of capabilities that announces these extensions. */
export const ANNOUNCED = "acp-kit.dev";
/** The request that gets its own params as result. */
export const ECHO = "_acp-kit.dev/echo";
/** The notification that causes another one, {@link PONG}. */
export const PING = "_acp-kit.dev/ping";
/** The notification that follows {@link PING}, and that `/extension` sends. */
export const PONG = "_acp-kit.dev/pong";

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
export function handlePing({ peer }: ClientConnection): void {
  peer.handleExtension(
    PING,
    extensionNotification(anyObject, (params) => peer.extensionNotify(PONG, params)),
  );
}
