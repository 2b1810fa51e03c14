import { expectTypeOf } from "vitest";
import type { ConnectionErrorCode } from "./connection-error.js";
import {
  Connection,
  isConnectionError,
  isRpcError,
  JsonRpcErrorCode,
  linkedTransports,
  type Message,
  type MessageStream,
  type Transport,
  toMessageStream,
} from "./index.js";

const [transport] = linkedTransports();
const connection = new Connection(transport);

// A result is unknown until a decoder has read it.
expectTypeOf(connection.request("m")).toEqualTypeOf<Promise<unknown>>();
expectTypeOf(connection.request("m", {}, { decode: (result) => String(result) })).toEqualTypeOf<Promise<string>>();
expectTypeOf(connection.request<{ a: number }>("m")).resolves.toEqualTypeOf<{ a: number }>();

// Params of handlers are unknown, too; the context parameter may be left out.
connection.onRequest("m", (params, { id, signal }) => {
  expectTypeOf(params).toBeUnknown();
  expectTypeOf(id).toEqualTypeOf<string | number | null>();
  expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
});
connection.onRequest("m", () => 1);
connection.onNotification("m", async () => {});
// A result of a notification handler is ignored, so that any function fits.
connection.onNotification("m", () => 1);

// `undefined` is allowed for options: callers may pass theirs on under exactOptionalPropertyTypes.
const passedOn: { signal?: AbortSignal; timeoutMs?: number } = {};
void connection.request("m", {}, { signal: passedOn.signal, timeoutMs: passedOn.timeoutMs });

// Guards narrow caught values.
const caught: unknown = undefined;
if (isRpcError(caught)) expectTypeOf(caught.code).toBeNumber();
if (isConnectionError(caught)) expectTypeOf(caught.code).toEqualTypeOf<ConnectionErrorCode>();

// Codes are literals, and a type of the same name is their union.
expectTypeOf(JsonRpcErrorCode.requestCancelled).toEqualTypeOf<-32800>();
expectTypeOf<-32601>().toExtend<JsonRpcErrorCode>();

// @ts-expect-error a message has a method, a result or an error
const empty: Message = { jsonrpc: "2.0", id: 1 };
// @ts-expect-error the version is the literal
const old: Message = { jsonrpc: "1.0", method: "m" };
expectTypeOf([empty, old]).toExtend<Message[]>();

// The streams are structural: any object with the shape of the official SDK's `Stream` fits.
expectTypeOf(toMessageStream(transport)).toExtend<MessageStream>();
expectTypeOf<{ readable: ReadableStream<Message>; writable: WritableStream<Message> }>().toExtend<{
  readable: ReadableStream<unknown>;
}>();
expectTypeOf(transport).toExtend<Transport>();
expectTypeOf(connection[Symbol.asyncDispose]).returns.toEqualTypeOf<Promise<void>>();
