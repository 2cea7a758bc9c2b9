import { describe, expect, it } from "vitest";

import { LogoFiles } from "../../src/kinds/codes/logo-files.ts";
import { readLogo } from "../../src/kinds/redesign/fields.ts";

describe.runIf(process.platform === "linux")("a device as a logo", () => {
  it("is refused before it is read", async () => {
    const says = "must be a file that can be read, got /dev/null";
    expect(new LogoFiles("/").of("/dev/null")).toEqual({ problem: says });
    await expect(readLogo("/dev/null")).rejects.toThrow(says);
  });
});
