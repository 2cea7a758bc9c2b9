/** The few things that the docs test must know of a Markdown text. */

export interface Fence {
  /** The words behind the three backticks. */
  readonly info: string;
  readonly text: string;
}

/** Fenced blocks, in order. */
export function readFences(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gmsu)].map(([, info = "", text = ""]) => ({
    info,
    text,
  }));
}

/** The text without fenced blocks. */
const withoutFences = (markdown: string): string =>
  markdown.replace(/^```[^\n]*\n.*?^```$/gmsu, "");

/** What stands in single backticks. */
export const readSpans = (markdown: string): string[] =>
  [...withoutFences(markdown).matchAll(/`([^`\n]+)`/gu)].map(([, text = ""]) => text);

/** Targets of links and pictures. */
export const readLinks = (markdown: string): string[] =>
  [...withoutFences(markdown).matchAll(/\]\(([^()\s]+)\)/gu)].map(([, target = ""]) => target);

/** The anchors that GitHub makes of headings. */
export function readAnchors(markdown: string): Set<string> {
  const headings = [...withoutFences(markdown).matchAll(/^#+ (.+)$/gmu)];
  return new Set(
    headings.map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}
