import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { expect, it } from "vitest";
import { IdMap } from "./id-map.js";

it("a live folder that is also a recorded folder is not replaced again", () => {
  const ids = new IdMap({ "/one": "/two", "/two": "/three", "/one/deep": "/d.$&" });
  expect(ids.path("/one/a, /two/b, /one/deep/c")).toBe("/two/a, /three/b, /d.$&/c");
});

it("reads a text with many folders in linear time", async () => {
  const ids = new IdMap({ "/a": "/b" });
  const read = (size: number) => expect(ids.path("/a ".repeat(size))).toBe("/b ".repeat(size));
  expect(await growthOf(read)).toBeLessThan(LINEAR);
});
