-- All SQL of the fleet. `-- NAME --` begins a query; those named `migration …` are applied once, in
-- this order, by `clawgit fleet init`. Connections look into clawgit_fleet and clawgit_queue.

-- migrations known --
CREATE SCHEMA IF NOT EXISTS clawgit_fleet;
CREATE TABLE IF NOT EXISTS clawgit_fleet.migration (
    name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now()
)

-- migration 1 role --
-- Roles are of all databases: another fleet may have made it, or somebody who may.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'clawgit_worker') THEN
        CREATE ROLE clawgit_worker NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN
    GRANT clawgit_worker TO CURRENT_USER;
EXCEPTION WHEN insufficient_privilege THEN
    IF NOT pg_has_role(CURRENT_USER, 'clawgit_worker', 'MEMBER') THEN RAISE; END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS clawgit_queue;
CREATE SCHEMA IF NOT EXISTS clawgit_chat;
GRANT USAGE ON SCHEMA clawgit_fleet, clawgit_queue, clawgit_chat TO clawgit_worker

-- migration 2 fleet --
-- What the operator says of a workspace. Workers only read it.
CREATE TABLE clawgit_fleet.workspace (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    agent text NOT NULL UNIQUE, remote text NOT NULL UNIQUE, branch text NOT NULL,
    key text NOT NULL, accepted text NOT NULL, signature text NOT NULL,
    added timestamptz NOT NULL DEFAULT now()
);
-- The fence: who has the newest number may finish.
CREATE TABLE clawgit_fleet.generation (
    workspace bigint PRIMARY KEY REFERENCES clawgit_fleet.workspace ON DELETE CASCADE,
    gen bigint NOT NULL DEFAULT 0
);
CREATE TABLE clawgit_fleet.schedule (
    workspace bigint NOT NULL REFERENCES clawgit_fleet.workspace ON DELETE CASCADE,
    job text NOT NULL, place int NOT NULL, rule text NOT NULL, zone text NOT NULL,
    next timestamptz NOT NULL, PRIMARY KEY (workspace, job)
);
CREATE INDEX schedule_by_next ON clawgit_fleet.schedule (next);
-- One row for each time of each job. `task` is its task in the queue, `gen` who runs it.
CREATE TABLE clawgit_fleet.due (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace bigint NOT NULL REFERENCES clawgit_fleet.workspace ON DELETE CASCADE,
    job text NOT NULL, at timestamptz NOT NULL,
    task bigint, gen bigint, worker text NOT NULL DEFAULT '', started timestamptz,
    tries int NOT NULL DEFAULT 0, again timestamptz, failed boolean NOT NULL DEFAULT false,
    refused int NOT NULL DEFAULT 0, trouble text NOT NULL DEFAULT '',
    done timestamptz, outcome text NOT NULL DEFAULT '', summary text NOT NULL DEFAULT '',
    UNIQUE (workspace, job, at)
);
CREATE INDEX due_undone ON clawgit_fleet.due (id) WHERE done IS NULL;
CREATE INDEX due_by_done ON clawgit_fleet.due (done);
-- What a run left for the next one. It `counts` once the remote has its fence, and so its commits.
-- As the messages do, it stays when a workspace is removed.
CREATE TABLE clawgit_fleet.receipt (
    agent text NOT NULL, series text NOT NULL, gen bigint NOT NULL, fence text NOT NULL,
    run jsonb NOT NULL, counts boolean NOT NULL DEFAULT false, PRIMARY KEY (agent, series, gen)
);
GRANT SELECT ON clawgit_fleet.workspace, clawgit_fleet.generation TO clawgit_worker;
GRANT UPDATE (gen) ON clawgit_fleet.generation TO clawgit_worker;
GRANT SELECT, INSERT, UPDATE, DELETE
    ON clawgit_fleet.schedule, clawgit_fleet.due, clawgit_fleet.receipt TO clawgit_worker

