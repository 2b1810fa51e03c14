import { runConformanceTests } from "@durable-streams/server-conformance-tests";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { type JournalServer, journalServer } from "./durable-streams/journal-writer.js";
import { notAboutReading } from "./durable-streams/not-about-reading.js";

const LONG_POLL_MS = 1_000;
const target = { baseUrl: "", longPollTimeoutMs: LONG_POLL_MS };
let server: JournalServer;

beforeAll(async () => {
  server = await journalServer(LONG_POLL_MS);
  target.baseUrl = server.url;
});
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the names of a test and of the groups that contain it. */
function namesOf({ task }: TestContext): string[] {
  const names = [task.name];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) names.push(suite.name);
  return names;
}

describe("gateway.journal-stream: the read tests of the conformance suite for Durable Streams servers", () => {
  const used = new Set<string>();
  let run = 0;
  beforeEach((context) => {
    const name = namesOf(context).find((each) => Object.hasOwn(notAboutReading, each));
    if (name === undefined) return;
    used.add(name);
    context.skip(notAboutReading[name]);
  });
  afterEach(({ task }) => {
    if (task.mode === "run") run += 1;
  });
  runConformanceTests(target);

  it("skips only tests that exist", () => {
    expect(Object.keys(notAboutReading).filter((name) => !used.has(name))).toEqual([]);
    expect(run).toBeGreaterThan(50);
  });
});
