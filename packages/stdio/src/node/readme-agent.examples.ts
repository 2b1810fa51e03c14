import "@acp-kit/stdio/node/guard"; // first, before modules that print while they are imported
import { Connection } from "@acp-kit/jsonrpc";
import { serveStdio } from "@acp-kit/stdio/node";

await serveStdio({
  connect(transport) {
    const connection = new Connection(transport);
    connection.onRequest("greet", (params) => `Hello, ${(params as { name: string }).name}!`);
    connection.listen();
    return connection;
  },
});
