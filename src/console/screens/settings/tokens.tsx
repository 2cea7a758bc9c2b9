/** The tokens of an account. */
import type { TokenFacts } from "../../../service/auth/account-book.ts";
import { Careful, Choice, Field, Moment, Table } from "../../view/parts.tsx";
import { PostForm } from "../../view/page.tsx";
import { typed, type Visit } from "../../visit.ts";

function Row({ visit, token }: { readonly visit: Visit; readonly token: TokenFacts }) {
  const { words, session } = visit;
  const { settings: said } = words;
  const name = token.name ?? said.fileToken;
  return (
    <tr>
      <td>
        {name}
        {token.id === session.caller.tokenId ? <div class="soft">{said.thisOne}</div> : null}
      </td>
      <td class="word">{said.accesses[token.access]}</td>
      <td class="word">
        <Moment words={words} at={token.created} />
      </td>
      <td class="word">
        <Moment words={words} at={token.lastUsed} />
      </td>
      <td>
        {token.expires === null ? (
          said.notEnding
        ) : (
          <>
            {token.isExpired ? `${said.ended} ` : ""}
            <Moment words={words} at={token.expires} />
          </>
        )}
      </td>
      <td>
        {session.caller.isReadOnly ? null : (
          <Careful title={said.revoke}>
            <PostForm visit={visit} action="/settings/tokens/revoke">
              <p>
                {said.revokeHint}
                {token.name === null ? ` ${said.fileHint}` : ""}
              </p>
              <button class="small danger" name="token" value={token.id}>
                {said.revokeNow}
              </button>
            </PostForm>
          </Careful>
        )}
      </td>
    </tr>
  );
}

export async function Tokens({ visit }: { readonly visit: Visit }) {
  const { settings: said } = visit.words;
  const tokens = await visit.owner.tokens();
  return (
    <>
      <h2 id="tokens">{said.tokens}</h2>
      <p>{said.tokensText}</p>
      <Table
        label={said.tokens}
        heads={[said.token, said.access, said.created, said.used, said.ends, said.revoke]}
      >
        {tokens.map((token) => (
          <Row visit={visit} token={token} />
        ))}
      </Table>
      <PostForm visit={visit} action="/settings/tokens">
        <h3>{said.newToken}</h3>
        <div class="fields">
          <Field
            name="name"
            label={said.tokenName}
            value={typed(visit, "name", "")}
            required
            maxlength={100}
          />
          <Choice
            name="access"
            label={said.access}
            value={typed(visit, "access", "full")}
            options={[
              ["full", said.accesses.full],
              ["read-only", said.accesses["read-only"]],
            ]}
          />
          <Field
            name="days"
            type="number"
            label={said.days}
            value={typed(visit, "days", "")}
            hint={said.daysHint}
          />
        </div>
        <button>{said.makeToken}</button>
      </PostForm>
    </>
  );
}
