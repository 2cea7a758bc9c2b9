/**
 * JavaScript for a child process: its own peak in megabytes. On Linux `maxRSS` of a child begins at the memory of the
 * process that started it, and a test worker has hundreds of megabytes.
 */
export const readPeakMb = `
const readPeakMb = async () => {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  const { readFile } = await import("node:fs/promises");
  return Number(/^VmHWM:\\s*(\\d+)/mu.exec(await readFile("/proc/self/status", "utf8"))[1]) / 1024;
};
`;
