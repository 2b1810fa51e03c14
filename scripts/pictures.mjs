// Makes the pictures of the README and of the site from real runs, after a build: `node scripts/pictures.mjs`.
//   docs/pictures/chat.svg    `acp-kit chat` with the demo agent, in tmux
//   docs/pictures/trace.png   the HTML trace of a recorded turn, in Chromium (CHROMIUM names another program than `chromium`)
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
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
  trace(join(pictures, "trace.png"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The screen of a chat that waits for a permission, with its colours as escape sequences. */
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

function trace(picture) {
  const recording = join(scratch, "turn.jsonl");
  const page = join(scratch, "trace.html");
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  // By its name, as a user would start it: the picture shows the command.
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  symlinkSync(kit[1], join(bin, "acp-kit"));
  options.env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const agent = ["acp-kit", "record", "--out", recording, "--", "acp-kit", "demo-agent"];
  run([...kit, "run", "--permissions", "allow", "/edit ideas.md", "--", ...agent], options);
  run([...kit, "trace", recording, "--html", page], options);
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const size = ["--window-size=1200,680", "--hide-scrollbars", "--force-device-scale-factor=1"];
  const chromium = process.env.CHROMIUM ?? "chromium";
  const headless = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(scratch, "chromium")}`];
  run([chromium, ...headless, ...quiet, ...size, `--screenshot=${picture}`, pathToFileURL(page).href], {
    ...options,
    stdio: "ignore",
  });
}

function run([program, ...args], options) {
  execFileSync(program, args, options);
}
