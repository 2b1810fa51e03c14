import { expect, it } from "vitest";
import { CookieJar } from "./cookie-jar.js";

it("a cookie jar keeps the last value of each cookie until the cookie expires or is removed", () => {
  const jar = new CookieJar();
  expect(jar.header()).toBeUndefined();
  jar.store(["a=1; Path=/; HttpOnly", "b=x=y; Max-Age=10", "c=3; Expires=Thu, 01 Jan 1970 00:00:09 GMT"], 0);
  expect(jar.header(0)).toBe("a=1; b=x=y; c=3");
  jar.store(["a=2"], 0);
  expect(jar.header(9_500)).toBe("b=x=y; a=2");
  expect(jar.header(10_000)).toBe("a=2");
  jar.store(["a=; Max-Age=0"], 11_000);
  expect(jar.header(11_000)).toBeUndefined();
});

it("a cookie jar limits the number and the size of cookies, and skips invalid cookies", () => {
  const jar = new CookieJar();
  jar.store(["", "=x", "no value", `long=${"x".repeat(5_000)}`]);
  expect(jar.header()).toBeUndefined();
  jar.store(Array.from({ length: 1_000 }, (_, index) => `c${index}=1`));
  expect(jar.header()?.split("; ").length).toBe(180);
});
