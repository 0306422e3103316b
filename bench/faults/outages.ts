import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { SMTP_CONNECTIONS } from "./accounts.ts";
import { Skipped, type Fault } from "./fault.ts";
import { openNetwork } from "./network.ts";
import { openProxy, type Line } from "./proxy.ts";
import type { World } from "./world.ts";

const people = { small: 300, large: 10_000 };

/** What can happen to the database and to the network. */
export const outages: readonly Fault[] = [
  { name: "the database killed and restarted", provider: "smtp", people, run: databaseKilled },
  { name: "the database's connections cut", provider: "smtp", people, run: connectionsCut },
  { name: "the database's host frozen", provider: "smtp", people, run: hostFrozen },
  {
    name: "the database's host gone without a word",
    provider: "smtp",
    people,
    run: lineTo("database", "dead"),
  },
  { name: "the database's answers lost", provider: "smtp", people, run: lineTo("database", "no answers") },
  { name: "one process cut off from the database", provider: "smtp", people, run: oneCutOff },
  {
    name: "a slow line to the database",
    provider: "smtp",
    people: { small: 100, large: 1000 },
    run: slowTo("database"),
  },
  {
    name: "a slow line to the provider",
    provider: "smtp",
    people: { small: 100, large: 1000 },
    run: slowTo("provider"),
  },
  { name: "a line to the provider that dies", provider: "smtp", people, run: lineTo("provider", "dead") },
  {
    name: "the provider's answers lost on the line",
    provider: "smtp",
    people,
    run: lineTo("provider", "no answers"),
  },
  {
    name: "a machine on a slow network",
    provider: "smtp",
    people: { small: 100, large: 1000 },
    run: inNetwork("slow"),
  },
  { name: "a machine whose network dies and comes back", provider: "smtp", people, run: inNetwork("dead") },
  {
    name: "the database's disk full",
    provider: "smtp",
    people: { small: 300, large: 3000 },
    disk: "data",
    run: diskFull,
  },
  {
    name: "its WAL's disk full",
    provider: "smtp",
    people: { small: 300, large: 3000 },
    disk: "wal",
    run: diskFull,
  },
];

const times = ({ large }: World) => (large ? 5 : 1);

/** Starts two processes and a run, and lets it happen while messages go out. Says after how many. */
async function during(world: World, count: number, happens: () => Promise<unknown>): Promise<string> {
  await Promise.all([world.start(), world.start()]);
  await world.connected();
  const { arrived, faults } = world.provider;
  if (!world.large) faults.delayMs = 100;
  const after: number[] = [];
  for (let left = times(world); left > 0; left -= 1) {
    const before = arrived.length;
    await world.send(after.length === 0 ? count : 0);
    await world.arrivals(20);
    after.push(arrived.length - before);
    await happens();
    if (left > 1) await world.finished();
  }
  return `After ${after.join(", ")} of ${count}.`;
}

async function databaseKilled(world: World, count: number): Promise<string> {
  const note = await during(world, count, async () => {
    // As after a power failure: what was committed is on disk, and nothing else.
    const [first = 0] = pidsOf(world);
    process.kill(first, "SIGKILL");
    await sleep(500);
  });
  await world.finished();
  return note;
}

async function connectionsCut(world: World, count: number): Promise<string> {
  let cut = 0;
  const note = await during(world, count, async () => {
    for (let left = 10; left > 0; left -= 1) {
      const { rows } = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(world.db);
      cut += rows.length;
      await sleep(200);
    }
  });
  await world.finished();
  return `${note} ${cut} connections cut.`;
}

async function hostFrozen(world: World, count: number): Promise<string> {
  const note = await during(world, count, async () => {
    const pids = pidsOf(world);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    await sleep(6000);
    for (const pid of pids) process.kill(pid, "SIGCONT");
  });
  await world.finished();
  return note;
}

function pidsOf({ server }: World): number[] {
  if (!server.pids) throw new Skipped("The database server is not ours.");
  if (process.platform !== "linux") throw new Skipped("It needs /proc.");
  return server.pids();
}

