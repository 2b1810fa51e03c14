import { transform } from "esbuild";

/**
 * Starting an agent reads this code from the disk: without comments and indentation it is a quarter shorter. Names and statements
 * stay as they are, in lines, for stack traces and debuggers, and so nothing has a source map; what the comments say is in the declarations.
 *
 * Only the marks by which bundlers may drop a call have to survive. An operator's left side does, where a comment would not; where it
 * can't stand, the build fails.
 */
export async function withoutSpace(code) {
  const options = { target: "es2022", minifyWhitespace: true, lineLimit: 120 };
  const result = await transform(code.replaceAll("/* @__PURE__ */ ", "__PURE__ in "), options);
  return result.code.replaceAll(/__PURE__ in\s/g, "/* @__PURE__ */");
}