-- migration 3 queue --
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA clawgit_queue TO clawgit_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA clawgit_queue TO clawgit_worker

-- migration 4 chat --
-- Whose messages a connection sees: a worker says so; any other login has the name of its agent.
-- RETURN, not a text: what it calls is found now, not in the search_path of who asks.
CREATE FUNCTION clawgit_chat.whose() RETURNS text LANGUAGE sql STABLE
    RETURN CASE WHEN pg_has_role(session_user, 'clawgit_worker', 'MEMBER')
    THEN current_setting('clawgit.workspace') ELSE session_user::text END;
CREATE TABLE clawgit_chat.clawgit_message (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace text NOT NULL DEFAULT clawgit_chat.whose(),
    id text NOT NULL, session text NOT NULL, role text NOT NULL, text text NOT NULL,
    time timestamptz NOT NULL, priority boolean NOT NULL, live text, record text,
    likeness bigint NOT NULL, words tsvector NOT NULL,
    UNIQUE (workspace, live), UNIQUE (workspace, record)
);
CREATE INDEX clawgit_message_by_time ON clawgit_chat.clawgit_message (workspace, time, seq);
CREATE INDEX clawgit_message_by_seq ON clawgit_chat.clawgit_message (workspace, seq);
CREATE INDEX clawgit_message_by_id ON clawgit_chat.clawgit_message (workspace, id);
CREATE INDEX clawgit_message_by_likeness
    ON clawgit_chat.clawgit_message (workspace, likeness, time);
CREATE INDEX clawgit_message_by_words ON clawgit_chat.clawgit_message USING gin (words);
-- What searches showed where the agent lives; question and session are hashes.
CREATE TABLE clawgit_chat.clawgit_access (
    workspace text NOT NULL DEFAULT clawgit_chat.whose(), entry text NOT NULL,
    session text NOT NULL, asked text NOT NULL, time timestamptz NOT NULL,
    PRIMARY KEY (workspace, entry, session, asked)
);
ALTER TABLE clawgit_chat.clawgit_message ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE clawgit_chat.clawgit_access ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON clawgit_chat.clawgit_message USING (workspace = clawgit_chat.whose());
CREATE POLICY own ON clawgit_chat.clawgit_access USING (workspace = clawgit_chat.whose());
GRANT SELECT, INSERT, UPDATE, DELETE
    ON clawgit_chat.clawgit_message, clawgit_chat.clawgit_access TO clawgit_worker

-- one at a time --
SELECT pg_advisory_xact_lock(hashtextextended('clawgit fleet ' || %(what)s, 0))

-- apply --
INSERT INTO clawgit_fleet.migration (name) VALUES (%(name)s) ON CONFLICT DO NOTHING RETURNING name

-- add --
-- Generations begin at the clock: there may be receipts from before it was removed.
WITH added AS (
    INSERT INTO workspace (agent, remote, branch, key, accepted, signature)
    VALUES (%(agent)s, %(remote)s, %(branch)s, %(key)s, %(accepted)s, %(signature)s)
    ON CONFLICT (agent) DO UPDATE SET remote = excluded.remote, branch = excluded.branch,
        key = excluded.key, accepted = excluded.accepted, signature = excluded.signature
    RETURNING id, xmax = 0 AS is_new
), first AS (
    INSERT INTO generation SELECT id, 1000 * extract(epoch FROM clock_timestamp()) FROM added
    ON CONFLICT DO NOTHING
), look AS (
    INSERT INTO due (workspace, job, at) SELECT id, %(job)s, date_trunc('second', now()) FROM added
    ON CONFLICT DO NOTHING
)
SELECT is_new FROM added

-- known --
SELECT agent, remote, branch, key, accepted, signature FROM workspace
WHERE agent = %(agent)s OR remote = %(remote)s ORDER BY agent <> %(agent)s

