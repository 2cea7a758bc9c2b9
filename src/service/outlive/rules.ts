/** The rules of a bundle for nginx, Caddy and hosts that read `_redirects`. */
import { FILES_FOLDER, type Answer } from "./bundle.ts";

/** A destination, split where the request's query goes: before the fragment. */
function splitAtFragment(location: string): readonly [before: string, fragment: string] {
  const at = location.indexOf("#");
  return at < 0 ? [location, ""] : [location.slice(0, at), location.slice(at)];
}

const isRedirect = (answer: Answer): answer is Answer & { readonly location: string } =>
  answer.location !== undefined;

/** The key of a request in nginx's table; types are compared without the prefix `gs1:`. */
const toKey = ({ path, linkType }: Answer): string =>
  linkType === undefined ? path : `${path}?${linkType.replace(/^gs1:/u, "")}`;

/** In double quotes; a dollar sign would begin a variable. */
const quoteNginx = (text: string): string =>
  `"${text.replaceAll(/["\\]/gu, String.raw`\$&`).replaceAll("$", "${makeready_dollar}")}"`;

/**
 * Lines for `map`, which ignores case: links that differ only in case share a line, and the rules
 * pick the right one. An entry is key, status, path, destination and fragment (`-` when there is
 * none).
 */
export function* makeNginxTable(answers: Iterable<Answer>): Iterable<string> {
  const lines = new Map<string, string>();
  for (const answer of answers) {
    if (!isRedirect(answer)) continue;
    const [before, fragment] = splitAtFragment(answer.location);
    const key = toKey(answer);
    const entry = `${key} ${answer.status} ${before} ${fragment || "-"} `;
    const folded = key.toLowerCase();
    lines.set(folded, `${lines.get(folded) ?? ""}${entry}`);
  }
  for (const [key, entries] of lines) yield `${quoteNginx(key)} ${quoteNginx(entries)};\n`;
}

/** Reads one field of the entry whose key equals the request's, including case. */
const field = (name: string, at: number): string => {
  const fields = [0, 1, 2].map((n) =>
    n === at ? `(?<makeready_${name}_of>\\S+)` : String.raw`\S+`,
  );
  const entry = String.raw`~^(\S+) (?:\S+ \S+ \S+ \S+ )*?\1 `;
  return `map "$makeready_key $makeready_hit" $makeready_${name} { default ""; "${entry}${fields.join(" ")} " $makeready_${name}_of; }`;
};

/**
 * When a level of a Digital Link isn't registered, the level above answers, up to three qualifiers
 * up.
 */
function climb(root: string): string {
  const above = String.raw`"~^(?<makeready_a>.*/\d\d\d?\d?/[^/]+)/\d\d\d?\d?/[^/]+$" $makeready_a;`;
  const ups = ["$makeready_path", "$makeready_up1", "$makeready_up2", "$makeready_up3"];
  const lines = ups.slice(1).map((up, at) => `map ${ups[at]} ${up} { default ""; ${above} }`);
  const table = `{ default ""; include ${root}/nginx/links.map; }`;
  lines.push(...ups.map((up, at) => `map "${up}$makeready_asked" $makeready_hit${at} ${table}`));
  lines.push(
    ...[3, 2, 1, 0].map((at) => {
      const higher = at === 3 ? '"$makeready_path$makeready_asked"' : `$makeready_key${at + 1}`;
      return `map $makeready_hit${at} $makeready_key${at} { "" ${higher}; default "${ups[at]}$makeready_asked"; }`;
    }),
    "map $makeready_key0 $makeready_key { default $makeready_key0; }",
    `map $makeready_key $makeready_hit ${table}`,
  );
  return lines.join("\n");
}

/** `root`: where the bundle lies on the server. To be included in `http { }`. */
export function makeNginxRules(root: string, { host, prefix }: PublicParts): string {
  return `# Short links, Digital Links, pages and files of ${host}, made by makeready.
# Include it in http { }; the bundle lies in ${root}.
geo $makeready_dollar { default "$"; }
map_hash_max_size 1048576;
map_hash_bucket_size 16384;
variables_hash_max_size 4096;
map $request_uri $makeready_path { default "/"; "~/\\.\\." "/"; "~^(?<makeready_p>/[^?]*?)/*(?:\\?|$)" $makeready_p; }
map $arg_linkType $makeready_type { default "?$arg_linkType"; "" ""; "~^(?:gs1(?::|%3A)|https?(?::|%3A)(?:/|%2F)+(?:ref\\.|www\\.)?gs1\\.org(?:/|%2F)voc(?:/|%2F))(?<makeready_t>[A-Za-z0-9]+)$" "?$makeready_t"; }
map $makeready_type $makeready_asked { default $makeready_type; "~^\\?defaultLink$" ""; }
map $http_accept $makeready_accept { default 0; "~text/html" 0; "~application/(?:linkset\\+)?json" 1; }
map "$makeready_accept$makeready_asked" $makeready_linkset { default 0; "~^1" 1; "~^0\\?linkset$" 1; }
${climb(root)}
${field("status", 0)}
${field("before", 1)}
${field("behind", 2)}
map $makeready_behind $makeready_fragment { default $makeready_behind; "-" ""; }
map $makeready_before $makeready_joint { default "?"; "~\\?" "&"; }
map "$makeready_status $args" $makeready_query { default ""; "~^307 (?<makeready_q>.+)$" "$makeready_joint$makeready_q"; }

server {
  listen 80;
  server_name ${host};
  root ${root}/${FILES_FOLDER};
  default_type text/html;
  types {
    text/html html;
    text/vcard vcf;
    application/pdf pdf;
    application/linkset+json json;
    application/ld+json jsonld;
  }
  charset utf-8;
  add_header X-Content-Type-Options nosniff always;
  location = ${prefix}/.well-known/gs1resolver { default_type application/json; }
  location / {
    if ($makeready_linkset) { rewrite ^ /makeready-linkset last; }
    if ($makeready_status = 302) { add_header Cache-Control no-store; return 302 "$makeready_before$makeready_fragment"; }
    if ($makeready_status = 307) { add_header Cache-Control no-store; add_header Access-Control-Allow-Origin *; return 307 "$makeready_before$makeready_query$makeready_fragment"; }
    if ($makeready_asked != "") { return 404; }
    try_files $uri $uri/index.html =404;
  }
  location = /makeready-linkset {
    internal;
    add_header Access-Control-Allow-Origin *;
    add_header Cache-Control no-store;
    try_files /linksets$makeready_path.json /linksets$makeready_up1.json /linksets$makeready_up2.json /linksets$makeready_up3.json =404;
  }
}
`;
}

