/** A volume as data, so that another thread or computer draws it: the bytes are the same. */
import { toFontPlace } from "../../base/shapes/font-place.ts";
import { loadAssets } from "../art/assets.ts";
import { openDesignRoom } from "../art/designed-code.ts";
import { loadLabelFonts } from "../fonts/label-fonts.ts";
import { loadOutputIntent } from "../pdf/icc-profile.ts";
import { makeSheetJob, type SheetJob, type SheetOptions } from "../sheet-job.ts";
import { type DrawnVolume, drawVolume, type VolumeInput } from "../volume.ts";
import type { CaptionSetting } from "./caption-sizes.ts";

/** All that a volume is made from, except the content of files that its options name. */
export interface VolumeTask extends Pick<
  VolumeInput,
  "records" | "volume" | "labelsBefore" | "sheetsBefore" | "sheetCount"
> {
  readonly options: SheetOptions;
  readonly captions: CaptionSetting;
}

/** Draws volumes elsewhere, several at once. */
export interface Drawer {
  /** Volumes to have under way at once. */
  readonly volumesAtOnce: number;
  /**
   * Begins the volume that becomes `file`. A waiting volume keeps no records in memory: `read`,
   * called once, waits until it is drawn. Throws what drawing it here would.
   */
  draw(task: VolumeTask, file: string): Promise<{ readonly read: () => Promise<DrawnVolume> }>;
}

/** Draws volumes on this computer. */
export interface Painter {
  draw(task: VolumeTask): Promise<DrawnVolume>;
}

/** The means to draw all volumes of a job. */
export const openRoom = async (job: SheetJob) => ({
  fonts: await loadLabelFonts(job.options.fonts),
  assets: await loadAssets(job),
  intent: await loadOutputIntent(job.options.icc),
  designs: await openDesignRoom(job),
});

/** Draws it here. Throws `layout-impossible` when a code doesn't fit. */
export async function drawTask({ options, ...task }: VolumeTask): Promise<DrawnVolume> {
  const job = makeSheetJob(options);
  return drawVolume({ ...(await openRoom(job)), ...task, job, serverCodes: new Map() });
}

/** The files that options name: fonts, pictures, designers' pages, the profile. */
export function filesOf(options: SheetOptions): string[] {
  const files = new Set<string>();
  mapFiles(options, (file) => {
    files.add(file);
    return file;
  });
  return [...files];
}

type Art = NonNullable<SheetOptions["label"]>;

const mapArt = (art: Art, to: (file: string) => string): Art => ({
  ...art,
  items: art.items.map((item) => (item.kind === "image" ? { ...item, file: to(item.file) } : item)),
});

/** Options with other places of the files that they name. */
export function mapFiles(options: SheetOptions, to: (file: string) => string): SheetOptions {
  const { label, background, back, icc, fonts } = options;
  const page = (own: NonNullable<typeof background>) => ({ ...own, file: to(own.file) });
  return {
    ...options,
    ...(label !== undefined && { label: mapArt(label, to) }),
    ...(background !== undefined && { background: page(background) }),
    ...(back !== undefined && {
      back: {
        ...back,
        ...(back.label !== undefined && { label: mapArt(back.label, to) }),
        ...(back.background !== undefined && { background: page(back.background) }),
      },
    }),
    ...(typeof icc === "object" && { icc: { ...icc, file: to(icc.file) } }),
    ...(fonts !== undefined && { fonts: fonts.map((font) => mapFont(font, to)) }),
  };
}

function mapFont(named: string, to: (file: string) => string): string {
  const { file, index } = toFontPlace(named);
  return index === undefined ? to(file) : `${to(file)}#${index}`;
}
