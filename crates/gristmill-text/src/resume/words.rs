//! Word lists: what cannot end a sentence, what cannot begin one, and names in small letters.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::segment::chars::{is_cjk, is_closer, is_hangul, is_terminator};

/// Words after which a sentence goes on, by language. Words that often end a title or sentence in another language of
/// the list are left out.
const OPEN_WORDS: [&str; 12] = [
    // English
    "the a an to of in on at by for from with into onto upon via per and or but nor than as that which whose whom who \
     when where while if because since although though unless until within without between among through during \
     against toward towards about under over is are was were be been am has have had does did will would shall should \
     can could may might must not its their our your my his every each either neither these those this such both very \
     we they you he she it's i'm don't doesn't isn't you're we're including using called",
    // German
    "der die das den dem des ein eine einen einem einer eines und oder aber sondern denn dass weil wenn ob wie mit von \
     vom zu zum zur im ins am für bei beim nach über unter durch gegen ohne zwischen ist sind waren wird werden \
     wurde wurden hat haben nicht sehr sowie auf aus sich auch",
    // French
    "le les un une de du au aux et ou mais donc que qui dont où dans par pour sur avec sans sous entre est sont ce cette \
     ces sa ses leur leurs plus très été",
    // Spanish, Portuguese, Italian
    "el los las una unos unas del al y que en con por para sin sobre entre es se su sus como más pero muy fue \
     os um uma da dos das em na nos nas pelo pela com mas são seu sua não \
     il lo gli uno di della dei degli delle dal dalla nel nella su sul tra fra che sono questo questa",
    // Dutch, Swedish, Danish, Norwegian
    "het een en van maar op aan met voor door bij naar uit zijn dat och att av för på som är till eller inte og af til er \
     ikke",
    // Polish, Czech, Turkish, Indonesian, Vietnamese
    "w na z że nie oraz lub od dla przez się jest są v s k ze při pro aby nebo ve veya ile için bir dan atau yang untuk \
     dengan adalah và của là các những một trong cho với được",
    // Russian, Ukrainian
    "и в во на с со к ко по из от до для о об что как но а или не за у при под над без через между который которая \
     которые которое чтобы если это является і та й з що або від але",
    // Greek
    "ο η το οι τα του της των τον την και ή αλλά ότι που να σε με για από στο στη στην στον στα θα είναι δεν μια ένα",
    // Arabic, Persian, Urdu, Hebrew
    "وقد في من إلى على عن مع أو و أن إن التي الذي الذين هذا هذه ذلك تلك كان كانت لا ما لم لن قد بين حتى عند بعد قبل ثم كل غير \
     خلال حول دون بسبب منذ از به در با که را تا של את על עם או כי לא הוא היא",
    // Hindi
    "का के की में से को पर और या कि ने तक जो एक यह वह इस उस भी लिए जिसमें द्वारा अपने",
    // Korean
    "및 또는 그리고 하는 되는 있는 없는 위한 대한 통해 위해 때문에 하여 해서 하고 하며 하면 같은 이런 어떤 모든 그 이 매우 더 즉 하지만 \
     따라서 다른",
    // Bengali, Tamil
    "এবং ও এই একটি জন্য மற்றும் ஒரு இந்த",
];

/// English words of that list with which short titles end: "Who we are", "How to log in".
const CLOSERS: &str = "in on for about over under is are was were be been has have had do does did not we you they he she \
    such both this these those it's";

/// French and Italian words that have lost their last vowel.
const ELIDED: &str = "l d j m t s n c qu jusqu lorsqu puisqu quoiqu dell nell sull all dall coll un quest quell";

/// Endings of the last Korean word after which a sentence goes on.
const KOREAN_OPEN: &str =
    "를 을 는 할 될 에서 에게 으로 하고 하며 하면 지만 는데 면서 려면 므로 니까 도록 거나 든지 했고 되고";

/// Chinese characters and Japanese particles after which a sentence goes on.
const CJK_OPEN: &str = "的 和 与 與 及 或 在 是 对 對 将 將 把 被 从 從 向 为 為 以 于 於 由 让 讓 使 而 且 并 並 但 因 该 該 这 \
    這 每 各 不 也 都 就 还 還 又 更 很 最 第 之 所 如果 通过 通過 如何 可以 当 由于 以及 关于 根据 比如 因为 例如 は が を に の と へ や も て で から より \
    ば ので のに という および または かつ";

/// Words that end so and yet end titles and sentences.
const CJK_CLOSED: &str = "目的 行为 总和 饱和 参与 原因 理由 自由 方向 成就 首都 合并 绝对 温和 校对 核对 所以 难以 はじめに \
    おわりに とは について まとめて すべて もの こと さらに 存在 大使 相当 适当 恰当 正当 まで";