export interface PublicParts {
  /** The host of the public address. */
  readonly host: string;
  /** Path of the public address, without a slash at its end. */
  readonly prefix: string;
}

/** In double quotes; a brace would begin a placeholder. */
const quoteCaddy = (text: string): string => `"${text.replaceAll(/["\\{}]/gu, String.raw`\$&`)}"`;

const makeCaddyHead = (
  root: string,
  host: string,
): string => `# Short links, Digital Links, pages and files of ${host}, made by makeready.
# RESOLVER_SITE names another address to listen on, such as :8080.
{$RESOLVER_SITE:${host}} {
	root * ${quoteCaddy(`${root}/${FILES_FOLDER}`)}
	route {
		@closed path_regexp closed ^(.+)/+$
		uri @closed strip_suffix /
		map {query.linkType} {mr_type} {
			~^(?:gs1:|https?://(?:ref\\.|www\\.)?gs1\\.org/voc/)defaultLink$ ""
			~^(?:gs1:|https?://(?:ref\\.|www\\.)?gs1\\.org/voc/)(.+)$ "?\${1}"
			~^(.+)$ "?\${1}"
			default ""
		}
		map {path}{mr_type} {mr_status} {mr_before} {mr_joined} {mr_fragment} {
`;

const CADDY_TAIL = `			default "" "" "" ""
		}
		@asked vars {mr_type} "?linkset"
		@json {
			header_regexp json Accept application/(linkset\\+)?json
			not header Accept *text/html*
			file /linksets{path}.json
		}
		handle @asked {
			rewrite * /linksets{path}.json
			header Content-Type application/linkset+json
			header Access-Control-Allow-Origin *
			file_server
		}
		handle @json {
			rewrite * /linksets{path}.json
			header Content-Type application/linkset+json
			header Access-Control-Allow-Origin *
			file_server
		}
		@link vars {mr_status} 302
		handle @link {
			header Cache-Control no-store
			redir "{mr_before}{mr_fragment}" 302
		}
		@product vars {mr_status} 307
		handle @product {
			header Cache-Control no-store
			header Access-Control-Allow-Origin *
			@bare vars {query} ""
			redir @bare "{mr_before}{mr_fragment}" 307
			redir "{mr_joined}{query}{mr_fragment}" 307
		}
		@typed not vars {mr_type} ""
		respond @typed 404
		try_files {path} {path}/index.html
		file_server
	}
}
`;

/** Rules for Caddy, which compares the path as written, decoded once. */
export function* makeCaddyRules(
  answers: Iterable<Answer>,
  root: string,
  { host }: PublicParts,
): Iterable<string> {
  yield makeCaddyHead(root, host);
  for (const answer of answers) {
    if (!isRedirect(answer)) continue;
    const [before, fragment] = splitAtFragment(answer.location);
    const key = toKey({ ...answer, path: decodeURIComponent(answer.path) });
    const values = [
      String(answer.status),
      before,
      `${before}${before.includes("?") ? "&" : "?"}`,
      fragment,
    ]
      .map(quoteCaddy)
      .join(" ");
    yield `\t\t\t${quoteCaddy(key)} ${values}\n`;
  }
  yield CADDY_TAIL;
}

/** One line per link, for hosts that read such a file (Netlify, Cloudflare Pages). */
export function* makeRedirects(answers: Iterable<Answer>): Iterable<string> {
  for (const answer of answers) {
    if (!isRedirect(answer) || answer.linkType !== undefined) continue;
    yield `${answer.path} ${answer.location} ${answer.status === 307 ? 307 : 302}\n`;
  }
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** A page that redirects the browser, for servers without rules. */
export const makeRefreshPage = (location: string): string => `<!doctype html>
<meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer-when-downgrade">
<meta http-equiv="refresh" content="0; url=${escapeHtml(location)}">
<title>${escapeHtml(location)}</title><a href="${escapeHtml(location)}">${escapeHtml(location)}</a>
`;
