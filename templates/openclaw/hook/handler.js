// Reports OpenClaw's events to clawgit, and never waits: each call is a detached process.
// clawgit.json beside this file says which workspace belongs to which agent; `clawgit connect openclaw` writes it.

import { spawn } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const LONGEST = 1024 * 1024;
const CALLS = {
  "message:received": heartbeat,
  "command:new": sessionNew,
  "command:reset": sessionNew,
  "session:auto-reset": sessionNew,
  "session:compact:before": beforeCompaction,
};

let complained = false;

export default function handler(event) {
  try {
    const calls = CALLS[`${event?.type}:${event?.action}`];
    const set = calls ? settings() : null;
    const workspace = set ? workspaceOf(event, set.workspaces ?? {}) : null;
    const command = workspace ? found(set.command ?? []) : null;
    if (!command) {
      return;
    }
    for (const call of calls(event, event.context ?? {})) {
      start([...command, "-C", workspace, ...call.args], call.stdin, workspace);
    }
  } catch (error) {
    complain(error);
  }
}

function heartbeat(event, context) {
  const text = typeof context.content === "string" ? context.content : "";
  if (!text.trim()) {
    return [];
  }
  const when = moment(context.timestamp) ?? moment(event.timestamp);
  const args = ["heartbeat", ...option("session", event.sessionKey), "--role=user"];
  return [{ args: [...args, ...option("id", context.messageId), ...option("time", when), "-"], stdin: text }];
}

function sessionNew(event, context) {
  const ended = context.previousSessionEntry?.sessionId ?? context.sessionEntry?.sessionId;
  const source = String(context.commandSource ?? "").includes(":") ? undefined : context.commandSource;
  return [{ args: ["session", "new", ...option("session", ended ?? event.sessionKey), ...option("source", source)] }];
}

function beforeCompaction(event, context) {
  const session = context.missingSessionKey ? context.sessionId : (event.sessionKey ?? context.sessionId);
  const tokens = Number.isInteger(context.tokenCount) ? context.tokenCount : undefined;
  return [
    { args: ["session", "flush-check", ...option("session", session), ...option("tokens", tokens)] },
    { args: ["snapshot"] },
  ];
}

function option(name, value) {
  // One argument, so that a value with a leading dash is never taken for an option.
  return value === undefined || value === null || value === "" ? [] : [`--${name}=${value}`];
}

function moment(value) {
  const when = value instanceof Date || typeof value === "number" || typeof value === "string" ? new Date(value) : null;
  return when && !Number.isNaN(when.getTime()) ? when.toISOString() : undefined;
}

function settings() {
  return JSON.parse(readFileSync(new URL("./clawgit.json", import.meta.url), "utf8"));
}

function workspaceOf(event, workspaces) {
  const told = event.context?.agentId ?? /^agent:([^:]+):/.exec(event.sessionKey ?? "")?.[1];
  if (typeof told === "string") {
    return Object.hasOwn(workspaces, told) ? workspaces[told] : null;
  }
  // If the session names no agent, it must be the only agent's; with several, it is unknown whose it is.
  const all = Object.values(workspaces);
  return all.length === 1 ? all[0] : null;
}

function found(command) {
  const [program, ...rest] = command;
  if (program && isProgram(program)) {
    return command;
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter), join(homedir(), ".local", "bin")];
  const place = [...folders, "/opt/homebrew/bin", "/usr/local/bin"]
    .filter(Boolean)
    .map((folder) => join(folder, "clawgit"))
    .find(isProgram);
  if (!place) {
    complain(new Error(`clawgit is neither at ${program} nor on PATH; run: clawgit connect openclaw`));
    return null;
  }
  return program?.endsWith("clawgit") ? [place, ...rest] : [place];
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function start([program, ...args], stdin, workspace) {
  const told = typeof stdin === "string";
  const child = spawn(program, args, {
    cwd: workspace,
    detached: true,
    stdio: [told ? "pipe" : "ignore", "ignore", "ignore"],
    windowsHide: true,
  });
  child.on("error", complain);
  if (told) {
    child.stdin.on("error", complain);
    child.stdin.end(stdin.slice(0, LONGEST));
  }
  child.unref();
}

function complain(error) {
  if (!complained) {
    complained = true;
    console.warn(`[clawgit] ${error?.message ?? error}`);
  }
}
