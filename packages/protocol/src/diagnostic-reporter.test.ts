import { expect, test } from "vitest";
import { diagnosticReporter } from "./diagnostic-reporter.js";

const diagnostic = { code: "test", message: "Something happened" };

test("reports to the listener, where there is one", () => {
  const received: unknown[] = [];
  diagnosticReporter((reported) => received.push(reported))(diagnostic);
  diagnosticReporter(undefined)(diagnostic);
  expect(received).toEqual([diagnostic]);
});

test("a listener that throws or rejects changes nothing", async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", note);
  diagnosticReporter(() => {
    throw new Error("broken");
  })(diagnostic);
  diagnosticReporter(async () => {
    throw new Error("broken");
  })(diagnostic);
  await new Promise((resolve) => setImmediate(resolve)); // unhandled rejections are reported at the end of a tick
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});
