import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { parseConfig, settings } from "#server/config.ts";
import { READY_MS } from "#server/http/health.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const kubernetes = globSync("deploy/kubernetes/*.yaml", { cwd: import.meta.dirname });
const deployments = ["web", "worker", "scheduler"].map((role) => read(`deploy/kubernetes/${role}.yaml`));

test.each(["compose.yaml", "Dockerfile", ...kubernetes])("%s names only settings that exist", (path) => {
  const named = read(path).match(/\b(?:[A-Z]+_)+[A-Z]+\b/g) ?? [];
  const others = ["POSTGRES_USER", "POSTGRES_PASSWORD"];
  expect(named.filter((name) => !(name in settings) && !others.includes(name))).toEqual([]);
});

test.each(["compose.yaml", "deploy/kubernetes/settings.yaml"])("%s sets them to what they may be", (path) => {
  const lines = [...read(path).matchAll(/^ +([A-Z_]+): (.*)$/gm)];
  const values = lines.map(([, name = "", value = ""]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$|^"(.*)"$/, "$1$2"),
  ]);
  expect(lines.length).toBeGreaterThan(3);
  expect(() => parseConfig(Object.fromEntries(values))).not.toThrow();
});

test("Kubernetes gives a stop the time that it may take", () => {
  const seconds = (text: string, name: string) =>
    Number(new RegExp(`\\b${name}: "?(\\d+)`).exec(text)?.[1] ?? 0);
  const shutdown = seconds(read("deploy/kubernetes/settings.yaml"), "SHUTDOWN_SECONDS");
  const allowed = deployments.map(
    (text) => seconds(text, "terminationGracePeriodSeconds") - seconds(text, "seconds"),
  );
  expect(Math.min(...allowed)).toBeGreaterThan(shutdown);
});

test("Kubernetes probes the port that answers while a process migrates, and waits longer than an answer takes", () => {
  const common = read("deploy/kubernetes/settings.yaml");
  const [, port] = /^ {2}METRICS_PORT: "(\d+)"$/m.exec(common) ?? [];
  // Prometheus is in another pod.
  expect(common).toContain("--from-literal=METRICS_TOKEN=");
  for (const text of deployments) {
    expect(text).toMatch(/configMapRef: \{ name: porchlight \}\s+- secretRef: \{ name: porchlight \}/);
    expect(text).toContain(`{ name: metrics, containerPort: ${port} }`);
    const probes = [...text.matchAll(/httpGet: \{ path: (\S+), port: (\w+) \}/g)].map(([, ...of]) =>
      of.join(" "),
    );
    expect(probes).toEqual(["/healthz metrics", "/healthz metrics", "/readyz metrics"]);
    const waits = [...text.matchAll(/timeoutSeconds: (\d+)/g)].map(([, seconds]) => Number(seconds) * 1000);
    expect(waits).toHaveLength(2);
    expect(Math.min(...waits)).toBeGreaterThan(READY_MS);
  }
});

test("the ingress takes the largest request, and leads to the service at the address of the settings", () => {
  const ingress = read("deploy/kubernetes/ingress.yaml");
  const [, megabytes] = /proxy-body-size: (\d+)m$/m.exec(ingress) ?? [];
  const limits = endpoints.map(({ upload, bodyLimit = 0 }) => upload?.limit ?? bodyLimit);
  expect(Number(megabytes) * MEGABYTE).toBe(Math.max(...limits));
  const [, host = ""] =
    /PORCHLIGHT_URL: https:\/\/(\S+)$/m.exec(read("deploy/kubernetes/settings.yaml")) ?? [];
  expect(ingress).toContain(`hosts: [${host}]`);
  expect(ingress).toContain(`- host: ${host}\n`);
  expect(read("deploy/kubernetes/web.yaml")).toMatch(
    /kind: Service\nmetadata:\n {2}name: porchlight\n[^]*- \{ name: http, port: 80/,
  );
});

test("Compose builds the image once, because services that build the same one at a time disturb each other", () => {
  expect(read("compose.yaml").match(/^ +build:/gm)).toHaveLength(1);
});

test("the image finds a process of any role healthy once it is ready, and waits longer than that answer takes", async () => {
  const image = read("Dockerfile");
  const [, timeout = "", command = ""] =
    /^HEALTHCHECK .*--timeout=(\d+)s .*\\\n {2}CMD (.*)$/m.exec(image) ?? [];
  const [, ...script] = JSON.parse(command) as string[];
  const asked: (string | undefined)[] = [];
  let status = 503;
  const server = createServer(({ url }, reply) => {
    asked.push(url);
    reply.writeHead(status).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const exitCode = async () => {
    const env = { METRICS_PORT: String(port) };
    const [code] = await once(execFile(process.execPath, script, { env }), "exit");
    return code as number;
  };
  const waiting = await exitCode();
  status = 200;
  const ready = await exitCode();
  await once(server.close(), "close");
  const gone = await exitCode();
  expect({ waiting, ready, gone }).toEqual({ waiting: 1, ready: 0, gone: 1 });
  expect(asked).toEqual(["/readyz", "/readyz"]);
  expect(Number(timeout) * 1000).toBeGreaterThan(READY_MS);
  expect(image).toMatch(/^ENV [^]*?\bMETRICS_PORT=\d+ \\$/m);
  expect(read("compose.yaml")).not.toContain("disable");
});

test("what the image copies is not ignored", () => {
  const copied = read("Dockerfile")
    .split("\n")
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => line.split(" ").slice(1, -1));
  const kept = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !kept.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual(
    [],
  );
});

type Lock = { packages: Record<string, { dependencies?: Record<string, string> }> };

test("what the image leaves out, nothing on the server needs", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as Lock;
  const sources = globSync("{server,contract}/**/*.ts", { cwd: import.meta.dirname }).filter(
    // The image has the pages built.
    (path) => !/\.test\.ts$|\/testing\/|web-build\.ts$/.test(path),
  );
  const code = sources.map(read).join("\n");
  const direct = Object.keys(packages[""]?.dependencies ?? {}).filter((name) => code.includes(`"${name}`));
  const needed = new Set(direct);
  for (const name of needed) {
    for (const next of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) needed.add(next);
  }
  const [, list = ""] = /rm -rf node-\*\/include ([^&]*?)\n\n/.exec(read("Dockerfile")) ?? [];
  const left = list.split(/[\s\\]+/).filter(Boolean);
  expect(left.length).toBeGreaterThan(10);
  const fits = (name: string, pattern: string) =>
    pattern.endsWith("*")
      ? name.startsWith(pattern.slice(0, -1))
      : name === pattern || name.startsWith(`${pattern}/`);
  expect([...needed].filter((name) => left.some((pattern) => fits(name, pattern)))).toEqual([]);
});
