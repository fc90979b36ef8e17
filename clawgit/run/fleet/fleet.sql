-- All SQL of the fleet. `-- NAME --` begins a query; those named `migration …` are applied once, in
-- this order, by `clawgit fleet init`. The schemas are clawgit_fleet (ours), clawgit_queue
-- (procrastinate's) and clawgit_chat (the messages); connections look into the first two.

-- migrations known --
CREATE SCHEMA IF NOT EXISTS clawgit_fleet;
CREATE TABLE IF NOT EXISTS clawgit_fleet.migration (
    name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now()
)

-- migration 1 role --
-- Another fleet of this server may have made the role, or somebody who may: roles are of all
-- databases.
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
-- The newest run of each series that counts: what it left for the next one, wherever that runs.
CREATE TABLE clawgit_fleet.receipt (
    workspace bigint NOT NULL REFERENCES clawgit_fleet.workspace ON DELETE CASCADE,
    series text NOT NULL, gen bigint NOT NULL, run jsonb NOT NULL, PRIMARY KEY (workspace, series)
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
-- (RETURN, not a text: what it calls is found now, not in the search_path of who asks.)
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
ALTER TABLE clawgit_chat.clawgit_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE clawgit_chat.clawgit_message FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON clawgit_chat.clawgit_message
    USING (workspace = clawgit_chat.whose()) WITH CHECK (workspace = clawgit_chat.whose());
GRANT SELECT, INSERT, UPDATE, DELETE ON clawgit_chat.clawgit_message TO clawgit_worker

-- one at a time --
SELECT pg_advisory_xact_lock(%(number)s)

-- applied --
SELECT name FROM clawgit_fleet.migration

-- apply --
INSERT INTO clawgit_fleet.migration (name) VALUES (%(name)s)

-- add workspace --
INSERT INTO workspace (agent, remote, branch, key, accepted, signature)
VALUES (%(agent)s, %(remote)s, %(branch)s, %(key)s, %(accepted)s, %(signature)s)
ON CONFLICT (agent) DO UPDATE SET remote = excluded.remote, branch = excluded.branch,
    key = excluded.key, accepted = excluded.accepted, signature = excluded.signature
RETURNING id, xmax = 0

-- add generation --
-- It begins at the clock: the fence of its remote may have numbers from before it was removed, or
-- from a database that was lost, and what they left still counts.
INSERT INTO generation (workspace, gen) VALUES (%(workspace)s, 1000 * extract(epoch FROM clock_timestamp()))
ON CONFLICT DO NOTHING

-- add look --
INSERT INTO due (workspace, job, at) VALUES (%(workspace)s, %(job)s, date_trunc('second', now()))
ON CONFLICT DO NOTHING

-- agent of --
SELECT agent FROM workspace WHERE remote = %(remote)s

-- signed --
SELECT key, accepted, signature FROM workspace
WHERE agent = %(agent)s AND remote = %(remote)s AND branch = %(branch)s AND accepted <> ''

-- known --
SELECT FROM workspace WHERE agent = %(agent)s

-- remove workspace --
DELETE FROM workspace WHERE agent = %(agent)s RETURNING remote

-- now --
SELECT now()

-- ripe --
-- A second tick at the same time takes the rows that this one has left.
SELECT workspace, job, rule, zone FROM schedule WHERE next <= %(now)s
ORDER BY next, place LIMIT %(most)s FOR UPDATE SKIP LOCKED

-- write due --
INSERT INTO due (workspace, job, at)
SELECT * FROM unnest(%(workspaces)s::bigint[], %(jobs)s::text[], %(times)s::timestamptz[])
ON CONFLICT DO NOTHING

-- miss older --
-- As with one runner, a job that missed several times runs once, for the last of them.
UPDATE due SET done = now(), outcome = 'missed'
FROM unnest(%(workspaces)s::bigint[], %(jobs)s::text[], %(times)s::timestamptz[])
    AS newest (workspace, job, at)
WHERE due.workspace = newest.workspace AND due.job = newest.job AND due.at < newest.at
AND done IS NULL AND NOT EXISTS (
    SELECT FROM procrastinate_jobs task WHERE task.id = due.task AND task.status = 'doing'
)

-- move on --
UPDATE schedule SET next = coming.at
FROM unnest(%(workspaces)s::bigint[], %(jobs)s::text[], %(times)s::timestamptz[])
    AS coming (workspace, job, at)
WHERE schedule.workspace = coming.workspace AND schedule.job = coming.job

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
UPDATE due SET task = given.task FROM given WHERE due.id = given.id

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

-- begin --
SELECT due.job, due.at, now(), workspace.id, workspace.agent, workspace.remote, workspace.branch,
    workspace.key, workspace.accepted, workspace.signature
FROM due JOIN workspace ON workspace.id = due.workspace
WHERE due.id = %(due)s AND due.done IS NULL FOR UPDATE OF due

-- take generation --
UPDATE generation SET gen = gen + 1 WHERE workspace = %(workspace)s RETURNING gen

-- start --
UPDATE due SET gen = %(gen)s, worker = %(worker)s, started = now() WHERE id = %(due)s

-- generation --
SELECT gen FROM generation WHERE workspace = %(workspace)s

-- finish --
-- The row of the generation is locked: no newer one is taken until this has ended.
WITH fence AS (
    SELECT workspace FROM generation
    WHERE workspace = %(workspace)s AND gen = %(gen)s FOR UPDATE
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

-- receipts --
SELECT series, run FROM receipt WHERE workspace = %(workspace)s

-- write receipt --
INSERT INTO receipt (workspace, series, gen, run)
VALUES (%(workspace)s, %(series)s, %(gen)s, %(run)s)
ON CONFLICT (workspace, series) DO UPDATE SET gen = excluded.gen, run = excluded.run

-- schedule of --
SELECT job, place, rule, zone FROM schedule WHERE workspace = %(workspace)s

-- drop schedule --
DELETE FROM schedule WHERE workspace = %(workspace)s AND job <> ALL(%(jobs)s)

-- write schedule --
INSERT INTO schedule (workspace, job, place, rule, zone, next)
VALUES (%(workspace)s, %(job)s, %(place)s, %(rule)s, %(zone)s, %(next)s)
ON CONFLICT (workspace, job) DO UPDATE SET place = excluded.place, rule = excluded.rule,
    zone = excluded.zone, next = excluded.next

-- retry --
UPDATE due SET tries = 0, failed = false, again = NULL
FROM workspace WHERE workspace.id = due.workspace AND done IS NULL AND (failed OR tries > 0)
AND %(agent)s IN ('', agent) RETURNING agent, job, at, task

-- retry now --
UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE id = ANY(%(tasks)s) AND status = 'todo'

-- workers --
SELECT worker.id, worker.last_heartbeat, count(task.id),
    worker.last_heartbeat > now() - make_interval(secs => %(stale)s)
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
GROUP BY workspace.id ORDER BY agent
