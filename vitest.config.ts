import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The two that wait most come first, so that the others run beside them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/bench/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: [
      "contract/**/*.test.ts",
      "server/**/*.test.ts",
      "web/**/*.test.ts",
      "emulators/**/*.test.ts",
      "scripts/**/*.test.ts",
      "bench/**/*.test.ts",
      "*.test.ts",
    ],
    sequence: { sequencer: LongestFirst },
    globalSetup: ["server/testing/global-setup.ts"],
    setupFiles: ["server/testing/seed.ts", "server/testing/cheap-passwords.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a process or a database is to do takes long on a busy machine; patience costs nothing where all is well.
    expect: { poll: { timeout: 15_000 } },
    // Processes, because some tests change their working folder or send themselves signals.
    pool: "forks",
    // One more than the two cores that the suite is meant for: a test often waits.
    maxWorkers: 3,
    // Loading the server's modules again for every file takes a third of the time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
