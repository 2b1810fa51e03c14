import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryPath } from "../../test/temporary.js";
import { applicationId, pragma } from "./pragmas.js";
import { openStoreFile } from "./store-file.js";
import { sessionStoreFormat } from "./store-format.js";

/** Called after each read of a number in a file's header. */
const hook = vi.hoisted(() => ({ afterRead: () => {} }));

vi.mock("./pragmas.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("./pragmas.js")>();
  return {
    ...original,
    pragma: (...args: Parameters<typeof original.pragma>) => {
      const number = original.pragma(...args);
      hook.afterRead();
      return number;
    },
  };
});

test("history.only-its-file: a file is a store also if another process creates the store while this one checks the file", () => {
  const { tablesBeforeIds: _, ...format } = sessionStoreFormat;
  const path = temporaryPath();
  mkdirSync(dirname(path), { recursive: true });
  hook.afterRead = () => {
    hook.afterRead = () => {};
    openStoreFile(path, format).database.close();
  };
  const { database } = openStoreFile(path, format);
  expect(pragma(database, "application_id")).toBe(applicationId);
  database.close();
});
