import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { bundle } from "./bundle.js";

const script = `
import * as decode1 from "./decode.ts";
import * as decode1u from "./unstable/decode.ts";
import * as decode2 from "./v2/decode.ts";
import * as decode2u from "./v2/unstable/decode.ts";
import * as validate1 from "./validate.ts";
import * as validate1u from "./unstable/validate.ts";
import * as validate2 from "./v2/validate.ts";
import * as validate2u from "./v2/unstable/validate.ts";

try {
  new Function("return 1");
  throw new RangeError("code generation is allowed here, so this proves nothing");
} catch (error) {
  if (!(error instanceof EvalError)) throw error;
}

const value = () => ({ sessionId: "s", update: { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "x" } } });
let called = 0;
for (const module of [decode1, decode1u, decode2, decode2u]) {
  for (const [name, decode] of Object.entries(module)) if (name.startsWith("decode")) { decode.try(value()); decode.try(null); called++; }
  if (!(module.decodeSessionNotification ?? module.decodeUpdateSessionNotification).try(value()).ok) throw new Error("refused");
}
for (const module of [validate1, validate1u, validate2, validate2u]) {
  for (const [name, validate] of Object.entries(module)) if (name.startsWith("validate")) { validate(value()); validate(null); called++; }
  if ((module.validateSessionNotification ?? module.validateUpdateSessionNotification)(value()).length > 0) throw new Error("invalid");
}
console.log(called);
`;

it("decoders and validators work without code generation from strings", async () => {
  const code = await bundle(script, { minify: false });
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--disallow-code-generation-from-strings", "--input-type=module", "-"],
    { input: code, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(Number(stdout)).toBeGreaterThan(200);
});
