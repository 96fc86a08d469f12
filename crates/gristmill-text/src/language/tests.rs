use super::{StopWords, detect};

const ENGLISH: &str = "The valve must be closed by hand before the pump is started, and it should not be opened again until \
    the pressure has fallen to that of the tank.";

#[test]
fn running_text_tells_its_language() {
    let texts = [
        ("en", ENGLISH),
        (
            "de",
            "Das Ventil muss von Hand geschlossen werden, bevor die Pumpe läuft, und es darf nicht wieder geöffnet werden, \
            bis der Druck so weit gefallen ist wie der im Tank.",
        ),
        (
            "fr",
            "La vanne doit être fermée à la main avant que la pompe ne soit mise en marche, et elle ne doit pas être ouverte \
            tant que la pression dans le réservoir n'est pas la même.",
        ),
        (
            "es",
            "La válvula se debe cerrar a mano antes de que la bomba se ponga en marcha, y no se puede abrir hasta que la \
            presión sea como la del tanque, porque es muy peligroso para los que están cerca.",
        ),
        (
            "pl",
            "Zawór należy zamknąć ręcznie, zanim pompa się uruchomi, i nie można go otworzyć do czasu, gdy ciśnienie nie \
            będzie takie jak w zbiorniku, co może być bardzo ważne.",
        ),
        (
            "ru",
            "Клапан нужно закрыть вручную до того, как насос начнёт работать, и его нельзя открывать, пока давление не будет \
            таким же, как в баке, или если он не на месте.",
        ),
        (
            "ar",
            "يجب إغلاق الصمام باليد قبل أن تعمل المضخة، ولا يجوز فتحه حتى ينخفض الضغط إلى ما كان عليه في الخزان، أو عند \
            الحاجة إلى ذلك من قبل المشرف على هذه الأعمال.",
        ),
        ("hi", "पंप चालू करने से पहले वाल्व को हाथ से बंद करना चाहिए और इसे तब तक नहीं खोलना है जब तक कि दबाव टंकी के बराबर न हो।"),
        ("zh", "启动水泵之前必须用手关闭阀门，在压力降到与水箱相同之前不得打开。"),
        ("zh", "啟動水泵之前必須用手關閉閥門，在壓力降到與水箱相同之前不得打開。"),
        ("ja", "ポンプを始動する前に、バルブを手で閉めなければなりません。"),
        ("ko", "펌프를 시동하기 전에 밸브를 손으로 닫아야 하며 압력이 같아질 때까지 열지 마십시오."),
        ("th", "ต้องปิดวาล์วด้วยมือก่อนเปิดเครื่องสูบน้ำ"),
    ];
    for (language, text) in texts {
        assert_eq!(detect([text]), Some(language), "{text}");
    }
}

#[test]
fn pieces_are_one_text() {
    assert_eq!(detect(ENGLISH.split(", ")), Some("en"));
}

#[test]
fn nothing_is_guessed() {
    let swahili = "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa \
        watendeane kindugu.";
    let mixed = format!(
        "{ENGLISH} 启动水泵之前必须用手关闭阀门，在压力降到与水箱相同之前不得打开。启动水泵之前必须用手关闭阀门。"
    );
    let names =
        "Berlin Hamburg München Köln Frankfurt Stuttgart Düsseldorf Leipzig Dortmund Essen Bremen Dresden Hannover";
    for text in ["", "The valve is closed.", "阀门", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", swahili, &mixed, names] {
        assert_eq!(detect([text]), None, "{text}");
    }
}

#[test]
fn code_and_addresses_are_no_text() {
    let text = "启动水泵之前必须用手关闭阀门，压力降低 `the and of to is in that it for as` [与水箱](https://the.of/and/to/is) 相同。";
    assert_eq!(detect([text]), Some("zh"));
}

#[test]
fn stop_words_are_those_of_one_language() {
    let english = StopWords::of("EN-us").expect("it is known");
    assert!(english.has("the") && !english.has("und") && !english.has("valve"));
    assert!(StopWords::of("th").is_none() && StopWords::of("").is_none());
}
