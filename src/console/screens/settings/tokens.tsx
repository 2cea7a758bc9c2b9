/** The tokens of an account. */
import type { TokenFacts } from "../../../service/auth/account-book.ts";
import { changing, Rows } from "../../view/list.tsx";
import { PostForm, Typed } from "../../view/page.tsx";
import { Careful, Choice, Moment } from "../../view/parts.tsx";
import { typed, type Part, type Visit } from "../../visit.ts";

const Revoke: Part<{ readonly token: TokenFacts }> = ({ visit, token }) => {
  const { settings: said } = visit.words;
  return (
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
  );
};

const Make: Part = ({ visit }) => {
  const { settings: said } = visit.words;
  return (
    <PostForm visit={visit} action="/settings/tokens">
      <h3>{said.newToken}</h3>
      <div class="fields">
        <Typed visit={visit} name="name" label={said.tokenName} required maxlength={100} />
        <Choice
          name="access"
          label={said.access}
          value={typed(visit, "access", "full")}
          options={[
            ["full", said.accesses.full],
            ["read-only", said.accesses["read-only"]],
          ]}
        />
        <Typed visit={visit} name="days" type="number" label={said.days} hint={said.daysHint} />
      </div>
      <button>{said.makeToken}</button>
    </PostForm>
  );
};

export async function Tokens({ visit }: { readonly visit: Visit }) {
  const { words, session } = visit;
  const { settings: said } = words;
  const tokens = await visit.owner.tokens();
  return (
    <>
      <h2 id="tokens">{said.tokens}</h2>
      <p>{said.tokensText}</p>
      <Rows
        label={said.tokens}
        items={tokens}
        columns={[
          [
            said.token,
            ({ id, name }) => (
              <>
                {name ?? said.fileToken}
                {id === session.caller.tokenId ? <div class="soft">{said.thisOne}</div> : null}
              </>
            ),
          ],
          [said.access, ({ access }) => said.accesses[access], "word"],
          [said.created, ({ created }) => <Moment words={words} at={created} />, "word"],
          [said.used, ({ lastUsed }) => <Moment words={words} at={lastUsed} />, "word"],
          [
            said.ends,
            ({ expires, isExpired }) =>
              expires === null ? (
                said.notEnding
              ) : (
                <>
                  {isExpired ? `${said.ended} ` : ""}
                  <Moment words={words} at={expires} />
                </>
              ),
          ],
          ...changing<TokenFacts>(visit, [
            said.revoke,
            (token) => <Revoke visit={visit} token={token} />,
          ]),
        ]}
      />
      <Make visit={visit} />
    </>
  );
}
