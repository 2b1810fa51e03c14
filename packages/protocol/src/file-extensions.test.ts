import { describe, expect, it } from "vitest";
import { fileExtensions } from "./file-extensions.js";

describe("the methods for files that the protocol doesn't have", () => {
  it("have the names, flags and members that agents in the field know", () => {
    expect(Object.values(fileExtensions).map(({ method, capability }) => [method, capability])).toEqual([
      ["fs/delete_file", "clientCapabilities.fs.deleteFile"],
      ["fs/rename_file", "clientCapabilities.fs.renameFile"],
    ]);
  });

  it("take strings, and keep what they don't know", async () => {
    const rename = { sessionId: "s1", path: "/a", targetPath: "/b", _meta: { x: 1 } };
    expect(await fileExtensions.renameFile.params["~standard"].validate(rename)).toEqual({ value: rename });
    for (const params of [undefined, null, "x", [], {}, { sessionId: "s1" }, { sessionId: "s1", path: 1 }]) {
      expect(await fileExtensions.deleteFile.params["~standard"].validate(params)).toHaveProperty("issues");
    }
    const { issues } = (await fileExtensions.renameFile.params["~standard"].validate({
      sessionId: "s1",
      path: "/a",
    })) as {
      issues: unknown;
    };
    expect(issues).toEqual([{ message: "must be a string", path: ["targetPath"] }]);
  });
});
