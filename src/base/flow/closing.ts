interface Closable {
  close(): void | Promise<void>;
}

/** Hands on what was opened, and closes it whatever comes of that. */
export async function closing<Opened extends Closable | undefined, Result>(
  opened: Opened,
  use: (opened: Opened) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened);
  } finally {
    await opened?.close();
  }
}
