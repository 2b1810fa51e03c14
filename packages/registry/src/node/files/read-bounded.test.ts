import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures.js";
import { readBounded } from "./read-bounded.js";

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

it("reads a file up to its maximum, and characters that two reads split", async () => {
  const file = join(place.path, "file");
  const text = `x${"é".repeat(100_000)}`;
  writeFileSync(file, text);
  expect(await readBounded(file, 200_001)).toBe(text);
  await expect(readBounded(file, 200_000)).rejects.toMatchObject({ code: "too_large" });
});

it.skipIf(!existsSync("/dev/zero"))("stops at the maximum if the system reports no size", async () => {
  await expect(readBounded("/dev/zero", 100_000)).rejects.toMatchObject({
    code: "too_large",
    message: "/dev/zero has more bytes than the maximum of 100000.",
  });
});
