use super::extract;

#[test]
fn phrases_count_by_what_is_said_of_them_alone() {
    let pieces =
        ["The soft valve and the soft valve.", "A soft\nvalve, a `pump pump` and the pump [and the pump](pump)."];
    // `soft valve` 1.58 · 3, `pump` 1 · 2; `soft` and `valve` are never said alone, `pump` is not said in code and addresses.
    assert_eq!(extract(pieces, "en", 9), ["soft valve", "pump"]);
    assert_eq!(extract(pieces, "en-GB", 1), ["soft valve"]);
}

#[test]
fn what_is_said_once_is_no_keyword() {
    assert_eq!(extract(["The valve is shut by hand, and https://valve.org says how."], "en", 9), [""; 0]);
}

#[test]
fn languages_without_spaces() {
    // 数据库 log2(2.5) · 3, 连接 log2(2) · 2.
    assert_eq!(extract(["数据库的连接。数据库和数据库的索引。连接"], "zh", 9), ["数据库", "连接"]);
    assert_eq!(extract(["データ型を選ぶ。データ型は型である。"], "ja", 9), ["データ型"]);
    assert_eq!(extract(["วาล์วเปิด วาล์วปิด วาล์ว"], "th", 9), [""; 0]);
}

#[test]
fn korean_particles_are_no_part_of_a_word() {
    assert_eq!(extract(["밸브를 열고 `run`에서, 밸브가 닫히면 `stop`에서, 밸브는 그대로"], "ko", 9), ["밸브"]);
}
