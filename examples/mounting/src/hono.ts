// #region hono
import { Hono } from "hono";
import { handler } from "./handler.js";

export const app: Hono = new Hono();
app.all("/acp", (context) => handler.fetch(context.req.raw));
// #endregion hono
