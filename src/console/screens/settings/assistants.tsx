/** Assistants that may use the account. */
import { Moment, Table } from "../../view/parts.tsx";
import { PostForm } from "../../view/page.tsx";
import type { Visit } from "../../visit.ts";

export async function Assistants({ visit }: { readonly visit: Visit }) {
  const { words, owner } = visit;
  const { settings: said } = words;
  const grants = await owner.grants();
  return (
    <>
      <h2 id="assistants">{said.assistants}</h2>
      <p>{said.assistantsText}</p>
      {grants.length === 0 ? (
        <p class="soft">{said.noAssistants}</p>
      ) : (
        <Table
          label={said.assistants}
          heads={[said.assistant, said.access, said.by, said.since, said.lastCall, said.end]}
        >
          {grants.map((grant) => (
            <tr>
              <td>
                <bdi>{grant.assistant === "" ? said.nameless : grant.assistant}</bdi>
                <div class="soft">{grant.leadsTo}</div>
              </td>
              <td class="word">{said.accesses[grant.isReadOnly ? "read-only" : "full"]}</td>
              <td>{grant.token === "" ? said.fileToken : grant.token}</td>
              <td>
                {grant.sinceMs === null ? (
                  said.sinceUnknown
                ) : (
                  <Moment words={words} at={grant.sinceMs} />
                )}
              </td>
              <td class="word">
                <Moment words={words} at={grant.usedMs} />
              </td>
              <td>
                <PostForm visit={visit} action="/settings/assistants/revoke">
                  <button class="small danger" name="grant" value={grant.id}>
                    {said.end}
                  </button>
                </PostForm>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
