// #region express
import { fetchListener } from "@acp-kit/http/node";
import express, { type Express } from "express";
import { handler } from "./handler.js";

export const app: Express = express();
app.all("/acp", fetchListener(handler.fetch)); // before express.json(), which would read the body
// #endregion express
