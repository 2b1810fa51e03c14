import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everythingAgent, memoryLogin } from "@acp-kit/everything-agent";
import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { agentScript } from "@acp-kit/testing";
import type { Page, WebSocketRoute } from "playwright-core";
import { describe, expect, it } from "vitest";
import { noBrowserReason } from "../../test/browser.js";
import { messagesOf, newSession, pageTests, prompt, sentParams, showTab } from "../../test/page-actions.js";

const tests = pageTests("the controls of the inspector in a real browser");

/** The everything agent, which requires a login. */
function withLogin(): Transport {
  const [agentSide, clientSide] = linkedTransports();
  everythingAgent({ paceMs: 0, login: memoryLogin() }).connect(agentSide);
  return clientSide;
}

/** The everything agent, whose background work takes longer than a test. */
function withLongWork(): Transport {
  const [agentSide, clientSide] = linkedTransports();
  everythingAgent({ paceMs: 20 }).connect(agentSide);
  return clientSide;
}

/** An agent that lists seven sessions in pages of three. */
function withPages(): Transport {
  const sessions = Array.from({ length: 7 }, (_, n) => ({ sessionId: `old-${n}`, cwd: "/work", title: `Old ${n}` }));
  return agentScript()
    .initialize({ agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } })
    .on("session/list", ({ params }: { params: unknown }) => {
      const start = Number(Object(params).cursor ?? 0);
      const next = start + 3;
      return { sessions: sessions.slice(start, next), ...(next < sessions.length && { nextCursor: String(next) }) };
    })
    .inMemory().transport;
}

/** An agent whose turn starts a child session that the user may stop. */
function withChild(): Transport {
  return agentScript()
    .onPrompt((turn) => {
      const child = { sessionId: "kid", title: "Reviewer", state: { state: "running" }, capabilities: { cancel: {} } };
      const update = { sessionUpdate: "subagent_update", ...child };
      turn.agent.notify("session/update", { sessionId: turn.sessionId, update });
      turn.message("It reviews.");
    })
    .inMemory().transport;
}

/** An agent that asks the user to open a web page, and reports the completion before the user responds. */
function withWebPage(): Transport {
  return agentScript()
    .onPrompt(async (turn) => {
      const elicitationId = "page-1";
      const params = { mode: "url", elicitationId, url: "https://example.com/pay", message: "Please pay." };
      const answered = turn.request("elicitation/create", params as never);
      turn.agent.notify("elicitation/complete", { elicitationId });
      const { action } = (await answered) as { action: string };
      turn.message(`You chose ${action}.`);
    })
    .inMemory().transport;
}

const session = (page: Page, name: string) => page.locator(".sessions li", { hasText: name });
const control = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const answer = (page: Page, text: string): Promise<void> =>
  page.locator(".acp-agent-message", { hasText: text }).last().waitFor();

