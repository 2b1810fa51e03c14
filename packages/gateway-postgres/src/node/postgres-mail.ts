import type { StoredMail } from "@acp-kit/gateway/engine";
import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatements } from "./postgres-statements.js";
import { storedText } from "./postgres-text.js";

/** Returns access to the messages to a replica that other replicas have stored in the table `mail`. */
export function postgresMail(port: PostgresPort, statements: PostgresStatements, replica: string): StoredMail {
  return {
    read: async (limit) => {
      const rows = await port.run(statements.mail, [replica, limit]);
      return rows.map(({ id, message }) => ({ id: id as string, message: storedText(message as string) }));
    },
    remove: (ids) => port.run(statements.received, [ids]),
  };
}
