// Words that mark boilerplate: in classes and ids, in headings of asides, and on controls. All are general words, not
// specific to any site.

const part = (words: string, flags = "") =>
  new RegExp(`(?<=^|[\\s_-])(${words.replaceAll(" ", "|")})(?=$|[\\s_-])`, flags);

/** Words in classes and ids of boilerplate; the first group is the word. */
export const BOILERPLATE_NAMES = part(
  "nav navbar navigation navi menu submenu megamenu topbar breadcrumbs? crumbs footer foot footnav masthead site-?header " +
    "sidebar side-?bar aside sidenav cookies? consent gdpr newsletter subscribe subscription signup sign-up optin login " +
    "share sharing sharedaddy social socials follow-us addtoany addthis related related-?posts recommended recommendations " +
    "read-?next also-?like more-?from up-?next you-?may trending popular most-?read ads? advert advertisement adsbygoogle " +
    "sponsor sponsored promo outbrain taboola pagination pager paginator post-?navigation nav-links skip popup modal overlay " +
    "lightbox tooltip toast offcanvas drawer widget widgets tags tagcloud tag-list post-tags author-?box author-?bio " +
    "about-author print feedback rst-versions md-version version-?(?:select|selector|switcher|picker|list|menu) pagethumbs " +
    "search-?form searchbox copyright legal userinfo user-?info user-?details signature " +
    "profile-?card reactions? reaction-?bar post-?menu post-?actions message-user message-actionbar post-?meta entry-?meta " +
    "article-?meta byline dateline timestamp reading-?time",
  "g",
);

/** Words in classes and ids of a list of the headings of a page. */
export const CONTENTS_NAMES = part("table-?of-?contents toc");

/** Words that mark boilerplate also in a box between the paragraphs of a text that contains no links. */
export const ALWAYS_BOILERPLATE =
  /^(?:ads?|advert|advertisement|adsbygoogle|sponsor|sponsored|outbrain|taboola|cookies?|consent|gdpr|newsletter|subscribe|subscription|signup|sign-up|optin|login|popup|modal|overlay|lightbox|tooltip|toast)$/;

/** Words in classes and ids of comments. */
export const COMMENT_NAMES = part("comments? comment-?list disqus respond reply-form discussion-thread");

/** Words in classes and ids of one item of a grid. */
export const ITEM_NAMES = part(
  "product-?card product-?item product-?tile grid-?item grid-?tile card-?wrapper",
);

/** The start of headings of asides. */
export const ASIDE_HEADING = new RegExp(
  `^(?:${[
    "related|similar|recommended|recommendations|recently viewed|popular|trending|most (?:read|popular|viewed)",
    "you (?:may|might|could|'ll|will)|more (?:from|in|on|like|articles|stories|posts|news|to)|people also",
    "read (?:more|next|also)|also (?:read|like)|customers? (?:also|who)|what to read next|up next|keep reading",
    "latest (?:news|posts|articles|stories)|recent (?:posts|articles|comments)|top stories|explore more|discover more",
    "share|follow|subscribe|newsletter|sign up|join our|stay (?:in touch|connected|up)|get (?:the latest|updates)",
    "leave a (?:reply|comment)|comments?$|\\d+ comments?|tags?:?$|categories:?$|archives?$|advertisement|sponsored",
    "shop (?:by|more)",
  ].join("|")})`,
  "i",
);

/** The whole text of buttons and links that control a site. */
export const CONTROL_TEXT = new RegExp(
  `^(?:${[
    "sign (?:in|up)(?: now)?|log ?(?:in|out)|register(?: now)?|create an account|my account|subscribe(?: now)?|unsubscribe",
    "skip to (?:main )?(?:content|main)|back to top|privacy policy|cookie policy|terms (?:of (?:use|service)|and conditions)",
    "share(?: this)?:?|follow(?: us)?|print|rss(?: feed)?|add to (?:cart|bag|basket|wish ?list)|view cart|checkout|quick (?:view|shop)",
    "reply|report|advertise with us|contact us|load(?:ing)?(?: more)?\\W*|show (?:more|less)|read more\\W*|learn more\\W*|shop now",
    "(?:was|did|is) this (?:page|article|section)?\\s?(?:helpful|useful|help(?: you)?)\\W*|(?:last )?updated:? .{1,20} ago",
    "search forums|new posts|go to topic listing|leave a comment|post a comment|menu|close|copy(?: link)?|copied!?|advertisement",
  ].join("|")})$`,
  "i",
);
