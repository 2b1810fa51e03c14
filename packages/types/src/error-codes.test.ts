import { expect, it } from "vitest";
import { ErrorCode } from "./index.js";
import { ErrorCode as ErrorCodeV2 } from "./v2/index.js";

it("the error codes are pinned", () => {
  expect(ErrorCode).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    requestCancelled: -32800,
    authenticationRequired: -32000,
    resourceNotFound: -32002,
  });
  expect(ErrorCodeV2).toEqual({ ...ErrorCode, unsupportedProtocolVersion: -32022 });
});
