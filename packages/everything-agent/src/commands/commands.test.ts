import { describe, expect, it } from "vitest";
import { answers } from "../../test/answers.js";
import { connectClient, everyCapability } from "../../test/client.js";
import { allCommands } from "./index.js";

/** Commands whose turn fails, or runs until it is cancelled. */
const special = ["error", "slow"];
const played = allCommands.filter(({ name }) => !special.includes(name));

it("has every command once, with a name that clients can show", () => {
  const names = allCommands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z-]*$/);
});

// These tests check every message of the agent against the schema.
describe.each(played)("/$name", ({ name, needs }) => {
  it("works with a client that offers every capability", async () => {
    await using client = await connectClient({ ...answers(), capabilities: everyCapability });
    const { response, updates } = await client.prompt(await client.newSession(), `/${name}`);
    expect(response.stopReason).toMatch(/^(end_turn|refusal|max_tokens|max_turn_requests)$/);
    expect(updates.length).toBeGreaterThan(0);
    const isExpected = ({ code }: { readonly code: string }): boolean =>
      code === "version_loss" && name === "two-plans";
    expect(client.diagnostics.filter((each) => !isExpected(each))).toEqual([]);
  });

  it("sends a message to a client that offers no capability", async () => {
    const { asked, handle } = answers();
    await using client = await connectClient({ handle });
    const { response, text } = await client.prompt(await client.newSession(), `/${name}`);
    expect(response.stopReason).toMatch(/^(end_turn|refusal|max_tokens|max_turn_requests)$/);
    expect(asked.filter((method) => method !== "session/request_permission")).toEqual([]);
    if (needs !== undefined) expect(text).toContain(`/${name} needs ${needs}`);
  });
});
