import Database from "libsql";
import { expect, test } from "vitest";
import { prepareStatements } from "./statements.js";
import { migrations } from "./store-format.js";

test("lists and histories are read in the order of an index, and not sorted", () => {
  const database = new Database(":memory:");
  for (const migrate of migrations) migrate(database);
  const sorted: string[] = [];
  const prepare = (sql: string): Database.Statement => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(1, 2, 3, 4) as { readonly detail: string }[];
    if (plan.some(({ detail }) => detail.includes("TEMP B-TREE"))) sorted.push(sql);
    return database.prepare(sql);
  };
  const { byUse } = prepareStatements({ prepare } as unknown as Database.Database);
  expect(byUse).toBeDefined();
  // Retention sorts all sessions by the time of their last change.
  expect(sorted).toEqual([expect.stringContaining("ORDER BY updated_at, place")]);
});
