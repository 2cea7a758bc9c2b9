import type { RunEnvironment } from "./context.ts";

type FolderContext = Pick<RunEnvironment, "state" | "client" | "signal">;

/** Every folder path that rows name, with all above them, parents first. */
export function toFolderPaths(folders: Iterable<string | null>): string[] {
  const paths = new Set<string>();
  for (const folder of folders) {
    if (folder === null || paths.has(folder)) continue;
    const names = folder.split("/");
    for (let depth = 1; depth <= names.length; depth += 1) {
      paths.add(names.slice(0, depth).join("/"));
    }
  }
  return [...paths].toSorted((a, b) => a.split("/").length - b.split("/").length);
}

/**
 * Makes the folders that rows need and remembers their ids. Creating a folder that exists answers
 * the existing one (docs/spec/api.md section 4.3), so this may be repeated at will.
 */
export async function ensureFolders(
  context: FolderContext,
  folders: Iterable<string | null>,
): Promise<void> {
  for (const path of toFolderPaths(folders)) {
    if (context.state.folderId(path) !== undefined) continue;
    if (context.signal.aborted) return;
    await askFolder(context, path);
  }
}

/** Asks for a folder and all above it again: somebody may have deleted one since. */
export async function renewFolder(context: FolderContext, folder: string | null): Promise<void> {
  for (const path of toFolderPaths([folder])) await askFolder(context, path);
}

async function askFolder({ state, client }: FolderContext, path: string): Promise<void> {
  const cut = path.lastIndexOf("/");
  const parent = cut < 0 ? undefined : state.folderId(path.slice(0, cut));
  const folder = await client.createFolder({
    name: path.slice(cut + 1),
    ...(parent !== undefined && { parent }),
  });
  state.rememberFolder(path, folder.id);
}