/// Thai words after which a sentence goes on.
const THAI_OPEN: &str = "และ หรือ ที่ ซึ่ง ของ ว่า โดย เป็น ใน จาก กับ ให้ เพื่อ แต่";

/// Korean particles and endings that stand alone at a start only if their word was cut off. Demonstratives that look the
/// same are left out.
const KOREAN_BOUND: &str = "을 를 은 는 가 의 에 에서 에게 로 으로 와 과 도 만 부터 까지 처럼 보다 라고 이라고 라는 이라는 이며 이나 이고 들 \
    들이 들은 들을 들의 들과 들에 에는 에도 에서는 에서도 으로는 로서 로써 으로서 입니다 습니다 니다 이다 였다 인 적인 적으로 세요 인데 이지만 \
    이므로 이라면 이란 란 다 요 죠 지만 는데 으며 며 면";

/// Korean verbs that follow another word, written with it or apart.
const KOREAN_VERBS: &str = "합니다 됩니다 했습니다 됐습니다 하는 하고 하여 해서 하면 하지 한다 된다 했다 되었다 하였다 되어 되는 된 함 됨 했고 \
    하며 되며 하게 되지 할 될 한 시켜 시키는 하세요";

/// Korean verbs that follow another word and are written apart.
const KOREAN_AUXILIARIES: &str =
    "있습니다 없습니다 않습니다 있다 없다 않다 있는 없는 않는 않은 있고 없고 않고 주세요 보세요";

/// Last syllables of Korean words after which a verb is written apart.
const KOREAN_CLOSED: [char; 16] =
    ['을', '를', '은', '는', '이', '가', '도', '야', '게', '지', '고', '수', '로', '에', '나', '만'];

/// Korean words that count things.
const KOREAN_COUNTER: &str = "개 년 월 일 시 분 초 명 번 회 위 세 층 원 차 대 권 장 호 만 억 천 가지 주";

/// Beginnings that no Chinese or Japanese sentence has.
const CJK_BOUND: &str = "的 了 们 們 吗 嗎 呢 着 を です ます ました ません でした であり である られ れる れた った って という \
    として における により によって に対して とともに ために ため、 ない。 た。 だ。 る。 す。 して した する \
    され しま";

/// Beginnings that look so and open sentences.
const CJK_FREE: &str = "的确 的確 的士 了解 了不起 着手 着重 着色 着陆 着眼 したがって";

/// Japanese particles, bound where no hiragana follows.
const KANA_PARTICLES: [char; 9] = ['は', 'が', 'に', 'の', 'へ', 'と', 'も', 'で', 'て'];

/// Hindi postpositions and auxiliaries, Arabic relative pronouns.
const OTHER_BOUND: &str = "में के की का को से ने पर तक है हैं था थी थे हो गया गई गए द्वारा वाले वाला वाली التي الذي الذين اللذين";

/// Measure words that may stand after a number and a space.
const MEASURES: &str = "个 個 年 月 日 号 號 天 次 种 種 条 條 名 人 位 家 台 臺 件 倍 岁 歲 万 萬 亿 億 千 百 元 円 美元 小时 小時 時 分 秒 周 週 米 \
    公里 章 节 節 页 頁 行 列 字 层 級 级 点 點 项 項 张 張 只 隻 匹 頭 间 間 世纪 世紀 歳 回 つ 枚 階 番 度 毫秒 字节 字符 公斤 吨 公顷 平方";

/// Names and commands that are written in small letters also where a sentence begins.
const NAMES: &str = "npm npx pnpm yarn bun node deno kubectl docker helm git curl wget pip pipx uv cargo rustc rustup \
    rustfmt tsc vite vitest webpack babel eslint prettier jest nginx redis systemd sudo apt apt-get brew cmake gcc clang bash \
    zsh ssh sqlite psql ffmpeg numpy pandas pytest mypy django flask uvicorn pydantic tidb tikv localhost stdout stdin \
    stderr etcd grep sed awk jq rollup esbuild terraform ansible macOS iOS http https www enum struct impl fn const \
    async await null undefined e.g i.e";

/// English word parts that are no words: what is left of a word that was cut.
const ENDINGS: &str = "ing ings tion tions ation ations ment ments ly ness ity ities ible ous ive ically ize ized ise ised \
    izing ic ical ies ied ers ence ance ences ances ency ancy ure ures ated ating ates tial cial tional fully lessly";

static OPEN: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| OPEN_WORDS.iter().flat_map(|list| list.split_whitespace()).collect());
static BOUND: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    [KOREAN_BOUND, KOREAN_VERBS, KOREAN_AUXILIARIES, OTHER_BOUND]
        .iter()
        .flat_map(|list| list.split_whitespace())
        .collect()
});
static LOWER_NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| NAMES.split_whitespace().collect());

