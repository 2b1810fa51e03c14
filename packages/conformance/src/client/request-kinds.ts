import { clientRequests } from "@acp-kit/types";
import { NO_WORK } from "../pace.js";

/**
 * Returns the kind of a request to the client, whose response times are comparable. Files, terminals and users are slow for reasons of
 * their own, so that each method is a kind; a method that the client does not have is refused without work.
 */
export function kindOfRequest(method: string, isAdvertised: boolean): string {
  return isAdvertised && Object.hasOwn(clientRequests, method) ? method : NO_WORK;
}
