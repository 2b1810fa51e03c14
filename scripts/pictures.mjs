// Creates the pictures of the README and of the site from real runs, after a build: `node scripts/pictures.mjs`.
//   docs/pictures/chat.svg        `acp-kit chat` with the demo agent, in tmux
//   docs/pictures/react-chat.png  the page of examples/react-chat with the everything agent, in Chromium
//   docs/pictures/inspector-turns.png  the waterfall of a turn in that page
//   docs/pictures/inspector.png the inspector's page of a recorded turn, in Chromium (ACP_KIT_BROWSER names another
//   program)
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { findBrowser } from "../tools/configs/browser.mjs";
import { root } from "../tools/configs/packages.mjs";
import { terminalPicture } from "./terminal-picture.mjs";

const kit = [process.execPath, join(root, "packages", "acp-kit", "bin", "acp-kit.js")];
const pictures = join(root, "docs", "pictures");
const scratch = mkdtempSync(join(tmpdir(), "acp-kit-pictures-"));
const folder = join(scratch, "notes");
const columns = 84;

try {
  mkdirSync(pictures, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "ideas.md"), "Ideas\n");
  writeFileSync(join(pictures, "chat.svg"), terminalPicture(await chat(), { columns, title: "acp-kit chat" }));
  await inspector(join(pictures, "inspector.png"), join(pictures, "inspector-turns.png"));
  run([process.execPath, "--import", "tsx", "src/demo.ts"], {
    cwd: join(root, "examples", "react-chat"),
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ACP_KIT_PICTURE: join(pictures, "react-chat.png") },
  });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Returns the screen of a chat that waits for a permission, with colours as escape sequences. */
async function chat() {
  const tmux = (...args) =>
    execFileSync("tmux", ["-S", join(scratch, "tmux"), "-f", "/dev/null", ...args], { encoding: "utf8" });
  const command = [...kit, "chat", "--", ...kit, "demo-agent"].map((word) => `'${word}'`).join(" ");
  tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    "40",
    "-c",
    folder,
    `env HOME='${scratch}' TERM=xterm-256color ${command}`,
  );
  try {
    await shown(tmux, "in ");
    tmux("send-keys", "/plan", "Enter");
    await shown(tmux, "The plan is done.");
    tmux("send-keys", "/edit ideas.md", "Enter");
    await shown(tmux, "Allow");
    return tmux("capture-pane", "-e", "-p").replaceAll(scratch, "~");
  } finally {
    tmux("kill-server");
  }
}

async function shown(tmux, text) {
  for (const end = Date.now() + 30_000; Date.now() < end; await setTimeout(50)) {
    if (tmux("capture-pane", "-p").includes(text)) return;
  }
  throw new Error(`The chat did not show "${text}" within 30 s.`);
}

/** The page that `acp-kit trace --html` writes, with a selected message. */
async function inspector(picture, pictureOfTurns) {
  const recording = join(scratch, "turn.jsonl");
  const page = join(scratch, "turn.html");
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  // The picture shows the command, so the script starts `acp-kit` by its name, as users do.
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  symlinkSync(kit[1], join(bin, "acp-kit"));
  options.env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const agent = ["acp-kit", "record", "--out", recording, "--", "acp-kit", "demo-agent"];
  run([...kit, "run", "--permissions", "allow", "/edit ideas.md", "--", ...agent], options);
  writeFileSync(recording, readFileSync(recording, "utf8").replaceAll(scratch, "/home/ada"));
  run([...kit, "trace", recording, "--html", page], options);
  const require = createRequire(join(root, "packages", "inspector", "package.json"));
  const { chromium } = require("playwright-core");
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("No Chromium was found (ACP_KIT_BROWSER).");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme: "light" });
    await tab.goto(pathToFileURL(page).href);
    await tab.locator(".row.request", { hasText: "session/request_permission" }).click();
    await tab.mouse.move(0, 0);
    await tab.screenshot({ path: picture });
    await tab.click("#turns");
    await tab.locator(".waterfall").waitFor();
    await tab.mouse.move(0, 0);
    await tab.screenshot({ path: pictureOfTurns });
  } finally {
    await browser.close();
  }
}

function run([program, ...args], options) {
  execFileSync(program, args, options);
}