/// Whether the last word of `text` needs a word after it.
pub(super) fn asks_for_more(text: &str) -> bool {
    let Some(last) = text.chars().next_back() else { return false };
    let one_of = |list: &str| list.split_whitespace().any(|end| text.ends_with(end));
    if is_cjk(last) {
        return text.chars().nth(2).is_some() && one_of(CJK_OPEN) && !one_of(CJK_CLOSED);
    }
    let word = last_word(text);
    if is_hangul(last) && word.chars().count() > 1 && KOREAN_OPEN.split_whitespace().any(|end| word.ends_with(end)) {
        return true;
    }
    one_of(THAI_OPEN) || OPEN.contains(word) || opens_sentence(text, word)
}

/// Whether `word`, the last of `text`, begins a sentence with a capital and goes on: "It stopped. The".
fn opens_sentence(text: &str, word: &str) -> bool {
    let before = text.get(..text.len() - word.len()).unwrap_or("").trim_end();
    is_function_word(word) && before.ends_with(|c: char| is_terminator(c) || is_closer(c))
}

/// Whether the text ends with a word whose last vowel is left out before the next, as in "qu'elle", "l'eau", "dell'acqua".
pub(super) fn is_elided(text: &str) -> bool {
    let Some(text) = text.strip_suffix(['\'', '’']) else { return false };
    let word = text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let quoted = text.get(..text.len() - word.len()).is_some_and(|before| before.ends_with(['\'', '’', '‘']));
    !quoted && word.len() <= 8 && ELIDED.split_whitespace().any(|entry| word.to_lowercase() == entry)
}

/// Whether a title may end with the last word of `text` although it seems to need a word after it.
pub(super) fn may_close(text: &str) -> bool {
    let word = last_word(text);
    CLOSERS.split_whitespace().any(|entry| entry == word)
}

/// Whether the word is one after which a sentence goes on, in small letters or with a capital.
pub(super) fn is_function_word(word: &str) -> bool {
    let capital =
        word.starts_with(char::is_uppercase) && word.len() <= 16 && word.chars().skip(1).all(char::is_lowercase);
    OPEN.contains(word) || capital && OPEN.contains(word.to_lowercase().as_str())
}

fn last_word(text: &str) -> &str {
    let inside =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '\u{93a}'..='\u{94f}' | '\u{900}'..='\u{903}');
    text.get(text.char_indices().rev().find(|(_, c)| !inside(*c)).map_or(0, |(i, c)| i + c.len_utf8())..).unwrap_or("")
}

fn first_word(text: &str) -> &str {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\u{93a}'..='\u{94f}' | '\u{900}'..='\u{903}');
    text.get(..text.find(|c: char| !inside(c)).unwrap_or(text.len())).unwrap_or("")
}

/// Whether `text`, in a script without capitals, begins with a word or sign that needs something before it.
pub(super) fn is_bound(text: &str) -> bool {
    let starts = |list: &str| list.split_whitespace().any(|start| text.starts_with(start));
    if starts(CJK_BOUND) {
        return !starts(CJK_FREE);
    }
    let mut chars = text.chars();
    let (Some(first), next) = (chars.next(), chars.next()) else { return false };
    if KANA_PARTICLES.contains(&first) {
        return next.is_some_and(|c| !matches!(c, '\u{3041}'..='\u{309f}'));
    }
    matches!(first, 'ๆ' | 'ฯ') || BOUND.contains(first_word(text))
}

/// Whether the Korean word that begins `text` is written together with what ends in `last`.
pub(super) fn is_attached(text: &str, last: char) -> bool {
    let word = first_word(text);
    let lists = |list: &str| list.split_whitespace().any(|entry| entry == word);
    lists(KOREAN_BOUND) || is_hangul(last) && !KOREAN_CLOSED.contains(&last) && lists(KOREAN_VERBS)
}

/// Whether a Japanese sentence may end with the last word of `text`, with or without a mark.
pub(super) fn ends_politely(text: &str) -> bool {
    "です ます ました ません ください でしょう ましょう".split_whitespace().any(|end| text.ends_with(end))
}

/// Whether a Chinese or Japanese measure word begins `text`.
pub(super) fn is_measure(text: &str) -> bool {
    MEASURES.split_whitespace().any(|word| text.starts_with(word))
}

/// Whether a Korean counter begins `text`.
pub(super) fn is_counter(text: &str) -> bool {
    KOREAN_COUNTER.split_whitespace().any(|word| text.starts_with(word))
}

/// Whether the word is a name or command in small letters.
pub(super) fn is_name(word: &str) -> bool {
    LOWER_NAMES.contains(word)
}

/// Whether the word is an English word ending and no word.
pub(super) fn is_ending(word: &str) -> bool {
    ENDINGS.split_whitespace().any(|ending| ending == word)
}

/// Whether a hyphen before the word stays open: "pre- and post-war".
pub(super) fn is_conjunction(word: &str) -> bool {
    "and or to und oder bis sowie et ou y o e en of и или".split_whitespace().any(|entry| entry == word)
}
