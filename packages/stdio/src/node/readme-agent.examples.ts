import "@acp-kit/stdio/node/guard"; // first, so that it precedes whatever prints while it is imported
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
