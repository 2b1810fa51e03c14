import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { byPage } from "../../requirements/specification.js";
import { permitted } from "../../requirements/untested.js";

/** The rules for error objects and error codes. */
export const errorsRules: readonly Requirement[] = defineRules({
  "ERR-01 both MUST json-rpc, schema": {
    rule: "An error is `{code:int32, message:string, data?:any}`. Its `message` is one concise sentence.",
    spec: "json-rpc error_object: When a rpc call encounters an error, the Response Object MUST contain the error member with a value that is a Object with the following members:",
    remedy: "Send errors as an object with an integer code and a message.",
    official: { "ACP-JSONRPC-002": "mandatory", "ACP-ERROR-001": "advisory" },
  },
  "ERR-02 both FACT schema": {
    rule: "The codes are `-32700` parse error, `-32600` invalid request, `-32601` method not found, `-32602` invalid params, `-32603` internal error, `-32800` request cancelled, `-32000` authentication required and `-32002` resource not found. The schema allows any other int32.",
    untested: { client: permitted },
  },
  "ERR-03 both MUST later page": {
    rule: "The receiver handles an unknown code as a generic failure.",
    spec: byPage("protocol/v1/error"),
  },
  "ERR-04 both SHOULD later page":
    "An implementation chooses codes of its own outside of -32768..-32000 and of -32899..-32800.",
  "ERR-05 both FACT later page":
    "`-32602` is also the error for unsupported *values*: an invalid cursor of a list, an unknown config id or value, an unknown mode, an elicitation mode that was not advertised.",
  "ERR-06 both SHOULD later page":
    "A peer responds with `-32002` if a session (with `data.sessionId`), a file or a terminal does not exist.",
  "ERR-07 agent FACT schema":
    "`-32000` means that the client has to log in first. The agent may respond to any request with it.",
  "ERR-08 both FACT derived": {
    rule: "An error response alone never closes the connection.",
    official: { "ACP-JSONRPC-005": "advisory" },
  },
  "ERR-09 both FACT derived":
    "`data` has no fixed shape unless the specification states one. A receiver must not depend on it.",
});
