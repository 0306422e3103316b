export type Verdict = { text: string; failed: boolean };

type Severity = "info" | "low" | "moderate" | "high" | "critical";
type Report = {
  vulnerabilities?: Record<string, { severity: Severity; range?: string }>;
  metadata?: { vulnerabilities?: object };
};

const serious: readonly Severity[] = ["high", "critical"];

/** What `npm audit --json` says, in words. Only a report counts: a proxy may answer anything. */
export function afterAnswer(answer: string): Verdict {
  const { vulnerabilities, metadata } = reportIn(answer);
  if (vulnerabilities === undefined || metadata?.vulnerabilities === undefined) {
    return { text: "No registry answered, so vulnerabilities were not looked up.", failed: false };
  }
  const found = Object.entries(vulnerabilities).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (found.length === 0) return { text: "No known vulnerabilities.", failed: false };
  const lines = found.map(([name, { severity, range = "" }]) => `${severity}: ${name} ${range}`.trim());
  return { text: lines.join("\n"), failed: found.some(([, { severity }]) => serious.includes(severity)) };
}

function reportIn(answer: string): Report {
  try {
    return (JSON.parse(answer) as Report | null) ?? {};
  } catch {
    return {};
  }
}
