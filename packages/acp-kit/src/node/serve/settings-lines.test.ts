import { expect, it } from "vitest";
import type { ServeAccess, ServedUser, ServeSettings } from "./serve-settings.js";
import { settingsLines } from "./settings-lines.js";

const user = (name: string, more: Partial<ServedUser> = {}): ServedUser => ({
  ...{ token: `secret-of-${name}`, tenant: "", user: name, access: "full", metrics: false, folder: undefined },
  ...more,
});

function lines(access: ServeAccess, more: Partial<ServeSettings> = {}, kept: string | undefined = "/state/a.db") {
  const settings = { access, agent: { cwd: "/srv/work" }, engine: { is: "sqlite" }, folderOf: () => "/srv", ...more };
  return settingsLines(settings as unknown as ServeSettings, kept);
}

it("names the engine with its place, the user of the token and the folder", () => {
  expect(lines({ is: "one", token: "secret-0123456789" })).toEqual([
    "engine     sqlite, /state/a.db",
    "users      one, with the token",
    "folder     /srv/work",
  ]);
});

it("names users, tenants and observers, but no token", () => {
  const users = [user("ann", { folder: "/srv/ann" }), user("ben", { tenant: "acme", access: "observe" })];
  const text = lines({ is: "several", users });
  expect(text.slice(1)).toEqual([
    "users      2: ann, ben (acme) (observes)",
    "folder     /srv/work; one user has a folder of their own",
  ]);
  expect(text.join()).not.toContain("secret");
  const many = Array.from({ length: 12 }, (_, index) => user(`u${index}`));
  expect(lines({ is: "several", users: many })[1]).toMatch(/^users {6}12: u0, .*, u9 and 2 more$/);
});

it("says what the engines memory and none, no token, and files of the clients mean", () => {
  expect(lines({ is: "everybody" }, { engine: { is: "memory" }, folderOf: undefined }, "memory")).toEqual([
    "engine     memory",
    "users      every client of this machine, without a token",
    "folder     on the machine of each client",
  ]);
  const none = { access: { is: "everybody" }, agent: { cwd: "/" }, engine: { is: "none" }, folderOf: () => "/" };
  expect(settingsLines(none as unknown as ServeSettings, undefined)[0]).toBe(
    "engine     none: each connection has its own agent, and no session is stored",
  );
});
