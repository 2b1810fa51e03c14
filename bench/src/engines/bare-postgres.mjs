// The operations of the engine on PostgreSQL and nothing else: what this server and this client can do.
import pg from "pg";

const append = `WITH s AS (
    SELECT id, last FROM bare.sessions WHERE id = ANY ($1) ORDER BY id FOR UPDATE
  ), changed AS (
    UPDATE bare.sessions u SET last = b.last FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS b (id, first, last) JOIN s USING (id)
    WHERE u.id = b.id AND s.last + 1 = b.first
  ), added AS (
    INSERT INTO bare.entries SELECT * FROM unnest($4::text[], $5::bigint[], $6::text[])
  ) SELECT count(*) FROM s`;

export async function barePostgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(`DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare;
    CREATE TABLE bare.sessions (id text PRIMARY KEY, last bigint NOT NULL) WITH (fillfactor = 70);
    CREATE TABLE bare.entries (session text, seq bigint, text text, PRIMARY KEY (session, seq));
    CREATE TABLE bare.members (id text PRIMARY KEY, until timestamptz);
    INSERT INTO bare.members VALUES ('a', now())`);
  const known = new Set();
  let queue = [];
  let onTheWay = 0;
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
    for (const { resolve } of batch) resolve();
    void send();
  }
  return {
    async append(session, first, texts) {
      if (!known.has(session)) {
        known.add(session);
        await pool.query("INSERT INTO bare.sessions VALUES ($1, 0)", [session]);
      }
      return new Promise((resolve) => {
        queue.push({ session, first, texts, resolve });
        if (queue.length === 1) setImmediate(send);
      });
    },
    async read(session, after, count) {
      const text = "SELECT seq, text FROM bare.entries WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3";
      return (await pool.query({ name: "read", text, values: [session, after, count] })).rows.length;
    },
    renew: () => pool.query("UPDATE bare.members SET until = clock_timestamp() + interval '1 minute' WHERE id = 'a'"),
    close: () => pool.end(),
  };
}