-- remove workspace --
DELETE FROM workspace WHERE agent = %(agent)s RETURNING remote

-- ripe --
SELECT workspace, job, rule, zone, clock.now
FROM schedule, coalesce(%(now)s::timestamptz, now()) AS clock (now) WHERE next <= clock.now
ORDER BY next, place LIMIT 10000 FOR UPDATE OF schedule SKIP LOCKED

-- write due --
-- As with one runner, a job that missed several times runs once, for the last of them.
WITH ripe AS (
    SELECT * FROM unnest(%(workspaces)s::bigint[], %(jobs)s::text[], %(times)s::timestamptz[],
        %(coming)s::timestamptz[]) AS ripe (workspace, job, at, next)
), written AS (
    INSERT INTO due (workspace, job, at) SELECT workspace, job, at FROM ripe ON CONFLICT DO NOTHING
), missed AS (
    UPDATE due SET done = now(), outcome = 'missed' FROM ripe
    WHERE due.workspace = ripe.workspace AND due.job = ripe.job AND due.at < ripe.at
    AND done IS NULL AND NOT EXISTS (
        SELECT FROM procrastinate_jobs task WHERE task.id = due.task AND task.status = 'doing'
    )
)
UPDATE schedule SET next = ripe.next FROM ripe
WHERE schedule.workspace = ripe.workspace AND schedule.job = ripe.job

-- defer --
-- The queue is kept short: to take one of many tasks costs it as much as there are.
WITH lost AS (
    SELECT due.id, due.workspace, due.again FROM due
    WHERE done IS NULL AND NOT failed AND NOT EXISTS (
        SELECT FROM procrastinate_jobs task
        WHERE task.id = due.task AND task.status IN ('todo', 'doing')
    )
    ORDER BY due.id LIMIT (
        SELECT greatest(%(most)s - count(*), 0) FROM procrastinate_jobs
        WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())
    )
    FOR UPDATE OF due
), given AS MATERIALIZED (
    SELECT id, (procrastinate_defer_jobs_v1(ARRAY[ROW(
        %(queue)s, %(task)s, 0, 'workspace:' || workspace, NULL, jsonb_build_object('due', id), again
    )::procrastinate_job_to_defer_v1]))[1] AS task FROM lost
)
UPDATE due SET task = given.task FROM given WHERE due.id = given.id RETURNING due.id

-- stalled --
SELECT task.id FROM procrastinate_jobs task
LEFT JOIN procrastinate_workers worker ON worker.id = task.worker_id
WHERE task.status = 'doing' AND task.queue_name = %(queue)s AND (
    worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(stale)s)
) ORDER BY task.id

-- release --
SELECT procrastinate_finish_job_v1(%(task)s, 'failed', true)

-- prune --
DELETE FROM due WHERE done < now() - interval '30 days' AND EXISTS (
    SELECT FROM due newer WHERE newer.workspace = due.workspace AND newer.job = due.job
    AND newer.at > due.at
)

-- take --
WITH mine AS (
    SELECT id, workspace, job, at FROM due WHERE id = %(due)s AND done IS NULL FOR UPDATE
), newest AS (
    UPDATE generation SET gen = gen + 1 FROM mine WHERE generation.workspace = mine.workspace
    RETURNING gen
), started AS (
    UPDATE due SET gen = newest.gen, worker = %(worker)s, started = now()
    FROM mine, newest WHERE due.id = mine.id
)
SELECT gen, job, at, now(), agent, remote, branch, key, accepted, signature, workspace.id
FROM mine, newest, workspace WHERE workspace.id = mine.workspace

-- generation --
SELECT gen FROM generation WHERE workspace = %(workspace)s

-- finish --
-- The row of the generation is locked: no newer one is taken until this has ended.
WITH fence AS (
    SELECT workspace FROM generation WHERE workspace = %(workspace)s AND gen = %(gen)s FOR UPDATE
)
UPDATE due SET done = now(), outcome = 'done', summary = %(summary)s, trouble = ''
FROM fence WHERE due.id = %(due)s AND due.gen = %(gen)s AND due.workspace = fence.workspace
AND done IS NULL RETURNING due.id

