import type { RequestId } from "@acp-kit/jsonrpc";
import type { RequestId as SchemaRequestId } from "@acp-kit/types";
import { expectTypeOf, test } from "vitest";

test("ids of JSON-RPC are those of the schema, though neither package may import the other", () => {
  expectTypeOf<RequestId>().toEqualTypeOf<SchemaRequestId>();
});
