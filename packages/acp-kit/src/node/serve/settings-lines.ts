import { cleanLine } from "../chat/text/clean.js";
import type { ServeAccess, ServedUser, ServeSettings } from "./serve-settings.js";

/** Maximum number of users whose names are printed. */
const MAX_NAMES = 10;

/**
 * Returns the lines that a server prints at its start about its engine, its users and its folders. They never contain a
 * token.
 *
 * @param kept the place where sessions are stored; `undefined` without an engine.
 */
export function settingsLines({ access, agent, engine, folderOf }: ServeSettings, kept: string | undefined): string[] {
  const place = kept === undefined || kept === engine.is ? "" : `, ${cleanLine(kept)}`;
  const noEngine = engine.is === "none" ? ": each connection has its own agent, and no session is stored" : "";
  return [
    `engine     ${engine.is}${place}${noEngine}`,
    `users      ${usersText(access)}`,
    `folder     ${folderOf === undefined ? "on the machine of each client" : foldersText(access, agent.cwd)}`,
  ];
}

function usersText(access: ServeAccess): string {
  if (access.is === "everybody") return "every client of this machine, without a token";
  if (access.is === "one") return "one, with the token";
  const { users } = access;
  const names = users.slice(0, MAX_NAMES).map(nameOf).join(", ");
  return `${users.length}: ${names}${users.length > MAX_NAMES ? ` and ${users.length - MAX_NAMES} more` : ""}`;
}

function nameOf({ tenant, user, access }: ServedUser): string {
  const name = cleanLine(tenant === "" ? user : `${user} (${tenant})`);
  return access === "observe" ? `${name} (observes)` : name;
}

function foldersText(access: ServeAccess, cwd: string): string {
  const own = access.is === "several" ? access.users.filter(({ folder }) => folder !== undefined).length : 0;
  if (own === 0) return cleanLine(cwd);
  return `${cleanLine(cwd)}; ${own === 1 ? "one user has a folder" : `${own} users have folders`} of their own`;
}