-- refuse --
UPDATE due SET refused = refused + 1 WHERE id = %(due)s

-- fail --
UPDATE due SET tries = tries + %(counts)s, trouble = %(trouble)s,
    again = now() + make_interval(secs =>
        %(counts)s * (%(pauses)s::float[])[least(tries + 1, %(most)s)]),
    failed = tries + %(counts)s > %(most)s
WHERE id = %(due)s AND task = %(task)s AND done IS NULL

-- write receipt --
INSERT INTO receipt (agent, series, gen, fence, run)
VALUES (%(agent)s, %(series)s, %(gen)s, %(fence)s, %(run)s) ON CONFLICT DO NOTHING

-- count receipts --
WITH newest AS (
    UPDATE receipt SET counts = true WHERE agent = %(agent)s AND fence = %(fence)s RETURNING *
)
DELETE FROM receipt USING newest WHERE receipt.agent = newest.agent
AND receipt.series = newest.series AND receipt.gen < newest.gen

-- receipts --
SELECT DISTINCT ON (series) series, run FROM receipt WHERE agent = %(agent)s AND counts
ORDER BY series, gen DESC

-- drop schedule --
DELETE FROM schedule WHERE workspace = %(workspace)s AND job <> ALL(%(jobs)s)

-- write schedule --
-- What has not changed keeps its next time.
INSERT INTO schedule (workspace, job, place, rule, zone, next)
VALUES (%(workspace)s, %(job)s, %(place)s, %(rule)s, %(zone)s, %(next)s)
ON CONFLICT (workspace, job) DO UPDATE SET place = excluded.place, rule = excluded.rule,
    zone = excluded.zone, next = excluded.next
WHERE (schedule.place, schedule.rule, schedule.zone)
    <> (excluded.place, excluded.rule, excluded.zone)

-- retry --
WITH again AS (
    UPDATE due SET tries = 0, failed = false, again = NULL
    FROM workspace WHERE workspace.id = due.workspace AND done IS NULL AND (failed OR tries > 0)
    AND %(agent)s IN ('', agent) RETURNING agent, job, at, task
), now AS (
    UPDATE procrastinate_jobs SET scheduled_at = NULL FROM again WHERE id = task AND status = 'todo'
)
SELECT agent, job, at FROM again

-- workers --
SELECT worker.id, last_heartbeat > now() - make_interval(secs => %(stale)s), count(task.id),
    last_heartbeat
FROM procrastinate_workers worker
LEFT JOIN procrastinate_jobs task ON task.worker_id = worker.id AND task.status = 'doing'
GROUP BY worker.id ORDER BY worker.id

-- workspaces --
SELECT agent, remote,
    coalesce(string_agg(due.job, ', ') FILTER (WHERE task.status = 'doing'), ''),
    count(*) FILTER (WHERE due.id IS NOT NULL AND due.done IS NULL AND NOT due.failed),
    count(*) FILTER (WHERE due.done IS NULL AND due.at < now() - interval '15 minutes'),
    count(*) FILTER (WHERE due.failed AND due.done IS NULL),
    count(*) FILTER (WHERE due.outcome = 'done'),
    count(*) FILTER (WHERE due.outcome = 'missed'),
    coalesce(sum(due.refused), 0)::bigint,
    max(due.done) FILTER (WHERE due.outcome = 'done'),
    coalesce(max(due.trouble) FILTER (WHERE due.done IS NULL), '')
FROM workspace LEFT JOIN due ON due.workspace = workspace.id
LEFT JOIN procrastinate_jobs task ON task.id = due.task
WHERE %(agent)s IN ('', agent) GROUP BY workspace.id ORDER BY agent
