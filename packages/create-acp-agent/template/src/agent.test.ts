import { clientScript, openMemoryPair } from "@acp-kit/testing";
import { expect, test } from "vitest";
import { agent } from "./agent.js";

test("counts the words of the file that the prompt names", async () => {
  const [theirs, ours] = openMemoryPair();
  agent.connect(theirs);
  const client = clientScript()
    .initialize({ clientCapabilities: { fs: { readTextFile: true } } })
    .on("fs/read_text_file", { content: "three short words" })
    .connect(ours);

  await client.initialize();
  await client.newSession();
  const response = await client.prompt("/work/notes.txt");

  expect(response).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(JSON.stringify(client.receivedSoFar("session/update").at(-1))).toContain("has 3 words");
  await client.close();
});

test("stops counting when the turn is cancelled", async () => {
  const [theirs, ours] = openMemoryPair();
  agent.connect(theirs);
  const client = clientScript().initialize({}).connect(ours);

  await client.initialize();
  await client.newSession();
  const response = client.prompt("count to 100");
  await client.received("session/update");
  client.cancel();

  expect(await response).toMatchObject({ result: { stopReason: "cancelled" } });
  await client.close();
});
