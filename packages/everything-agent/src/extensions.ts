import { type ClientConnection, extension, extensionNotification } from "@acp-kit/agent";
import type { StandardSchema } from "@acp-kit/protocol";
import type { Extensions } from "@acp-kit/protocol/internal";

/** The key in the `_meta` of capabilities that announces these extensions. */
export const ANNOUNCED = "acp-kit.dev";
/** The extension request whose result is the params of the request. */
export const ECHO = "_acp-kit.dev/echo";
/** The extension notification after which the agent sends the notification {@link PONG}. */
export const PING = "_acp-kit.dev/ping";
/** The notification that the agent sends after {@link PING}, and for `/extension`. */
export const PONG = "_acp-kit.dev/pong";

/**
 * The schema for the params of both extensions, which accepts any object. Real extensions use a schema of zod, valibot
 * or ArkType, or a few lines of code.
 */
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

/** Handles the extension notification {@link PING}: sends {@link PONG} over the same connection. */
export function handlePing({ peer }: ClientConnection): void {
  peer.handleExtension(
    PING,
    extensionNotification(anyObject, (params) => peer.extensionNotify(PONG, params)),
  );
}
