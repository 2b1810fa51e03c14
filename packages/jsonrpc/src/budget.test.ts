import { describe, expect, it } from "vitest";
import { Budget, BudgetShares, Holding } from "./budget.js";

describe("Budget", () => {
  it("remote.bounded-memory: counts what is held in every budget up to the root, and gives it back once", () => {
    const server = new Budget(100);
    const user = new Budget(60, server);
    const one = new Holding(new Budget(50, user));
    const other = new Holding(new Budget(50, user));
    expect(one.set(40)).toBe(true);
    expect(other.set(30)).toBe(false); // 70 of the user's 60
    expect(other.set(20)).toBe(true);
    expect([server.used, user.used]).toEqual([60, 60]);
    const stranger = new Holding(new Budget(60, server));
    expect(stranger.set(40)).toBe(true);
    expect(stranger.set(41)).toBe(false); // 101 of the server's 100
    one.release();
    one.release();
    expect([server.used, user.used]).toEqual([60, 20]);
    expect(one.set(40)).toBe(true);
  });

  it("has room for anything that is held alone, also if it grows", () => {
    const budget = new Budget(10, new Budget(20));
    const large = new Holding(budget);
    expect([large.set(15), large.set(1_000)]).toEqual([true, true]);
    expect(budget.isOver).toBe(true);
    expect(new Holding(budget).set(1)).toBe(false);
    large.set(0);
    expect(budget.isOver).toBe(false);
  });

  it("counts bytes that are stored already without room, and says so", () => {
    const user = new Budget(10);
    const holding = new Holding(new Budget(20, user));
    holding.count(15);
    expect([holding.bytes, user.used, user.isOver]).toEqual([15, 15, true]);
  });
});

describe("BudgetShares", () => {
  it("returns the same budget for a name while it is used, and all are parts of the total", () => {
    const shares = new BudgetShares(100);
    const ann = shares.enter("ann", 60);
    expect(shares.enter("ann", 60)).toBe(ann);
    const bob = shares.enter("bob", 60);
    new Holding(ann).set(60);
    expect(new Holding(bob).set(50)).toBe(false); // 110 of all
    expect(new Holding(bob).set(40)).toBe(true);
    shares.leave("ann");
    expect(shares.enter("ann", 60)).toBe(ann);
    shares.leave("ann");
    shares.leave("ann");
    expect(shares.enter("ann", 60)).not.toBe(ann);
  });
});
