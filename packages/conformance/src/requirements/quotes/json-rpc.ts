import { fromJsonRpc, type Quote } from "./quote.js";

/** The sentences of the JSON-RPC 2.0 specification that state rules. */
export const jsonRpcQuotes: Readonly<Record<string, Quote>> = {
  "RPC-01": fromJsonRpc(
    "request_object",
    'A String specifying the version of the JSON-RPC protocol. MUST be exactly "2.0".',
  ),
  "RPC-02": fromJsonRpc("notification", 'A Notification is a Request object without an "id" member.'),
  "RPC-03": fromJsonRpc(
    "response_object",
    "Either the result member or error member MUST be included, but both members MUST NOT be included.",
  ),
  "RPC-04": fromJsonRpc(
    "response_object",
    "When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications. … It MUST be the same as the value of the id member in the Request Object.",
  ),
  "RPC-13": fromJsonRpc(
    "response_object",
    "If there was an error in detecting the id in the Request object (e.g. Parse error/Invalid Request), it MUST be Null.",
  ),
  "RPC-14": fromJsonRpc("error_object", "The JSON sent is not a valid Request object."),
  "RPC-15": fromJsonRpc("error_object", "The method does not exist / is not available."),
  "ERR-01": fromJsonRpc(
    "error_object",
    "When a rpc call encounters an error, the Response Object MUST contain the error member with a value that is a Object with the following members:",
  ),
};
