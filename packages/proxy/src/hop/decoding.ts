import { type ResponseMessage, RpcError } from "@acp-kit/jsonrpc";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { formatIssue } from "@acp-kit/types/decode";
import { copyValue } from "./copy-value.js";
import type { DecodedParams } from "./interceptor-call.js";
import type { Opening } from "./opening.js";
import { resultOf } from "./own-requests.js";
import { ownMember, type Side } from "./side.js";

/** Decodes copies of what interceptors read. Messages of versions that the proxy does not know are not decoded. */
export class Decoding {
  readonly #opening: Opening;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  /**
   * Decodes params that `to` would receive.
   *
   * @throws {RpcError} -32602 when they are invalid.
   */
  params(to: Side, method: string, params: unknown): DecodedParams {
    const decode = ownMember(this.#opening.known?.protocol.decoders[to].params ?? {}, method);
    if (decode === undefined) return { value: params, salvaged: [] };
    const decoded = decode.try(copyValue(params));
    if (decoded.ok) return decoded;
    const issues = decoded.issues.map(formatIssue);
    throw new RpcError(-32602, `The params of ${method} are not valid: ${issues[0]}`, { data: { issues } });
  }

  /**
   * Decodes the result that `to` would receive.
   *
   * @throws {RpcError} the error of the response, or -32603 when the result is invalid.
   */
  result(to: Side, method: string, response: ResponseMessage): unknown {
    const result = resultOf(response);
    // The result of `initialize` has the version that the agent chose, and not the one that the client offered.
    const isOpening = method === "initialize" && isJsonObject(result);
    const rules = isOpening ? this.#opening.rulesOf(result.protocolVersion) : this.#opening.known;
    const decode = ownMember(rules?.protocol.decoders[to].results ?? {}, method);
    if (decode === undefined) return result ?? null;
    const decoded = decode.try(copyValue(result));
    if (decoded.ok) return decoded.value;
    throw new RpcError(-32603, `The result of ${method} is not valid: ${decoded.issues.map(formatIssue)[0]}`);
  }
}
