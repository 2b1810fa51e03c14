import { describe, expect, it } from "vitest";
import { ConnectionError, isConnectionError } from "./connection-error.js";
import { JsonRpcErrorCode } from "./error-code.js";
import {
  errorObject,
  invalidParams,
  isRpcError,
  methodNotFound,
  RpcError,
  requestCancelled,
  rpcErrorFrom,
} from "./rpc-error.js";

it("ERR-02 has the codes of the specification", () => {
  expect(JsonRpcErrorCode).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    requestCancelled: -32800,
  });
  expect([methodNotFound("m").code, invalidParams("p").code, requestCancelled().code]).toEqual([
    -32601, -32602, -32800,
  ]);
});

describe("an error object of the peer, whatever is in it", () => {
  it.each([
    ["any integer code", { code: 1234, message: "odd" }, { code: 1234, message: "odd", data: undefined }],
    ["an HTTP status", { code: 400, message: "bad" }, { code: 400, message: "bad" }],
    ["data of any shape (ERR-09)", { code: -32000, message: "m", data: [1] }, { code: -32000, data: [1] }],
    ["data that is null", { code: 1, message: "m", data: null }, { data: null }],
    ["a JSON text as message", { code: 1, message: '{"a":1}' }, { message: '{"a":1}' }],
    ["no message", { code: -32000 }, { code: -32000, message: "Error -32000" }],
    ["an empty message", { code: 7, message: "" }, { code: 7, message: "Error 7" }],
    ["a message that is no string", { code: 7, message: { a: 1 } }, { code: 7, message: "Error 7" }],
    [
      "a code that is a string",
      { code: "ENOENT", message: "gone" },
      { code: -32603, message: "gone", data: { code: "ENOENT", message: "gone" } },
    ],
    ["a fractional code", { code: 1.5, message: "m" }, { code: -32603, message: "m" }],
    ["a string", "it broke", { code: -32603, message: "it broke", data: "it broke" }],
    ["a number", 5, { code: -32603, data: 5 }],
    ["an array", [], { code: -32603, data: [] }],
  ])("ERR-03 with %s is a failure with a code and a message", (_, object, expected) => {
    const error = rpcErrorFrom(object);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject(expected);
    expect(error.message).not.toBe("");
  });
});

describe("ERR-01 the error object that is sent", () => {
  it("is code, message and data, and neither stack nor cause", () => {
    const error = new RpcError(5, "m", { data: { a: 1 }, cause: new Error("/home/me/secret") });
    expect(errorObject(error)).toEqual({ code: 5, message: "m", data: { a: 1 } });
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 5, message: "m", data: { a: 1 } });
    expect(errorObject(new RpcError(5, "m"))).toEqual({ code: 5, message: "m" });
  });

  it.each([1.5, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY, "7" as unknown as number])(
    "never has the code %s",
    (code) => {
      expect(errorObject(new RpcError(code, "m")).code).toBe(-32603);
    },
  );
});

describe("errors are recognised by a brand", () => {
  it("that works across two copies of this package", () => {
    class Copy extends Error {}
    Object.defineProperty(Copy.prototype, Symbol.for("acp-kit.RpcError"), { value: true });
    expect(isRpcError(new Copy())).toBe(true);
    expect(isRpcError(new RpcError(1, "m"))).toBe(true);
    expect(isConnectionError(new ConnectionError("closed", "m"))).toBe(true);
  });

  it.each([undefined, null, "x", new Error("m"), {}])("and not in %o", (value) => {
    expect(isRpcError(value)).toBe(false);
    expect(isConnectionError(value)).toBe(false);
  });
});