describe.skipIf(noBrowserReason !== undefined)("a control of the inspector", () => {
  it("works in version 2: background work, the output of the agent's terminals, options, and a session's history", async () => {
    const { page, wrong, inspector } = await tests.inspect(withLongWork);
    await showTab(page, "Agent");
    const initialize = { protocolVersion: 2, info: { name: "inspector", version: "1" }, capabilities: {} };
    await page.locator("#initialize").fill(JSON.stringify(initialize));
    await page.click("#restart");
    await page.locator(".row", { hasText: "version 2, everything-agent" }).waitFor();
    await newSession(page);
    await prompt(page, "/terminal");
    await page.locator(".acp-terminal", { hasText: "line 3" }).waitFor();
    await answer(page, "exit code 0");
    await prompt(page, "/background 3600");
    await page.locator(".acp-background li", { hasText: "Build in the background" }).waitFor();
    await page.locator(".acp-background .acp-stop-work button").click();
    expect(await sentParams(inspector, "tool_call/cancel")).toMatchObject({ toolCallId: expect.any(String) });
    await answer(page, "The build was cancelled.");
    await page.locator(".acp-background").waitFor({ state: "detached" });
    await page.locator(".options select").first().selectOption("code");
    expect(await sentParams(inspector, "session/set_config_option")).toMatchObject({ type: "id", value: "code" });
    await showTab(page, "Sessions");
    await control(page, "Load").click();
    expect(await sentParams(inspector, "session/resume")).toMatchObject({ replayFrom: { type: "start" } });
    await showTab(page, "Chat");
    await answer(page, "The build was cancelled.");
    expect(await page.locator(".facts", { hasText: "mark" }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  it("creates, closes, loads, resumes, lists and deletes a session", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    await prompt(page, "/echo remembered");
    await answer(page, "remembered");
    await showTab(page, "Sessions");
    await control(page, "Close").click();
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "attached" });
    const { sessionId } = (await sentParams(inspector, "session/close")) as { sessionId: string };
    await control(page, "Load").click();
    expect(await sentParams(inspector, "session/load")).toMatchObject({ sessionId, cwd: tests.folder() });
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "detached" });
    await showTab(page, "Chat");
    await answer(page, "remembered");
    await showTab(page, "Sessions");
    await control(page, "Close").click();
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "attached" });
    await control(page, "Resume").click();
    expect(await sentParams(inspector, "session/resume")).toMatchObject({ sessionId });
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "detached" });
    await control(page, "List sessions").click();
    expect(await sentParams(inspector, "session/list")).toEqual({});
    await control(page, "Delete").click();
    expect(await sentParams(inspector, "session/delete")).toEqual({ sessionId });
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "attached" });
    expect(wrong).toEqual([]);
  });

  it("lists the sessions page by page", async () => {
    const { page, wrong, inspector } = await tests.inspect(withPages);
    await showTab(page, "Sessions");
    await control(page, "List sessions").click();
    await session(page, "Old 2").waitFor();
    expect(await session(page, "Old").count()).toBe(3);
    await control(page, "List more sessions").click();
    await session(page, "Old 5").waitFor();
    expect(await sentParams(inspector, "session/list", 2)).toEqual({ cursor: "3" });
    await control(page, "List more sessions").click();
    await session(page, "Old 6").waitFor();
    expect(await session(page, "Old").count()).toBe(7);
    expect(await control(page, "List more sessions").count()).toBe(0);
    await session(page, "Old 6").getByRole("button", { name: "Load" }).click();
    expect(await sentParams(inspector, "session/load")).toMatchObject({ sessionId: "old-6", cwd: "/work" });
    expect(wrong).toEqual([]);
  });

  it("passes MCP servers to the agent, and reports text that is not JSON", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await showTab(page, "Sessions");
    await page.fill("#mcp", "[{");
    await page.click("#new-session");
    await page.getByRole("alert").filter({ hasText: "The MCP servers are not JSON." }).waitFor();
    const server = { name: "docs", command: "/bin/docs", args: [], env: [] };
    await page.fill("#mcp", JSON.stringify([server]));
    await page.fill("#cwd", join(tests.folder(), "."));
    await page.click("#new-session");
    expect(await sentParams(inspector, "session/new")).toMatchObject({ mcpServers: [server] });
    await page.locator("#chosen-session").waitFor();
    expect(wrong).toEqual([]);
  });

  it("changes the mode and the options of a session", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    const options = page.locator(".options select");
    await options.first().waitFor();
    const values = await options
      .first()
      .locator("option")
      .evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    await options.first().selectOption(values[1] ?? "");
    expect(await sentParams(inspector, "session/set_config_option")).toMatchObject({ value: values[1] });
    await expect.poll(() => options.first().inputValue()).toBe(values[1]);
    const loud = page.locator(".options input[type=checkbox]");
    await loud.click(); // the page shows the new value once the agent has responded
    expect(await sentParams(inspector, "session/set_config_option", 2)).toMatchObject({ type: "boolean", value: true });
    await expect.poll(() => loud.isChecked()).toBe(true);
    expect(wrong).toEqual([]);
  });

  it("changes the mode of an agent without options", async () => {
    const availableModes = ["ask", "code"].map((id) => ({ id, name: `Mode ${id}` }));
    const { page, wrong, inspector } = await tests.inspect(
      () =>
        agentScript()
          .on("session/new", { sessionId: "s", modes: { currentModeId: "ask", availableModes } })
          .on("session/set_mode", {})
          .inMemory().transport,
    );
    await newSession(page);
    await page.getByLabel("Mode").selectOption({ label: "Mode code" });
    expect(await sentParams(inspector, "session/set_mode")).toEqual({ sessionId: "s", modeId: "code" });
    await expect.poll(() => page.getByLabel("Mode").inputValue()).toBe("code");
    expect(wrong).toEqual([]);
  });

  it("logs in and out", async () => {
    const { page, wrong, inspector } = await tests.inspect(withLogin);
    await showTab(page, "Sessions");
    await page.click("#new-session");
    await page.locator(".acp-problem", { hasText: "session/new: Authentication required" }).waitFor();
    await showTab(page, "Agent");
    await control(page, "Log in").click();
    expect(await sentParams(inspector, "authenticate")).toEqual({ methodId: "pretend" });
    await newSession(page);
    await showTab(page, "Agent");
    await control(page, "Log out").click();
    await sentParams(inspector, "logout");
    expect(wrong).toEqual([]);
  });

  it("fills in a form of the agent, declines it, and cancels it", async () => {
    const { page, wrong } = await tests.inspect();
    await newSession(page);
    await prompt(page, "/form");
    await page.getByLabel("Name (required)").fill("Grace");
    await page.getByLabel("Age (required)").fill("85");
    await page.getByLabel("Colour").selectOption({ label: "Blue" });
    await page.getByLabel("Subscribe").check();
    await page.getByLabel("Toppings").selectOption(["ham", "olives"]);
    await page.locator(".acp-form button[type=submit]").click();
    await answer(page, '"Grace"');
    const text = (await page.locator(".acp-agent-message").last().textContent()) ?? "";
    for (const part of ['"age": 85', '"#00f"', '"subscribe": true', '"olives"']) expect(text).toContain(part);
    for (const action of ["Decline", "Cancel"] as const) {
      await prompt(page, "/form");
      await page.locator(".acp-form").getByRole("button", { name: action }).click();
      await answer(page, `You chose: ${action.toLowerCase()}`);
    }
    expect(wrong).toEqual([]);
  });

  it("shows the agent's request to open a web page, and that the agent has reported its completion", async () => {
    const { page, wrong } = await tests.inspect(withWebPage);
    await newSession(page);
    await prompt(page, "pay");
    const form = page.locator(".acp-form");
    await form.getByRole("status").filter({ hasText: "The agent reports that it is completed." }).waitFor();
    const link = form.getByRole("link", { name: "Open this page" });
    expect(await link.getAttribute("href")).toBe("https://example.com/pay");
    expect(await link.getAttribute("rel")).toContain("noopener");
    await form.getByRole("button", { name: "Done" }).click();
    await answer(page, "You chose accept.");
    expect(wrong).toEqual([]);
  });

  it("serves requests for files and terminals, refuses them, or lets the user respond", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    const file = join(tests.folder(), "note.txt");
    writeFileSync(file, "real content");
    await newSession(page);
    await prompt(page, `/read ${file}`);
    await answer(page, "note.txt has 12 characters.");
    await prompt(page, `/write ${join(tests.folder(), "written.txt")} words`);
    await answer(page, "I wrote 5 characters");
    expect(readFileSync(join(tests.folder(), "written.txt"), "utf8")).toBe("words");
    await prompt(page, "/read /etc/hostname");
    await answer(page, "I could not read /etc/hostname.");
    const set = async (part: "files" | "terminals", mode: string): Promise<void> => {
      await showTab(page, "Agent");
      await page.selectOption(`#access-${part}`, mode);
      await expect.poll(() => page.inputValue(`#access-${part}`)).toBe(mode);
      await showTab(page, "Chat");
    };
    await set("files", "refused");
    await prompt(page, `/write ${join(tests.folder(), "refused.txt")} words`);
    await answer(page, "I could not write");
    expect(existsSync(join(tests.folder(), "refused.txt"))).toBe(false);
    await set("files", "manual");
    await prompt(page, `/read ${file}`);
    const request = page.locator(".open-requests fieldset", { hasText: "fs/read_text_file" });
    await request.getByRole("textbox").fill('{ "content": "by hand" }');
    await request.getByRole("button", { name: "Respond" }).click();
    await answer(page, "note.txt has 7 characters.");
    await set("terminals", "refused");
    await prompt(page, "/run echo hello");
    await expect
      .poll(() =>
        messagesOf(inspector, "client").some(({ error }) => error?.message.includes("terminal/create is refused")),
      )
      .toBe(true);
    await page.locator(".acp-send", { hasText: "Send" }).waitFor();
    await set("terminals", "manual");
    await prompt(page, "/run echo hello");
    const creation = page.locator(".open-requests fieldset", { hasText: "terminal/create" });
    await creation.getByRole("button", { name: "Refuse" }).click();
    await expect
      .poll(() => messagesOf(inspector, "client").some(({ error }) => error?.message === "Refused by the user"))
      .toBe(true);
    expect(wrong).toEqual([]);
  });

  it("cancels a turn, also one that waits for a permission, and sends a queued prompt after it", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    await prompt(page, "/permission");
    await page.locator(".acp-permission button").first().waitFor();
    await prompt(page, "/echo next");
    await page.locator(".acp-queue li", { hasText: "/echo next" }).waitFor();
    await page.locator(".acp-cancel").click();
    await answer(page, "next");
    expect(await sentParams(inspector, "session/cancel")).toBeDefined();
    const outcomes = messagesOf(inspector, "client").map(({ result }) => Object(Object(result).outcome).outcome);
    expect(outcomes).toContain("cancelled");
    const ends = messagesOf(inspector, "agent").map(({ result }) => Object(result).stopReason);
    expect(ends.filter(Boolean)).toEqual(["cancelled", "end_turn"]);
    expect(wrong).toEqual([]);
  });

  it("keeps a queued prompt while the page shows another tab or an earlier message, and sends it after the turn", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    await prompt(page, "/permission");
    await page.locator(".acp-cancel").waitFor();
    await prompt(page, "/echo after the wait");
    await page.locator(".acp-queue li").waitFor();
    await page.locator(".row", { hasText: "initialize" }).first().click();
    await control(page, "Conversation at this message").click();
    await page.getByText("As it was at message").waitFor();
    await control(page, "Back to the end").click();
    await showTab(page, "Raw");
    await showTab(page, "Chat");
    await page.locator(".acp-queue li", { hasText: "after the wait" }).waitFor();
    expect(messagesOf(inspector, "client").filter(({ method }) => method === "session/prompt")).toHaveLength(1);
    await page.click(".acp-cancel");
    await answer(page, "after the wait");
    expect(wrong).toEqual([]);
  });

  it("shows a new session although the user has chosen another one before", async () => {
    const { page, wrong } = await tests.inspect();
    await newSession(page);
    const sessions = page.locator("#chosen-session");
    await sessions.selectOption({ index: 0 });
    await newSession(page);
    await expect.poll(() => sessions.locator("option").count()).toBe(2);
    await expect.poll(() => sessions.evaluate((element: HTMLSelectElement) => element.selectedIndex)).toBe(1);
    expect(wrong).toEqual([]);
  });

  it("reports a page that can't be saved", async () => {
    const { page } = await tests.inspect();
    await page.route("**/trace.html", (route) => route.fulfill({ status: 500, body: "" }));
    await page.locator("summary", { hasText: "Save" }).click();
    await control(page, "HTML page").click();
    await page.getByRole("alert").filter({ hasText: "trace.html can't be saved" }).waitFor();
  });

  it("checks a message again after the connection was lost", async () => {
    const { page, inspector } = await tests.inspect();
    const links: WebSocketRoute[] = [];
    let isReachable = true;
    await page.routeWebSocket("**/wire", (link) => {
      if (!isReachable) return void link.close();
      link.connectToServer();
      links.push(link);
    });
    await page.goto("about:blank");
    await page.goto(inspector.url);
    await showTab(page, "Raw");
    await page.locator("#raw-method option").nth(1).waitFor({ state: "attached" });
    await page.fill("#raw-text", '{ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "s" } }');
    await page.locator("#raw-send", { hasText: /^Send$/ }).waitFor();
    isReachable = false;
    await links.at(-1)?.close();
    const fault = page.locator("#raw-faults li", { hasText: "not connected" });
    await page.getByText("can't be reached").waitFor();
    await page.fill("#raw-text", '{ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "t" } }');
    await fault.waitFor();
    isReachable = true;
    await fault.waitFor({ state: "detached" });
    await page.locator("#raw-send", { hasText: /^Send$/ }).waitFor();
  });

  it("follows the lines of the process until the user scrolls away", async () => {
    const printed: ((line: string) => void)[] = [];
    const { page } = await tests.inspect(({ onStderr }) => {
      printed.push(onStderr);
      return agentScript().inMemory().transport;
    });
    const lines = page.locator(".process-lines");
    const print = async (text: string): Promise<void> => {
      for (let line = 0; line < 100; line += 1) printed[0]?.(`${text} ${line}`);
      await lines.getByText(`${text} 99`, { exact: false }).waitFor({ state: "attached" });
    };
    const fromEnd = (): Promise<number> =>
      lines.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await print("first");
    await expect.poll(fromEnd).toBeLessThan(5);
    await lines.evaluate(async (list) => {
      const scrolled = new Promise((resolve) => list.addEventListener("scroll", resolve, { once: true }));
      list.scrollTop = 10;
      await scrolled;
    });
    await print("second");
    expect(await lines.evaluate((list) => list.scrollTop)).toBe(10);
  });

  it("stops a child session", async () => {
    const { page, wrong, inspector } = await tests.inspect(withChild);
    await newSession(page);
    await prompt(page, "Review");
    await page.locator(".acp-child-session summary", { hasText: "Reviewer" }).click();
    await page.locator(".acp-child-session button", { hasText: "Stop" }).click();
    expect(await sentParams(inspector, "session/cancel")).toEqual({ sessionId: "kid" });
    expect(wrong).toEqual([]);
  });

  it("removes a queued prompt", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    await prompt(page, "/permission");
    await page.locator(".acp-permission button").first().waitFor();
    await prompt(page, "/echo never");
    await page.getByRole("button", { name: "Remove the queued prompt: /echo never" }).click();
    await page.locator(".acp-permission button").first().click();
    await answer(page, "Number 1");
    await page.locator(".acp-send", { hasText: "Send" }).waitFor();
    expect(messagesOf(inspector, "client").filter(({ method }) => method === "session/prompt")).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  it("restarts the agent with other params, and stops it", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    await newSession(page);
    await showTab(page, "Agent");
    await page.fill("#initialize", '{ "protocolVersion": 1, "clientCapabilities": {} }');
    await page.click("#restart");
    expect(await sentParams(inspector, "initialize", 2)).toEqual({ protocolVersion: 1, clientCapabilities: {} });
    await page.locator("#chosen-session option", { hasText: "(closed)" }).waitFor({ state: "attached" });
    await control(page, "Stop the agent").click();
    await page.locator(".badge", { hasText: "ended" }).waitFor();
    expect(wrong).toEqual([]);
  });

  it("composes a request from the schema, adds a member, and sends it", async () => {
    const { page, wrong, inspector } = await tests.inspect();
    const linked = page.waitForEvent("websocket");
    await page.reload();
    const link = await linked;
    await newSession(page);
    await showTab(page, "Raw");
    await page.selectOption("#raw-method", "session/new");
    await page.getByRole("button", { name: "+ additionalDirectories" }).click();
    const draft = JSON.parse(await page.inputValue("#raw-text"));
    expect(draft).toMatchObject({ method: "session/new", params: { additionalDirectories: [] } });
    draft.params.cwd = tests.folder();
    await page.fill("#raw-text", JSON.stringify(draft));
    await page.locator("#raw-send", { hasText: /^Send$/ }).click();
    expect(await sentParams(inspector, "session/new", 2)).toMatchObject({
      additionalDirectories: [],
      cwd: tests.folder(),
    });
    await expect.poll(() => page.locator("#chosen-session option").count()).toBe(2);
    const checks: string[] = [];
    link.on("framesent", ({ payload }) => void (String(payload).includes('"check"') && checks.push(String(payload))));
    await page.fill("#raw-text", '{ "jsonrpc": "2.0", "id": 5, "method": "session/promt" }');
    await page.locator("#raw-faults li", { hasText: "is not a method of the protocol" }).waitFor();
    await page.fill("#raw-text", '{ "jsonrpc": "2.0", "id": 5, "method": 5 }');
    await page.locator("#raw-faults li", { hasText: "is not a method of the protocol" }).waitFor({ state: "detached" });
    expect(checks.length).toBe(2); // one for each text
    await page.fill("#raw-text", "{");
    await page.locator("#raw-faults li", { hasText: "This is not JSON." }).waitFor();
    expect(await page.locator("#raw-send").isDisabled()).toBe(true);
    expect(wrong).toEqual([]);
  });
});
