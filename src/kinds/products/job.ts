import type { ProductCodeShape } from "../../job/shapes/code-shape.ts";
import type { JobCode, RowsJob } from "../../job/job.ts";
import { present } from "../../job/output/resolve-context.ts";
import { resolveSourceRows, toDynamicCode, type JobParts } from "../job-parts.ts";
import type { ProductShape, ProductsManifest } from "./shape.ts";

/** One destination of a product (docs/spec/api.md section 2.12). */
export interface JobProductLink {
  readonly linkType: string;
  readonly title: string;
  readonly destinationUrl: string;
  readonly isDefault: boolean;
  readonly language: string | null;
  readonly mediaType: string | null;
}

export interface JobProduct {
  readonly identifierType: string;
  readonly identifierValue: string;
  readonly batchLot: string | null;
  readonly serialNumber: string | null;
  readonly expiryDate: string | null;
  readonly links: readonly JobProductLink[];
}

export interface ProductsJob extends RowsJob {
  readonly kind: "products";
  readonly product: JobProduct;
  /** False: products only, without codes. */
  readonly hasCode: boolean;
}

const toProductCode = (displayName: string, shape?: ProductCodeShape): JobCode => ({
  ...toDynamicCode(displayName),
  type: "GS1",
  dynamic: shape !== undefined,
  folder: shape?.folder ?? null,
  tags: shape?.tags ?? [],
  gpsTracking: shape?.gps_tracking ?? false,
  domain: shape?.domain ?? null,
  design: present(shape?.design ?? {}),
});

function resolveProduct(shape: ProductShape): JobProduct {
  const chosen = shape.links.findIndex((link) => link.is_default);
  return {
    identifierType: shape.identifier_type,
    identifierValue: shape.identifier_value,
    batchLot: shape.batch_lot ?? null,
    serialNumber: shape.serial_number ?? null,
    expiryDate: shape.expiry_date ?? null,
    links: shape.links.map((link, at) => ({
      linkType: link.link_type,
      title: link.title,
      destinationUrl: link.destination_url,
      isDefault: chosen < 0 ? at === 0 : at === chosen,
      language: link.language ?? null,
      mediaType: link.media_type ?? null,
    })),
  };
}

/** Never fails: what it gets has been checked. */
export function toProductsJob(manifest: ProductsManifest, parts: JobParts): ProductsJob {
  const { code, product } = manifest;
  const { rows, display } = resolveSourceRows(manifest, parts, code?.display_name);
  return {
    ...rows,
    kind: "products",
    product: resolveProduct(product),
    ...(code === undefined && { output: { ...rows.output, files: [] } }),
    hasCode: code !== undefined,
    code: toProductCode(display, code),
  };
}
