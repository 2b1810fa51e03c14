import Database from "libsql";
import { expect, test } from "vitest";
import { prepareEngineStatements } from "./engine-statements.js";
import { journalFormat } from "./journal-format.js";

test("every statement finds its rows by an index, and none sorts them", () => {
  const database = new Database(":memory:");
  for (const migrate of journalFormat.migrations) migrate(database);
  const steps: string[] = [];
  const prepare = (sql: string): Database.Statement => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(1, 2, 3, 4) as { readonly detail: string }[];
    steps.push(...plan.map(({ detail }) => detail));
    return database.prepare(sql);
  };
  prepareEngineStatements({ prepare } as unknown as Database.Database);
  expect(steps).not.toHaveLength(0);
  const whole = steps.filter((step) => /^SCAN (sessions|parts)|TEMP B-TREE FOR ORDER BY/.test(step));
  expect(whole).toEqual([]);
});
