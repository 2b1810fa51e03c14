// A prototype with only the operations of the engine on PostgreSQL. Its figures are the limit of this server and this
// client.
import { setTimeout } from "node:timers/promises";
import pg from "pg";

const append = `WITH s AS (
    SELECT id, epoch, last FROM bare.sessions WHERE id = ANY ($1) ORDER BY id FOR UPDATE
  ), changed AS (
    UPDATE bare.sessions u SET last = b.last FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS b (id, first, last) JOIN s USING (id)
    WHERE u.id = b.id AND s.last + 1 = b.first AND s.epoch = 1
  ), added AS (
    INSERT INTO bare.entries SELECT *, 1 FROM unnest($4::text[], $5::bigint[], $6::text[])
  ) SELECT count(*) FROM s`;

const notify = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('bare', $1)";

export async function barePostgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(`DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare;
    CREATE TABLE bare.sessions (id text PRIMARY KEY, epoch bigint NOT NULL, last bigint NOT NULL) WITH (fillfactor = 70);
    CREATE TABLE bare.entries (session text, seq bigint, text text, epoch bigint, PRIMARY KEY (session, seq));
    CREATE TABLE bare.members (id text PRIMARY KEY, until timestamptz);
    INSERT INTO bare.members VALUES ('a', now())`);
  const known = new Set();
  let queue = [];
  let onTheWay = 0;
  const changed = new Set();
  let isRinging = false;
  async function ring() {
    isRinging = true;
    while (changed.size > 0) {
      const names = [...changed].join(",");
      changed.clear();
      await pool.query({ name: "notify", text: notify, values: [names] });
      await setTimeout(5);
    }
    isRinging = false;
  }
  async function send() {
    if (onTheWay === 2 || queue.length === 0) return;
    const batch = queue;
    queue = [];
    onTheWay += 1;
    const rows = batch.flatMap(({ session, first, texts }) => texts.map((text, i) => [session, first + i, text]));
    await pool.query({
      name: "append",
      text: append,
      values: [
        batch.map(({ session }) => session),
        batch.map(({ first }) => first),
        batch.map(({ first, texts }) => first + texts.length - 1),
        ...[0, 1, 2].map((column) => rows.map((row) => row[column])),
      ],
    });
    onTheWay -= 1;
    for (const { session } of batch) changed.add(session);
    if (!isRinging) void ring();
    for (const { resolve } of batch) resolve();
    void send();
  }
  return {
    async append(session, first, texts) {
      if (!known.has(session)) {
        known.add(session);
        await pool.query("INSERT INTO bare.sessions VALUES ($1, 1, 0)", [session]);
      }
      return new Promise((resolve) => {
        queue.push({ session, first, texts, resolve });
        if (queue.length === 1) setImmediate(send);
      });
    },
    async read(session, after, count) {
      const text = "SELECT seq, epoch, text FROM bare.entries WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3";
      const { rows } = await pool.query({ name: "read", text, values: [session, after, count] });
      return rows.map(({ seq, epoch, text }) => ({ seq: Number(seq), epoch: Number(epoch), text })).length;
    },
    renew: () => pool.query("UPDATE bare.members SET until = clock_timestamp() + interval '1 minute' WHERE id = 'a'"),
    close: () => pool.end(),
  };
}
