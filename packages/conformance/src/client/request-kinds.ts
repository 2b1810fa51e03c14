import { clientRequests } from "@acp-kit/types";
import { NO_WORK } from "../pace.js";

/**
 * Returns the kind of a request to the client; requests of one kind have comparable response times. Each method is a
 * kind, because files, terminals and users differ in speed. Requests with a method that the client does not have are
 * one kind, because the client refuses them without work.
 */
export function kindOfRequest(method: string, isAdvertised: boolean): string {
  return isAdvertised && Object.hasOwn(clientRequests, method) ? method : NO_WORK;
}
