// Unit tests: parts that need no browser. Patient: the machine may be busy with other things.
import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["tests/**/*.test.ts"], testTimeout: 300000, hookTimeout: 300000 } });