async function openLine(world: World, to: "database" | "provider") {
  if (to === "database") {
    const proxy = await openProxy(world.server.target);
    world.databaseUrl = world.server.urlAt("127.0.0.1", proxy.port);
    return proxy;
  }
  const proxy = await openProxy({ host: "127.0.0.1", port: world.port });
  world.port = proxy.port;
  return proxy;
}

/**
 * The line dies for longer than a lease. There is a new one only after every silent connection has been given up, so
 * nothing but silence can have told.
 */
function lineTo(what: "database" | "provider", line: Line): Fault["run"] {
  return async (world, count) => {
    const proxy = await openLine(world, what);
    if (what === "provider") world.provider.isCut = () => proxy.line !== "open";
    const note = await during(world, count, async () => {
      proxy.line = line;
      await sleep(3000);
      // Those that were tried since, too.
      const silent = new Set(proxy.connections());
      await sleep(3000);
      // A process that LISTENs expects no answer. Keepalives watch that connection, and this machine answers them.
      const listening = what === "database" ? world.processesAlive : 0;
      await world.until(() => silent.intersection(proxy.connections()).size <= listening);
      proxy.repair();
    });
    await world.finished();
    await world.stopAll();
    await proxy.close();
    return note;
  };
}

/** One process no longer reaches the database, which hears nothing of it: neither an end nor a byte. */
async function oneCutOff(world: World, count: number): Promise<string> {
  const direct = world.databaseUrl;
  const proxy = await openLine(world, "database");
  await world.start();
  world.databaseUrl = direct;
  await world.start();
  await world.connected();
  await world.send(count);
  for (let left = times(world); left > 0; left -= 1) {
    await world.arrivals(20);
    proxy.line = "dead";
    // What it had sent by then, it can no longer record: as if it had died.
    world.exposed += Math.min(SMTP_CONNECTIONS, world.provider.connections().size);
    await world.finished();
    proxy.repair();
    if (left > 1) await world.send();
  }
  await world.finished();
  await world.stopAll();
  await proxy.close();
  return "";
}

/** Everything takes a tenth of a second in each direction. */
function slowTo(what: "database" | "provider"): Fault["run"] {
  return async (world, count) => {
    const proxy = await openLine(world, what);
    proxy.line = "slow";
    await world.start();
    await world.connected();
    await world.send(count);
    await world.finished();
    await world.stopAll();
    await proxy.close();
    return "";
  };
}

/** One process is on a network of its own. Dead: for longer than a lease, and its connections go on afterwards. */
function inNetwork(line: Line): Fault["run"] {
  return async (world, count) => {
    const network = openNetwork();
    if (!network) throw new Skipped("This machine allows no networks.");
    const { server, port } = world;
    const ways = [
      await network.reach(server.target),
      await network.reach({ host: "127.0.0.1", port }),
    ] as const;
    try {
      const databaseUrl = server.urlAt(network.address, ways[0].port);
      await world.start({ network, databaseUrl, host: network.address, port: ways[1].port });
      await world.connected();
      await world.send(count);
      for (let left = times(world); left > 0; left -= 1) {
        await world.arrivals(20);
        network.set(line);
        // What it had on the wire when its network died is in doubt, and it begins nothing more.
        if (line === "dead") world.exposed += Math.min(SMTP_CONNECTIONS, world.provider.connections().size);
        await sleep(6000);
        if (left === times(world)) await world.start();
        await sleep(2000);
        network.set("open");
        await world.finished();
        if (left > 1) await world.send();
      }
      await world.stopAll();
      return "";
    } finally {
      for (const way of ways) await way.close();
      network.close();
    }
  };
}

async function diskFull(world: World, count: number): Promise<string> {
  const { disk } = world.server;
  if (!disk) throw new Skipped("It needs a disk of its own.");
  const note = await during(world, count, async () => {
    await disk.fill();
    // WAL goes on in files that are there until they are full.
    await sql`SELECT pg_switch_wal()`.execute(world.db).catch(() => undefined);
    await sleep(5000);
    disk.free();
  });
  await world.finished();
  return note;
}
