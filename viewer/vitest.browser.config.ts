// Tests in a real Chromium, one after the other: SINEW names the program, SINEW_BROWSER the browser if it is not /usr/bin/chromium.
import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["browser/**/*.test.ts"], testTimeout: 900000, hookTimeout: 400000, fileParallelism: false } });
