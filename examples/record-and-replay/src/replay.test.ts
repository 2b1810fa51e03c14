import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent, linkedTransports } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { readRecordingFile } from "@acp-kit/testing/node";
import { createReplayer, formatDifferences, memorySink, recorder, traceText } from "@acp-kit/testing/recording";
import { afterAll, beforeAll, expect, test } from "vitest";
import { explain } from "./explain.js";
import { record } from "./record.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-example-"));
const recorded = join(folder, "explain.jsonl");
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const [ours, theirs] = linkedTransports();
  everythingAgent().connect(theirs);
  const sink = memorySink();
  const tape = recorder({ in: "client", sink });
  const agent = await connectAgent(ours, { tap: tape });
  await explain(agent, "/work");
  await agent.close();
  await tape.close();
  writeFileSync(recorded, sink.text());
});

// #region test
test("explain works with the recorded agent", async () => {
  const { transport, connection } = createReplayer(await readRecordingFile(recorded)).open();
  const agent = await connectAgent(transport);
  expect(await explain(agent, "/somewhere/else")).toContain("Explain this");
  await agent.close();

  const { differences } = await connection.closed;
  expect(formatDifferences(differences)).toBe("");
});
// #endregion test

test("reports how a client differs from the recording", async () => {
  const { transport, connection } = createReplayer(await readRecordingFile(recorded)).open();
  const agent = await connectAgent(transport);
  const session = await agent.newSession({ cwd: "/work" });
  await session.prompt("/echo Explain that").result;
  await agent.close();
  expect(formatDifferences((await connection.closed).differences)).toMatch(
    /~ client: session\/prompt differs .*\n {2}- .*Explain this"\n {2}\+ .*Explain that"\n/,
  );
});

// #region agent
test("the agent still responds as recorded", async () => {
  const { transport, connection } = createReplayer(await readRecordingFile(recorded), { as: "client" }).open();
  everythingAgent().connect(transport); // the agent under test
  const { differences } = await connection.closed; // the recorded client closes the connection after its last message
  expect(formatDifferences(differences)).toBe("");
});
// #endregion agent

test("renders the recording as text and as HTML", async () => {
  const recording = await readRecordingFile(recorded);
  writeFileSync(join(folder, "explain.txt"), traceText(recording));
  expect(traceText(recording)).toContain("session/prompt");
});

test("records a process", async () => {
  const script =
    'process.stdin.once(\'data\', () => console.log(\'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}\')).on(\'end\', () => process.exit(0))';
  const path = await record(
    join(folder, "process.jsonl"),
    { command: process.execPath, args: ["-e", script] },
    async (agent) => {
      expect(agent.protocolVersion).toBe(1);
    },
  );
  const { entries } = await readRecordingFile(path);
  expect(entries.at(-1)).toMatchObject({ kind: "process", event: "exited" });
});
