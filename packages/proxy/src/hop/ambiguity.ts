import { isJsonObject } from "@acp-kit/jsonrpc/internal";

const members: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
const LONGEST = 7;

/**
 * Returns why two receivers could read a message differently; `undefined` if they can't. A proxy that decides about
 * messages must not forward such a message, because the receiver may see another one than the proxy.
 */
export function ambiguityOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return "ACP has no batches: send one message at a time";
  if (!isJsonObject(value)) return undefined;
  let kinds = 0;
  for (const name in value) {
    switch (name) {
      case "jsonrpc":
      case "id":
      case "params":
        break;
      case "method":
      case "error":
        if (value[name] !== undefined && value[name] !== null) kinds += 1;
        break;
      case "result":
        if (value[name] !== undefined) kinds += 1;
        break;
      default:
        if (name.length <= LONGEST && members.has(name.toLowerCase()))
          return `the member names "${name}" and "${name.toLowerCase()}" differ only in case`;
    }
  }
  return kinds > 1 ? "a message has one of `method`, `result` and `error`" : undefined;
}
