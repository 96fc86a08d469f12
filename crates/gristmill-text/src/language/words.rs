//! Words by which a language is known: the ones that hold its sentences together, whatever they are about.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The most frequent words of each language, without nouns. Where languages are near, the words that tell them apart are
/// in. An apostrophe divides words, so that `l'eau` has `l`.
pub(super) const WORDS: &[(&str, &str)] = &[
    (
        "en",
        "the of and to a in is that for it as was with be by on not he his but at are this have from or had an they which \
         you were there been their has will would if more when who no so what can into than then its about these your we \
         how does do must may should also only other some such any all most very just like each use used using",
    ),
    (
        "de",
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass \
         sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch \
         man sein wurde sei ihr kann wenn alle",
    ),
    (
        "fr",
        "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la avec son aux d l \
         qu c n s ou mais comme cette ont été être vous nous leur sa elle dont tout ses si deux peut même entre fait",
    ),
    (
        "es",
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este \
         ya entre cuando todo esta ser son dos también fue había era muy hasta desde está han donde cada puede usted",
    ),
    (
        "pt",
        "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito nos \
         já eu também só pelo pela até isso ela entre depois sem mesmo aos ter seus quem nas foi são você está pode ser",
    ),
    (
        "it",
        "di e il la che in un a per è una non del si con le da sono i della al dei come più alla anche ma nel lo dal delle ha su \
         o nella gli questo essere ed se dell all quando cui può due ai l d loro tra questa stato era viene degli",
    ),
    (
        "nl",
        "de van het een en in is dat op te zijn voor met die niet aan er om ook als dan bij maar uit door hebben heeft wordt \
         naar worden over hij nog was of werd meer kan geen deze tot zich zij ze dit moet wel kunnen je wat zo",
    ),
    (
        "af",
        "die en van in is het nie dat te wat op met vir om sy aan hy as hulle deur ek ons was word kan by sal ook tot uit \
         moet haar na maar so daar baie",
    ),
    (
        "sv",
        "och i att det som en på är av för med till den har de inte om ett han men var sig från vi så kan när år under också \
         efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över",
    ),
    (
        "da",
        "og i at det er en til af på den for med de som har der ikke et var han om sig fra men ved kan så vi vil skal også jeg \
         efter eller havde hun nu over da end blev kun mod under ud sin blive bliver være dem meget nogle hvad når noget mig",
    ),
    (
        "no",
        "og i det er som en på til av for at med de har den ikke et om var fra men han seg jeg vi kan så ble skal etter eller \
         også hun da ved ut nå over når enn bare hadde mot opp sin bli blir være dem mye noen hva noe meg å dette",
    ),
    (
        "fi",
        "ja on ei se että oli hän ovat mutta kun myös ole mukaan joka kuin jos sen ovat niin vain tai sekä voi ennen jälkeen \
         olla ne nyt mitä hänen jotka vielä ollut tämä siitä sitä kaikki joita kanssa tämän",
    ),
    (
        "pl",
        "w i na z się nie do to że jest o jak po od za a przez dla co są ale tak przy oraz jego tego tym jako już lub tylko może \
         był być które który która ze jej pod czy także ich było będzie gdy",
    ),
    (
        "cs",
        "a se v na je že s z do o i to ve pro za by ale jako od po si jsou k podle které který která při jeho tak může být byl \
         bylo není nebo až před mezi také pouze jsem než jak kde už ze jen",
    ),
    (
        "sk",
        "a sa v na je že s z do o i to vo pre za by ale ako od po si sú k podľa ktoré ktorý ktorá pri jeho tak môže byť bol bolo \
         nie alebo až pred medzi tiež iba som než kde už zo len",
    ),
    (
        "hu",
        "a az és hogy nem is egy ez de azt meg csak ha már van vagy volt mint még el kell ki lesz ezt lehet amely be minden \
         után sem kerül szerint majd így között akkor illetve által",
    ),
    (
        "ro",
        "de și în a la cu pe nu o să din este care că mai un se pentru au fi al ce ca sunt ale sau dar după a fost prin lui \
         cel are ei iar către între fie acest această foarte",
    ),
    (
        "ca",
        "de la i el en a que les d l els un per del una amb es no al va és més com s dels se o són per però seva ha seu aquest \
         entre també tot aquesta fins hi molt sobre sense ser",
    ),
    (
        "gl",
        "de a e o que do da en un no para os unha con na por as se non dos é das como máis polo pola ao foi ou seu súa entre \
         tamén sobre son nos nas ten pero este esta cando",
    ),
    (
        "tr",
        "ve bir bu da de için ile çok daha olarak gibi o ne olan kadar en sonra ama var ise değil her ki mi bunu veya göre \
         tarafından oldu olduğu şekilde yeni diye ya ancak bunun bütün",
    ),
    (
        "id",
        "yang dan di dengan untuk dari pada ini dalam tidak itu adalah akan oleh ke juga atau sebagai telah dapat bisa mereka \
         karena saya ada lebih tersebut secara kepada bahwa menjadi sudah",
    ),
    (
        "vi",
        "và của là có được cho các trong một không với những người này đã để khi đến từ về ở như ra trên nhiều vào phải đó cũng \
         tại lại theo sẽ bạn nó do",
    ),
    (
        "ru",
        "и в не на что с по как это из к за от для но о он а его все так же или было у до если был при ее они бы только может \
         мы также есть еще быть чтобы во их уже который которые более",
    ),
    (
        "uk",
        "і в не на що з у та до як за це від про для є й але він а його всі так або було при якщо вони тільки може ми також ще \
         бути щоб їх вже який які більше під після та",
    ),
    (
        "bg",
        "на и да в за се от е не с са по че като това до при ще който или си към която които му както може той през няма има \
         във беше след със само след където",
    ),
    (
        "sr",
        "и у је да се на су за од са не као о који што би до из или то а који која при по али само биле бити може након није \
         према више",
    ),
    (
        "ar",
        "في من على إلى أن التي عن مع هذا ما لا هذه الذي كان بين بعد كما أو ذلك كانت قد وقد لم عند أي ولا عام حيث منذ كل وهو \
         وفي ومن إن هو غير خلال و هي حتى",
    ),
    (
        "fa",
        "و در به از که این را با است برای آن یک تا می بر شد خود هم شده بود کرد ها باید یا نیز اما هر ما های او کند دارد ای \
         کرده",
    ),
    ("ur", "کے کی میں ہے اور سے کا کو اس پر نے کہ ہیں یہ ایک کر بھی ان تھا نہیں وہ تو ہو گیا جو گئی ہی تک لئے لیے تھی"),
    ("he", "של את על לא הוא עם כי זה גם או היא אל כל אם יש כך בין היה אך לפי הם זו מה רק אני כמו עד אבל היו אשר"),
    (
        "hi",
        "के है में की से का को और पर हैं यह कि ने एक भी इस लिए था थे थी नहीं तो हो ही जो या कर गया वह साथ अपने किया जा तक द्वारा \
         होता",
    ),
    (
        "mr",
        "आहे आणि या व ते च तो हे की असे आहेत होते होती होता एक मध्ये त्या हा ही नाही तर यांनी पण केली केला आपल्या त्याच्या \
         करून झाले",
    ),
    (
        "ne",
        "छ र को मा यो पनि गर्ने छन् भने हो एक गरेको लागि थियो हुने तथा बाट ले गर्न भएको नेपाल त्यो सबै आफ्नो गरी हरू छैन तर \
         भन्ने",
    ),
    ("bn", "এবং ও এই একটি করে থেকে হয় না এর জন্য তার করা যে সঙ্গে কিন্তু তিনি পর হয়ে ছিল বলে নিয়ে মধ্যে সে আর হবে এক যা"),
    // By their script these are told without words; what follows ends phrases only.
    (
        "zh",
        "的 了 是 在 和 与 與 及 或 等 为 為 对 對 将 將 会 會 可 以 也 不 有 这 這 那 该 該 其 一 个 個 并 並 而 但 从 從 到 由 被 把 \
         于 於 上 下 时 時 后 後 如 若 则 則 你 我 他 它 您 们 們 就 都 很 更 最 所 之 者 使 让 讓 能 要 需 此 每 各 只 还 還 没 沒 请 請",
    ),
    ("ja", "的 等 際 為 其 上 中 下 後 前 時 場合 以下 以上 必要 使用 可能"),
    (
        "ko",
        "및 또는 그리고 하지만 그러나 이 그 저 수 것 등 때 더 즉 각 이런 이러한 모든 다른 같은 위해 위한 대한 대해 통해 따라 경우 \
         있는 없는 있습니다 없습니다 합니다 됩니다 입니다 하는 되는 하여 해서 하고 하면 다음 함께 예를 들어 매우 바로 다시 우리 여러분",
    ),
];

/// For each word, the languages of [`WORDS`] that have it, one bit each.
pub(super) static LANGUAGES_OF: LazyLock<FxHashMap<&str, u64>> = LazyLock::new(|| {
    let mut of = FxHashMap::default();
    for (index, (_, words)) in WORDS.iter().enumerate() {
        words.split_whitespace().for_each(|word| *of.entry(word).or_insert(0) |= 1 << index);
    }
    of
});
