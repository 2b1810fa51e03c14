// #region express
import express, { type Express } from "express";
import { handler } from "./handler.js";
import { nodeListener } from "./node-listener.js";

export const app: Express = express();
app.all("/acp", nodeListener(handler.fetch)); // before express.json(), which would read the body
// #endregion express
