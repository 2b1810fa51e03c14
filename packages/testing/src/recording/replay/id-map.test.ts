import { expect, it } from "vitest";
import { IdMap } from "./id-map.js";

it("a live folder that is also a recorded folder is not replaced again", () => {
  const ids = new IdMap({ "/one": "/two", "/two": "/three", "/one/deep": "/d.$&" });
  expect(ids.path("/one/a, /two/b, /one/deep/c")).toBe("/two/a, /three/b, /d.$&/c");
});

it("reads a text with many folders in linear time", () => {
  const ids = new IdMap({ "/a": "/b" });
  expect(ids.path("/a ".repeat(500_000))).toHaveLength(1_500_000);
});
