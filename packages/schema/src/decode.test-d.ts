import { expectTypeOf, it } from "vitest";
import {
  agentDecoders,
  clientDecoders,
  type DecodeResult,
  type Decoder,
  type DecoderTable,
  decodeSessionNotification,
} from "./decode.js";
import type { IncomingPromptRequest, IncomingSessionNotification, PromptResponse } from "./index.js";
import { validateSessionNotification } from "./validate.js";

it("types the result of a decoder", () => {
  expectTypeOf(decodeSessionNotification).returns.toEqualTypeOf<IncomingSessionNotification>();
  expectTypeOf(decodeSessionNotification.try).returns.toEqualTypeOf<DecodeResult<IncomingSessionNotification>>();
  expectTypeOf(agentDecoders.params["session/prompt"]).returns.toEqualTypeOf<IncomingPromptRequest>();
  expectTypeOf(clientDecoders.results["session/prompt"]).returns.toEqualTypeOf<PromptResponse>();
});

it("allows indexing a table with any method, with an undefined check", () => {
  const table: DecoderTable = agentDecoders;
  expectTypeOf(table.params["session/x"]).toEqualTypeOf<Decoder<unknown> | undefined>();
  // @ts-expect-error A method that the other side handles is not among the params that an agent receives.
  agentDecoders.params["session/update"];
});

it("lets a decoder of more stand for a decoder of less, not the other way round", () => {
  expectTypeOf<Decoder<{ a: string; b: string }>>().toExtend<Decoder<{ a: string }>>();
  expectTypeOf<Decoder<{ a: string }>>().not.toExtend<Decoder<{ a: string; b: string }>>();
});

it("does not accept an unknown update as one to send", () => {
  const result = decodeSessionNotification.try({});
  if (!result.ok) {
    // @ts-expect-error The value exists only after a check.
    result.value;
    return;
  }
  expectTypeOf(result.value).toEqualTypeOf<IncomingSessionNotification>();
  expectTypeOf(validateSessionNotification).returns.toExtend<readonly { message: string }[]>();
});
