/** A sheet defined only by page and label: step and repeat. Lengths in mm, null = the default. */
export interface OwnSheet {
  /** Name of a size, or width and height. Default A4. */
  readonly page: string | readonly [width: number, height: number] | null;
  /** Width of a roll; a page is then one repeat of it. */
  readonly roll: number | null;
  readonly label: readonly [width: number, height: number];
  readonly gutter: readonly [across: number, down: number];
  /**
   * Least space to the page's edge; on a roll only across. Null: 5, or none if that leaves no room.
   */
  readonly margin: number | null;
  readonly columns: number | null;
  readonly rows: number | null;
  readonly radius: number;
  /** Default `rectangle`, its corners rounded by `radius`. */
  readonly shape?: "rectangle" | "round" | "oval" | undefined;
  readonly stock: "plain" | "labels" | null;
}
