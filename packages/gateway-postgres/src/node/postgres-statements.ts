/** An SQL statement that the engine executes. Each connection prepares the statement once, under its name. */
export interface PostgresStatement {
  readonly name: string;
  readonly text: string;
}

/** Milliseconds since 1970 by the server's clock. */
const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const until = (ms: string): string => `clock_timestamp() + ${ms}::double precision * interval '1 millisecond'`;
const record = "place, id, cwd, additional_directories, title, state, created_at, updated_at";

/**
 * The text of each statement. The comments list the values of a statement and, after the arrow, the columns of its
 * result. `place` is the number of a session in the order of creation.
 */
const texts = (schema: string) => ({
  /** key, scope, tenant, user, id, cwd, additional folders, state → place, or nothing if the key exists. */
  create: `INSERT INTO ${schema}.sessions (key, scope, tenant, username, id, cwd, additional_directories, state, created_at, updated_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, at, at FROM (SELECT ${now} AS at) t ON CONFLICT (key) DO NOTHING RETURNING place`,
  /** key → record */
  find: `SELECT ${record} FROM ${schema}.sessions WHERE key = $1`,
  /** scope, place, folder, limit → records */
  list: `SELECT ${record} FROM ${schema}.sessions WHERE scope = $1 AND place < $2 AND ($3::text IS NULL OR cwd = $3) ORDER BY place DESC LIMIT $4`,
  /** scope → count */
  count: `SELECT count(*) AS count FROM ${schema}.sessions WHERE scope = $1`,
  /** key → place. Waits for a running append to the session. */
  deleteSession: `DELETE FROM ${schema}.sessions WHERE key = $1 RETURNING place`,
  /** place. A separate statement, so that it sees the entries of an append that ended before the deletion. */
  deleteEntries: `DELETE FROM ${schema}.entries WHERE session = $1`,
  /**
   * key, number and epoch of the entry before the page (nulls for the oldest page), maximum number of entries, maximum
   * bytes → first a row with the number 0 and, as JSON, the status and positions of the journal; then a row for each
   * entry
   */
  read: `WITH s AS (
      SELECT place, last_seq, last_epoch, trimmed_seq, trimmed_epoch, coalesce($2, trimmed_seq) AS seq, coalesce($3, trimmed_epoch) AS epoch
      FROM ${schema}.sessions WHERE key = $1
    ), known AS (
      SELECT s.*, CASE
        WHEN seq < trimmed_seq THEN 'expired'
        WHEN (seq = trimmed_seq AND epoch = trimmed_epoch) OR (seq = last_seq AND epoch = last_epoch) THEN 'page'
        WHEN seq > trimmed_seq AND seq < last_seq
          AND EXISTS (SELECT 1 FROM ${schema}.entries e WHERE e.session = s.place AND e.seq = s.seq AND e.epoch = s.epoch) THEN 'page'
        ELSE 'ahead' END AS status
      FROM s
    )
    SELECT 0::bigint AS seq, 0::bigint AS epoch, json_build_array(status, last_seq, last_epoch, trimmed_seq)::text AS text FROM known
    UNION ALL (
      SELECT seq, epoch, text FROM (
        SELECT e.seq, e.epoch, e.text, row_number() OVER w AS number, sum(octet_length(e.text)) OVER w AS bytes
        FROM known k JOIN LATERAL (
          SELECT * FROM ${schema}.entries e WHERE e.session = k.place AND e.seq > k.seq ORDER BY e.seq LIMIT $4
        ) e ON k.status = 'page' WINDOW w AS (ORDER BY e.seq)
      ) page WHERE number = 1 OR bytes <= $5 ORDER BY seq
    )`,
  /**
   * key, replica, whether the previous holder keeps the session even if its membership has ended → record, positions,
   * whether this replica holds the session now, its previous holder, whether that holder is a member
   */
  acquire: `WITH s AS (
      SELECT place, holder, EXISTS (SELECT 1 FROM ${schema}.members m WHERE m.id = holder AND m.until > clock_timestamp()) AS is_member
      FROM ${schema}.sessions WHERE key = $1 FOR UPDATE
    ), taken AS (
      UPDATE ${schema}.sessions u SET epoch = greatest(u.epoch + 1, ${now}), holder = $2 FROM s
      WHERE u.place = s.place AND (s.holder IS NULL OR s.holder = $2 OR NOT ($3::bool OR s.is_member))
      RETURNING u.*
    )
    SELECT s.holder AS by, s.is_member, taken.place IS NOT NULL AS held, taken.epoch, taken.last_seq, taken.last_epoch,
      s.place, taken.id, taken.cwd, taken.additional_directories, taken.title, taken.state, taken.created_at, taken.updated_at
    FROM s LEFT JOIN taken ON true`,
  /**
   * Lists with one element for each session: key, epoch, number of its first new entry, count of new entries, whether
   * the title changes, new title, new state or null. Lists with one element for each entry: index of its session, its
   * offset from the first new entry, start and length in the bytes. Then the bytes of all entries. → index of the
   * session, epoch, last number before the append; no row for a missing session.
   */
  append: `WITH input AS (
      SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::int[], $5::bool[], $6::text[], $7::text[])
        WITH ORDINALITY AS t (key, lease, first, count, is_titled, new_title, new_state, i)
    ), locked AS (
      SELECT s.place, s.epoch, s.last_seq, i.* FROM ${schema}.sessions s JOIN input i ON s.key = i.key ORDER BY s.place FOR UPDATE OF s
    ), good AS (
      SELECT * FROM locked WHERE epoch = lease AND last_seq + 1 = first AND count > 0
    ), changed AS (
      UPDATE ${schema}.sessions u SET last_seq = g.first + g.count - 1, last_epoch = g.lease, updated_at = ${now},
        title = CASE WHEN g.is_titled THEN g.new_title ELSE u.title END, state = coalesce(g.new_state, u.state)
      FROM good g WHERE u.place = g.place
    ), added AS (
      INSERT INTO ${schema}.entries (session, seq, epoch, text)
      SELECT g.place, g.first + t.behind, g.lease, convert_from(substring($12::bytea FROM t.at FOR t.length), 'UTF8')
      FROM unnest($8::int[], $9::int[], $10::int[], $11::int[]) AS t (i, behind, at, length) JOIN good g ON g.i = t.i
    )
    SELECT i, epoch, last_seq FROM locked`,
  /** key, epoch, first number to keep, maximum number of entries to remove → whether the trim is complete */
  trim: `WITH s AS (
      SELECT place, trimmed_seq, least($3::bigint - 1, last_seq) AS until, least($3::bigint - 1, last_seq, trimmed_seq + $4::bigint) AS step
      FROM ${schema}.sessions WHERE key = $1 AND epoch = $2 FOR UPDATE
    ), at AS (
      SELECT e.epoch FROM s JOIN ${schema}.entries e ON e.session = s.place AND e.seq = s.step
    ), gone AS (
      DELETE FROM ${schema}.entries e USING s WHERE e.session = s.place AND e.seq <= s.step AND s.step > s.trimmed_seq
    ), changed AS (
      UPDATE ${schema}.sessions u SET trimmed_seq = s.step, trimmed_epoch = coalesce((SELECT epoch FROM at), u.trimmed_epoch)
      FROM s WHERE u.place = s.place AND s.step > s.trimmed_seq
    )
    SELECT step >= until AS done FROM s`,
  /** key, epoch */
  release: `UPDATE ${schema}.sessions SET holder = NULL WHERE key = $1 AND epoch = $2`,
  /** id, milliseconds → id, or nothing if it is in use */
  join: `INSERT INTO ${schema}.members (id, until) VALUES ($1, ${until("$2")}) ON CONFLICT (id) DO NOTHING RETURNING id`,
  /** Removes replicas whose membership ended more than a day ago, and messages to unknown replicas. */
  sweep: `WITH gone AS (DELETE FROM ${schema}.members WHERE until < clock_timestamp() - interval '1 day')
    DELETE FROM ${schema}.mail l WHERE NOT EXISTS (SELECT 1 FROM ${schema}.members m WHERE m.id = l.replica)`,
  /** id of a replica, duration of its membership in milliseconds → whether the replica was a member */
  renew: `WITH before AS (SELECT until > clock_timestamp() AS was FROM ${schema}.members WHERE id = $1)
    INSERT INTO ${schema}.members (id, until) VALUES ($1, ${until("$2")})
    ON CONFLICT (id) DO UPDATE SET until = excluded.until RETURNING coalesce((SELECT was FROM before), false) AS was`,
  /** id */
  leave: `WITH gone AS (DELETE FROM ${schema}.members WHERE id = $1) DELETE FROM ${schema}.mail WHERE replica = $1`,
  /** replica, message → id, or nothing if there is no such member */
  send: `INSERT INTO ${schema}.mail (replica, message) SELECT $1, $2
    WHERE EXISTS (SELECT 1 FROM ${schema}.members WHERE id = $1 AND until > clock_timestamp()) RETURNING id`,
  /** replica, limit → id, message */
  mail: `SELECT id, message FROM ${schema}.mail WHERE replica = $1 ORDER BY id LIMIT $2`,
  /** ids */
  received: `DELETE FROM ${schema}.mail WHERE id = ANY ($1::bigint[])`,
  /** channel, names. The commit does not wait for the disk, because a notice may be lost. */
  notify: "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
});

/** Every statement of a PostgreSQL engine. */
export type PostgresStatements = Readonly<Record<keyof ReturnType<typeof texts>, PostgresStatement>>;

/** @param schema the name of the schema, quoted. */
export function postgresStatements(schema: string): PostgresStatements {
  return Object.fromEntries(
    Object.entries(texts(schema)).map(([name, text]) => [name, { name: `acp_kit_${name}`, text }]),
  ) as PostgresStatements;
}
