import { expect, it } from "vitest";
import { bundle, size } from "./bundle.js";

const kilobyte = 1000;

it.each([
  ["all decoders of v1", `export * from "./decode.ts"`, 8],
  ["decodeSessionNotification alone", `export { decodeSessionNotification } from "./decode.ts"`, 4],
  ["all decoders of v1 and v2", `export * as v1 from "./decode.ts"; export * as v2 from "./v2/decode.ts"`, 14],
  ["all validators of v1", `export * from "./validate.ts"`, 26],
])("%s, minified and gzipped, do not exceed their size limit", async (_, contents, budget) => {
  expect(await size(contents)).toBeLessThanOrEqual(budget * kilobyte);
});

it("a bundle contains no decoders of the other side", async () => {
  const client = await bundle(`export { clientDecoders } from "./decode.ts"`, { minify: false });
  expect(client).toContain("checkSessionNotification");
  expect(client).not.toContain("checkPromptRequest");
  const agent = await bundle(`export { agentDecoders } from "./decode.ts"`, { minify: false });
  expect(agent).toContain("checkPromptRequest");
  expect(agent).not.toContain("checkSessionNotification");
});

it("a bundle that only uses isDecodeError contains no decoders", async () => {
  const code = await bundle(`export { isDecodeError } from "./decode.ts"`, { minify: false });
  expect(code).not.toContain("checkSessionNotification");
});

it("no bundle contains ajv's compiler", async () => {
  const code = await bundle(`export * from "./validate.ts"`, { minify: false });
  expect(code).not.toMatch(/\brequire\(|new Function\(|\beval\(/);
});
