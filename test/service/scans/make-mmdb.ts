/** Writes small MMDB files (MaxMind DB format 2.0, IPv4), for tests of databases that operators bring. */

type Value = string | number | { readonly [key: string]: Value };

const STRING = 2;
const DOUBLE = 3;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const ARRAY = 11;
const MAX_SHORT = 29;

/** Types above 7 stand in a second byte; lengths above 28 behind it. */
function control(type: number, size: number): Buffer {
  const length = Math.min(size, MAX_SHORT);
  const first = type > 7 ? [length, type - 7] : [(type << 5) | length];
  return Buffer.from(size >= MAX_SHORT ? [...first, size - MAX_SHORT] : first);
}

function encodeUint(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  const short = bytes.subarray(type === UINT16 ? 2 : 0);
  return Buffer.concat([control(type, short.length), short]);
}

function encode(value: Value): Buffer {
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(STRING, bytes.length), bytes]);
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(DOUBLE, 8), bytes]);
  }
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, item]) => [encode(key), encode(item)]);
  return Buffer.concat([control(MAP, entries.length), ...parts]);
}

const encodeList = (items: readonly Value[]): Buffer =>
  Buffer.concat([control(ARRAY, items.length), ...items.map(encode)]);

/** A record of a city database; `subdivisions` is the one list in it. */
function encodeCity({ region, ...record }: City): Buffer {
  const entries = Object.entries(record);
  const parts = entries.flatMap(([key, item]) => [encode(key), encode(item)]);
  return Buffer.concat([
    control(MAP, entries.length + 1),
    ...parts,
    encode("subdivisions"),
    encodeList([{ names: { en: region } }]),
  ]);
}

export interface City {
  readonly country: Value;
  readonly city: Value;
  readonly location: Value;
  readonly region: string;
  readonly [key: string]: Value;
}

interface Node {
  children: [Node | number | undefined, Node | number | undefined];
}

/** `networks`: IPv4 prefix such as `81.2.0.0/16` -> its record. */
export function makeMmdb(networks: Readonly<Record<string, City>>): Buffer {
  const root: Node = { children: [undefined, undefined] };
  const nodes = [root];
  const data: Buffer[] = [];
  let dataSize = 0;
  for (const [network, record] of Object.entries(networks)) {
    const [address = "", length = "32"] = network.split("/");
    const bits = address
      .split(".")
      .map((byte) => Number(byte).toString(2).padStart(8, "0"))
      .join("")
      .slice(0, Number(length));
    let node = root;
    for (const [index, bit] of bits.split("").entries()) {
      const side = bit === "1" ? 1 : 0;
      if (index === bits.length - 1) {
        node.children[side] = dataSize;
        break;
      }
      const next = node.children[side];
      if (typeof next === "object") {
        node = next;
        continue;
      }
      const made: Node = { children: [undefined, undefined] };
      nodes.push(made);
      node.children[side] = made;
      node = made;
    }
    const bytes = encodeCity(record);
    data.push(bytes);
    dataSize += bytes.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, { children }] of nodes.entries()) {
    for (const [side, child] of children.entries()) {
      let value = nodes.length;
      if (typeof child === "number") value = nodes.length + 16 + child;
      else if (child !== undefined) value = nodes.indexOf(child);
      tree.writeUIntBE(value, index * 6 + side * 3, 3);
    }
  }
  const metadata = Buffer.concat([
    control(MAP, 7),
    encode("node_count"),
    encodeUint(UINT32, nodes.length),
    encode("record_size"),
    encodeUint(UINT16, 24),
    encode("ip_version"),
    encodeUint(UINT16, 4),
    encode("database_type"),
    encode("Test-City"),
    encode("languages"),
    encodeList(["en"]),
    encode("binary_format_major_version"),
    encodeUint(UINT16, 2),
    encode("binary_format_minor_version"),
    encodeUint(UINT16, 0),
  ]);
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}
