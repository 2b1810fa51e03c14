import type { ContractEngine } from "@acp-kit/gateway/contract";
import pg from "pg";
import { postgresEngine } from "../src/node/index.js";

let schemas = 0;

/**
 * Opens two engines that share a new schema of a server. `advance` can't change the server's clock, so it moves all
 * stored times back.
 */
export async function contractPostgres(url: string): Promise<ContractEngine> {
  const schema = `contract_${++schemas}`;
  const open = () => postgresEngine({ url, schema, connections: 3 });
  const [engine, other] = await Promise.all([open(), open()]); // both create the tables
  const client = new pg.Client(url);
  await client.connect();
  return {
    engine,
    other,
    advance: async (ms) => {
      await client.query(`UPDATE ${schema}.members SET until = until - $1 * interval '1 millisecond'`, [ms]);
      await client.query(`UPDATE ${schema}.sessions SET created_at = created_at - $1, updated_at = updated_at - $1`, [
        ms,
      ]);
    },
    dispose: async () => {
      await engine.close();
      await other.close();
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
