import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type SqliteStoreOptions, sqliteStore } from "../src/node/sqlite-store.js";
import type { OwnedSessions, SessionLog, SessionStore } from "../src/session-store.js";
import { prompted } from "./store-contract.js";

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-sessions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A path for a store that doesn't exist, in a folder that doesn't either. */
export const temporaryPath = (): string => join(temporaryFolder(), "deep", "sessions.sqlite");

/** A store that is closed after the test. */
export function openStore(options: Partial<SqliteStoreOptions> = {}): SessionStore {
  const store = sqliteStore({ path: temporaryPath(), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A session of owner `a`, with this many prompts: `0`, `1`, … */
export async function filled(
  store: SessionStore,
  sessionId = "s",
  prompts = 0,
): Promise<{
  readonly sessions: OwnedSessions;
  readonly log: SessionLog;
}> {
  const sessions = store.owner("a");
  await sessions.create({ sessionId, cwd: "/work", additionalDirectories: [] });
  const log = await sessions.open(sessionId);
  for (let i = 0; i < prompts; i++) await log.append(prompted(String(i)));
  return { sessions, log };
}

/** The texts of a session's prompts. */
export const textsOf = async (sessions: OwnedSessions, sessionId = "s"): Promise<string[]> =>
  (await sessions.read(sessionId)).map(({ entry }) => {
    const [block] = entry.type === "prompt" ? entry.prompt : [];
    return block?.type === "text" ? block.text : "?";
  });
