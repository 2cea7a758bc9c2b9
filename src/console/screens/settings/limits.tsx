/** How much of what it may have an account uses. */
import { countIn, Table } from "../../view/parts.tsx";
import type { Visit } from "../../visit.ts";

interface Line {
  readonly name: string;
  readonly used: number;
  readonly most: number | undefined;
}

export async function Limits({ visit }: { readonly visit: Visit }) {
  const { words, owner, session } = visit;
  const { settings: said } = words;
  const count = countIn(words);
  const use = await owner.use(session.workspaceId);
  const quotas = await owner.quotas();
  const lines: Line[] = [
    ...(quotas === undefined
      ? []
      : (
          [
            [said.reads, quotas.read],
            [said.writes, quotas.write],
          ] as const
        ).map(([name, { limit, remaining }]) => ({
          name,
          used: limit - remaining,
          most: limit > 900_000_000 ? undefined : limit,
        }))),
    { name: said.dynamicCodes, used: use.dynamicCodes, most: use.maxDynamicCodes },
    { name: said.allCodes, used: use.codes, most: undefined },
    { name: said.links, used: use.links, most: undefined },
    { name: said.pages, used: use.pages, most: use.maxPages },
    { name: said.forms, used: use.forms, most: undefined },
    { name: said.products, used: use.products, most: undefined },
  ];
  return (
    <>
      <h2 id="limits">{said.limits}</h2>
      <Table
        label={said.limits}
        wide={false}
        heads={[said.thing, { number: said.inUse }, { number: said.most }]}
      >
        {lines.map(({ name, used, most }) => (
          <tr>
            <td>
              {name}
              {most === undefined || most === 0 ? null : (
                <meter class="meter" min={0} max={most} value={used} aria-label={name} />
              )}
            </td>
            <td class="number">{count(used)}</td>
            <td class="number">{most === undefined ? said.unlimited : count(most)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
