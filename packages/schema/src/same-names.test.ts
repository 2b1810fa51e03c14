import * as typesV1 from "@acp-kit/types";
import * as decodersV1 from "@acp-kit/types/decode";
import * as typesV2 from "@acp-kit/types/v2";
import * as decodersV2 from "@acp-kit/types/v2/decode";
import { expect, expectTypeOf, it } from "vitest";
import * as decodeV1 from "./decode.js";
import type { AgentHandlers, IncomingSessionUpdate, SessionNotification } from "./index.js";
import * as v1 from "./index.js";
import * as decodeV2 from "./v2/decode.js";
import * as v2 from "./v2/index.js";

it.each([
  ["@acp-kit/schema", v1, typesV1],
  ["@acp-kit/schema/decode", decodeV1, decodersV1],
  ["@acp-kit/schema/v2", v2, typesV2],
  ["@acp-kit/schema/v2/decode", decodeV2, decodersV2],
])("%s is the same as in the smaller package, value by value", (_, whole, stable) => {
  expect(Object.keys(whole).length).toBeGreaterThan(15);
  expect({ ...whole }).toEqual({ ...stable });
  for (const [name, value] of Object.entries(stable)) expect(Reflect.get(whole, name), name).toBe(value);
});

it("has the identical types", () => {
  expectTypeOf<SessionNotification>().toEqualTypeOf<typesV1.SessionNotification>();
  expectTypeOf<IncomingSessionUpdate>().toEqualTypeOf<typesV1.IncomingSessionUpdate>();
  expectTypeOf<AgentHandlers>().toEqualTypeOf<typesV1.AgentHandlers>();
  expectTypeOf<v2.IncomingSessionUpdate>().toEqualTypeOf<typesV2.IncomingSessionUpdate>();
});
