import type { StoredMail } from "@acp-kit/gateway";
import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatements } from "./postgres-statements.js";
import { storedText } from "./postgres-text.js";

/** Returns the stored messages to a replica, which are in the table of messages. */
export function postgresMail(port: PostgresPort, statements: PostgresStatements, replica: string): StoredMail {
  return {
    read: async (limit) => {
      const rows = await port.run(statements.mail, [replica, limit]);
      return rows.map(({ id, message }) => ({ id: id as string, message: storedText(message as string) }));
    },
    remove: (ids) => port.run(statements.received, [ids]),
  };
}
