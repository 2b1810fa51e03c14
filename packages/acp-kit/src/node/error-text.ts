import { isRpcError } from "@acp-kit/client";

/**
 * What an error says to a person. Agents often answer "Internal error" and put what happened into the `data` of the error: it is told, too.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isRpcError(error)) return error.message;
  const { data } = error;
  const { details, message } = (typeof data === "object" && data !== null ? data : { details: data }) as Partial<
    Record<"details" | "message", unknown>
  >;
  const more = [details, message].find((each) => typeof each === "string" && each !== "");
  return more === undefined || error.message.includes(String(more)) ? error.message : `${error.message}: ${more}`;
}
