import { describe, expect, it } from "vitest";
import { DecodeError, isDecodeError } from "./decode-error.js";

describe("DecodeError", () => {
  it("names the path and the fault, and the number of further faults", () => {
    const first = { path: ["update", "content", 0, "text"], message: "must be a string (missing)" };
    expect(new DecodeError([first]).message).toBe("update.content[0].text: must be a string (missing)");
    const error = new DecodeError([first, { path: [], message: "x" }, { path: [], message: "y" }]);
    expect(error.message).toBe("update.content[0].text: must be a string (missing) (and 2 more)");
    expect(error.name).toBe("DecodeError");
    expect(error.issues).toHaveLength(3);
  });

  it("names the value itself without a path, and quotes unusual names", () => {
    expect(new DecodeError([{ path: [], message: "must be an object (got null)" }]).message).toBe(
      "must be an object (got null)",
    );
    expect(new DecodeError([{ path: ["env", "A.B"], message: "must be a string" }]).message).toBe(
      'env["A.B"]: must be a string',
    );
  });

  it("keeps its cause", () => {
    const cause = new Error("why");
    expect(new DecodeError([], { cause })).toMatchObject({ cause, message: "the value does not match the schema" });
  });

  it("is recognised by its brand, also from another copy of the package", () => {
    class Other extends Error {}
    Object.defineProperty(Other.prototype, Symbol.for("acp-kit.DecodeError"), { value: true });
    expect(isDecodeError(new DecodeError([]))).toBe(true);
    expect(isDecodeError(new Other())).toBe(true);
    for (const other of [new Error("no"), null, undefined, "DecodeError", { name: "DecodeError" }]) {
      expect(isDecodeError(other)).toBe(false);
    }
  });
});
