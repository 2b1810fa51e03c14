import type { ConvertedRequest } from "@acp-kit/gateway/internal";
import { JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type { DecoderTable } from "@acp-kit/types/decode";
import { formatIssue } from "@acp-kit/types/decode";

/** Reads the params of a request in the version of its sender. @throws {RpcError} `-32602` if they are not valid. */
export function decodedParams(decoders: DecoderTable, method: string, params: unknown): unknown {
  return decoded(decoders.params, method, params, "params", JsonRpcErrorCode.invalidParams);
}

/** Returns a request whose result is decoded and then converted. */
export function converted(
  decoders: DecoderTable,
  method: string,
  params: object,
  result: (result: never) => unknown = (unchanged) => unchanged,
): ConvertedRequest {
  return {
    method,
    params: params as ConvertedRequest["params"],
    result: (value) =>
      result(decoded(decoders.results, method, value, "result", JsonRpcErrorCode.internalError) as never),
  };
}

/** Returns a request that is the same in both versions. */
export function unchanged(method: string, params: object): ConvertedRequest {
  return { method, params: params as ConvertedRequest["params"], result: (result) => result };
}

function decoded(
  table: DecoderTable["params"] | DecoderTable["results"],
  method: string,
  value: unknown,
  part: string,
  code: number,
): unknown {
  const decode = Object.hasOwn(table, method) ? table[method] : undefined;
  if (decode === undefined) return value;
  const result = decode.try(value);
  if (result.ok) return result.value;
  throw new RpcError(code, `The ${part} of ${method} is not valid: ${result.issues.map(formatIssue)[0]}`);
}
