/** Assistants that may use the account. */
import type { GrantFacts } from "../../../service/auth/oauth/grants.ts";
import { changing, Rows } from "../../view/list.tsx";
import { PostForm } from "../../view/page.tsx";
import { Moment } from "../../view/parts.tsx";
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
        <Rows
          label={said.assistants}
          items={grants}
          columns={[
            [
              said.assistant,
              ({ assistant, leadsTo }) => (
                <>
                  <bdi>{assistant === "" ? said.nameless : assistant}</bdi>
                  <div class="soft">{leadsTo}</div>
                </>
              ),
            ],
            [
              said.access,
              ({ isReadOnly }) => said.accesses[isReadOnly ? "read-only" : "full"],
              "word",
            ],
            [said.by, ({ token }) => (token === "" ? said.fileToken : token)],
            [
              said.since,
              ({ sinceMs }) =>
                sinceMs === null ? said.sinceUnknown : <Moment words={words} at={sinceMs} />,
            ],
            [said.lastCall, ({ usedMs }) => <Moment words={words} at={usedMs} />, "word"],
            ...changing<GrantFacts>(visit, [
              said.end,
              ({ id }) => (
                <PostForm visit={visit} action="/settings/assistants/revoke">
                  <button class="small danger" name="grant" value={id}>
                    {said.end}
                  </button>
                </PostForm>
              ),
            ]),
          ]}
        />
      )}
    </>
  );
}
