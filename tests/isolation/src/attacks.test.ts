import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacks } from "./attacks.js";
import { type Rig, SECRET, startRig, tokens } from "./rig.js";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

it("has at least 40 attacks with different names", () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

describe("gateway.attacks: an attack receives no data of the victim and does not affect the victim", () => {
  it.each(attacks)("$name", async ({ attempt, gets }) => {
    const { record, ann, victim, log } = rig;
    const before = structuredClone(record);
    const got = await attempt(rig);
    expect(got).toMatch(gets);
    expect(got).not.toContain(SECRET);
    for (const token of Object.values(tokens)) expect(got).not.toContain(token);
    // Ann's turn still runs, her permission request is still pending, and her session still exists.
    expect(record.cancelled).toEqual(before.cancelled);
    expect(record.permissions).toEqual(before.permissions);
    expect(record.others).toEqual(before.others);
    expect(record.prompts).not.toContain("steal");
    expect(record.prompts.filter((text) => text.includes(SECRET))).toHaveLength(1);
    const { result } = await ann.request("session/list", {});
    expect((result as { sessions: unknown[] }).sessions).toMatchObject([{ sessionId: victim.sessionId }]);
    // The log contains only its own lines, and no secret.
    for (const line of log) {
      expect([...line].filter((character) => character < " ")).toEqual([]);
      expect(line).not.toContain(SECRET);
      for (const token of Object.values(tokens)) expect(line).not.toContain(token);
    }
  });

  it("after all attacks, the victim can respond to the permission request, and the turn ends", async () => {
    const { ann, record, victim } = rig;
    ann.send({
      jsonrpc: "2.0",
      id: ann.requests[0]?.id,
      result: { outcome: { outcome: "selected", optionId: "yes" } },
    });
    await ann.until(() => ann.received.some((message) => message.includes('"stopReason":"end_turn"')));
    expect(record.permissions).toEqual([{ outcome: { outcome: "selected", optionId: "yes" } }]);
    const other = await rig.attacker("observer");
    await other.request("session/load", { sessionId: victim.sessionId, cwd: "/", mcpServers: [] });
    expect(other.received.join()).toContain(SECRET);
  });
});
