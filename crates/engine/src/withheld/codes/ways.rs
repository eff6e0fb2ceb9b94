//! Words around a link that make it a way into an account, language by language: English, German, French,
//! Spanish, Portuguese, Italian, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Russian,
//! Ukrainian, Turkish, Arabic, Chinese, Japanese and Korean.
//!
//! No phrase is listed whole. A link leads in when the words for signing in come right before or after
//! it; when a password and getting a new one stand together near it; when an account or address and
//! confirming it do. Signing in to see, pay or follow something is an ordinary link, and a mail with a
//! way out of a mailing list is an ordinary mail.

use super::phrases::{Kind, Phrase, find_ways, near};

/// Signing in.
pub(super) const SIGN_IN: &[&str] = &[
    r"(?:sign|log)(?:ging|ning|ing)?[ -]?(?:you |me )?(?:back )?(?:in(?:to)?|on)(?-u:\b)|log-?ins?(?-u:\b)|sign-?ins?(?-u:\b)|get (?:back )?in(?-u:\b)|you(?:'re| are) in(?-u:\b)|let (?:you|me) in|secure access|access link",
    r"anmeld(?:en|e|est)|anzumelden|sie sind drin|bist du drin|einlogg(?:en|st)|einzuloggen|melden? (?:dich|sie sich|mich|uns) (?:hier |jetzt )?an|logge? dich|loggen sie sich",
    r"(?:me |te |se |vous )connecte[rz]|connexion|connecte-toi|connectez-vous|identifier(?-u:\b)|identifiez-vous",
    r"inici(?:a|ar|e) (?:tu |su )?sesi[óo]n|acced(?:e|er|a)(?-u:\b)",
    r"inici(?:e|ar|a) (?:a )?(?:sua )?sess[ãa]o|fa(?:zer|[çc]a) login|acess(?:ar|e)(?-u:\b)|aceder|aceda(?-u:\b)",
    r"acced(?:ere|i|a)(?-u:\b)|effettua(?:re)? (?:il login|l'accesso)|collegati",
    r"inlog(?:gen|link)?|in te loggen|log (?:hier |nu |direct )?in(?-u:\b)|aan te melden|aanmelden|meld je (?:hier )?aan",
    r"logga(?:r)? (?:du )?in|inloggning|loggar (?:[^\s]+ ){0,2}in(?-u:\b)",
    r"log(?:ge|ger)? (?:[^\s]+ )?ind(?-u:\b)|logg(?:e|er)? (?:deg )?(?:p[åa]|inn)|innlogging|pålogging",
    r"kirjaudu|kirjautu|sisäänkirjau",
    r"zalogow|zalogu|logowan|loguj",
    r"přihl[áa][sš]|prihl[áa]s",
    r"войти|войдите|войди(?:те)?|вход(?:а|у|ом|ить)?|авториз|зайти",
    r"увійти|увійдіть|вхід|вход(?:у)? в|залогін",
    r"giriş|oturum aç",
    r"تسجيل الدخول|سجل الدخول|سجّل الدخول|الدخول",
    r"登录|登錄|登入",
    r"ログイン|サインイン",
    r"로그인|접속",
];
/// The same in words that also mean less: entering, an entrance, a registration.
pub(super) const ENTER: &[&str] = &[
    r"anmeldung|zugang|entra(?:r|re)?(?-u:\b)|entre (?:na|no|em)(?-u:\b)|ingres(?:a|ar|e)(?-u:\b)|acceso|acesso|accesso|acc[èe]s(?-u:\b)|access(?-u:\b)|(?:toegang|adgang|tilgang)(?-u:\b)|pääsy|dostęp|přístup|доступ",
];
/// A password.
pub(super) const PASSWORD: &[&str] = &[
    r"pass[ -]?word|passwort|kennwort|mot de passe|contrase[ñn]a|(?-u:\b)clave(?-u:\b)|senha|palavra[ -]passe|wachtwoord|lösenord(?:et)?",
    r"adgangskode|kodeord|passord(?:et)?|salasana|hasł[aoe]|hesl[aoe]|парол|şifre|parola|كلمة (?:المرور|السر)|密码|密碼|パスワード|비밀번호|암호|passcode",
];
/// Getting a new one, or forgetting the old one.
pub(super) const RENEW: &[&str] = &[
    r"reset|forg[oe]t|recover|restor|(?:choose|set|create|pick|change|update|enter)(?-u:\b)|new(?-u:\b)",
    r"zurück|zurueck|vergessen|neu(?:es|setzen)?(?-u:\b)|ändern|festlegen|wählen",
    r"r[ée]initialis|oubli|nouveau|changer|modifi|choisi|d[ée]fini",
    r"restabl|olvid|nueva|cambi|recuper|crea(?:r)?(?-u:\b)|elige",
    r"redefin|repor|esquec|nova|alter(?:ar|e)|criar|escolh",
    r"reimpost|dimentic|nuova|ripristin|scegli|modifica",
    r"opnieuw|herstel|verget|nieuw|wijzig|instellen",
    r"återställ|glömt|nytt|byt(?:a)?(?-u:\b)|välj|ändra",
    r"nulstil|glemt|(?-u:\b)ny(?:t|tt)?(?-u:\b)|tilbakestill|skift|vælg|velg|endre",
    r"palauta|palautta|unohd|unohtu|uusi|uude|vaihda|nollaa",
    r"zresetu|reset|zapomni|now[ea]|zmie[nń]|zmian|ustaw|odzysk",
    r"obnov|zapomn|nov[éeý]|změn|nastav",
    r"сбро[сш]|восстанов|забы|нов(?:ый|ого)|смен|измен|задать|скин|скида|віднов|змін|новий",
    r"sıfırla|unut|yeni|değiştir|belirle",
    r"إعادة|نسيت|تعيين|تغيير|استعادة|جديدة",
    r"重置|重設|重设|找回|忘记|忘記|修改|更改|新密|设置|設定",
    r"再設定|リセット|忘れ|変更|新しい|再発行",
    r"재설정|초기화|변경|찾기|잊|새 |새로",
];
/// Confirming, verifying, activating.
pub(super) const CONFIRM: &[&str] = &[
    r"verify|verif(?:ies|ying|ication)|confirm|activat|validat|bestätig|verifizier|aktivier|freischalt|vérifi|valide|active[rz]|activation",
    r"verific|ativ(?:e|ar)(?-u:\b)|attiv|conferm|bevestig|verifi[eë]|activeer|bekräfta|verifiera|aktivera|bekræft|bekreft|aktiver|vahvista|aktivoi",
    r"potwierd|aktyw|ověř|potvr|aktivuj|подтверд|активир|підтверд|активу|doğrula|onayla|etkinleştir|تأكيد|تفعيل|تحقق",
    r"验证|驗證|确认|確認|激活|啟用|认证|認証|有効化|확인|인증|활성화",
];
/// An address or an account.
pub(super) const ACCOUNT: &[&str] = &[
    r"e-?mail|account|address|konto|adresse|courriel|compte|correo|cuenta|direcci[óo]n|conta(?-u:\b)|endere[çc]o|indirizzo|e-?post|mejl|sähköposti|tili(?-u:\b)|tilisi",
    r"adres|účet|účt|почт|аккаунт|уч[её]тн|пошт|обліков|акаунт|e-?posta|hesab|البريد|حساب|邮箱|郵箱|邮件|郵件|帐户|账户|帳戶|帐号|账号|帳號|メール|アカウント|이메일|메일|계정",
];
/// A link, a button, a click.
pub(super) const CLICK: &[&str] = &[
    r"click|tap(?-u:\b)|button|link|press(?-u:\b)|klick|schaltfläche|lien|cliquez|clique|bouton|enlace|clic|bot[óo]n|botão|clicca|pulsante|klik|knop|knapp|länk|tryk|trykk|lenke",
    r"napsauta|linkki|painike|przycisk|odkaz|tlačítk|ссылк|кнопк|нажм|перейд|посилан|натисн|bağlantı|tıkla|düğme|رابط|انقر|اضغط|链接|連結|鏈接|点击|點擊|按钮|リンク|クリック|ボタン|링크|클릭|버튼",
];
/// What somebody signs in for.
pub(super) const PURPOSE: &[&str] = &[
    r"(?:log|sign)[ -]?in (?:pages?|screens?|forms?|bugs?|flows?|design|issues?|tests?|problems?|errors?|attempts?|history|activity|from|on (?:a |an |your )?new)",
    r"(?-u:\b)(?:view|see|read|pay|track|check|manage|reply|download|update|follow|review|browse|book|rate|renew|watch|listen|learn|find out|respond|comment|join|shop|order|print|upload|schedule|explore|discover|compare|edit|cancel|accept|sign up)(?-u:\b)",
    r"(?-u:\b)(?:sehen|ansehen|lesen|bezahlen|verfolgen|prüfen|verwalten|antworten|herunterladen|bestellen|abrufen|einsehen|bewerten|voir|consulter|lire|payer|suivre|gérer|répondre|télécharger|commander)(?-u:\b)",
    r"(?-u:\b)(?:ver|leer|ler|pagar|seguir|gestionar|gerir|responder|descargar|baixar|consultar|acompanhar|vedere|leggere|pagare|seguire|gestire|rispondere|scaricare|visualizza|visualizzare|bekijken|lezen|betalen|volgen|beheren|downloaden)(?-u:\b)",
    r"(?-u:\b)(?:att se|läsa|betala|följa|hantera|ladda ner|læse|følge|lese|katso|lue|maksa|zobaczyć|sprawdzić|przeczytać|zapłacić|śledzić|zobrazit|zaplatit)(?-u:\b)|посмотреть|прочитать|оплатить|отследить|переглянути|сплатити|görüntüle|ödeme|okumak|لعرض|للدفع|查看|阅读|支付|付款|閱讀|ご覧|読む|支払|ご確認いただけ|보기|결제|조회",
];
/// A way out of a mailing list.
pub(super) const MASS: &[&str] = &[
    r"unsubscribe|opt[ -]?out|mailing list|newsletter|view (?:this e-?mail )?in (?:your )?browser|manage (?:your )?(?:e-?mail )?preferences",
    r"abbestellen|abmelden vom|austragen|désabonner|désinscri|lettre d'information|darse? de baja|cancelar (?:la |a )?(?:suscripci|inscri|subscri)|descadastr|disiscriv|annulla l'iscrizione|uitschrijven|afmelden|avregistrera|avsluta prenumeration|afmeld|meld (?:deg )?av|peruuta tilaus|wypisz|rezygnacj|odhlásit odběr|отписат|рассылк|відписат|розсилк|abonelikten|إلغاء الاشتراك|退订|退訂|取消订阅|配信停止|メルマガ|수신 ?거부|구독 ?취소",
];

/// How far before a link the words for signing in may end, and how far after it they may begin.
const BEFORE: usize = 72;
const AFTER: usize = 40;
/// How far apart two words may be that belong together.
const TOGETHER: usize = 72;
/// How far they may be from the link.
const REACH: usize = 320;

/// The words around the links of a text.
pub(super) struct Ways {
    phrases: Vec<Phrase>,
    is_mass: bool,
}

/// Whether a word is part of an address: `https://…/login/…` says what a page is called.
fn is_in_link(text: &str, phrase: &Phrase) -> bool {
    let before = text.get(..phrase.start).unwrap_or_default();
    let word = before.rsplit(|char: char| char.is_whitespace() || "<>\"".contains(char)).next();
    word.is_some_and(|word| word.contains("://"))
}

/// What a heading says of a way into an account.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WayNamed {
    sign_in: bool,
    renewal: bool,
    confirmation: bool,
}

impl WayNamed {
    /// What either says.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            sign_in: self.sign_in || other.sign_in,
            renewal: self.renewal || other.renewal,
            confirmation: self.confirmation || other.confirmation,
        }
    }
}

impl Ways {
    /// Reads the words of a text.
    pub(super) fn read(text: &str) -> Self {
        let mut phrases = find_ways(text);
        phrases.retain(|phrase| !is_in_link(text, phrase));
        let is_mass = phrases.iter().any(|phrase| phrase.kind == Kind::Mass);
        Self { phrases, is_mass }
    }

    /// What the text names, when it is a heading.
    pub(super) fn named(&self) -> WayNamed {
        let purpose = self.phrases.iter().any(|phrase| phrase.kind == Kind::Purpose);
        let says = |phrase: &Phrase| matches!(phrase.kind, Kind::SignIn | Kind::Enter);
        let sign_in = self.phrases.iter().any(says);
        WayNamed {
            sign_in: sign_in && !purpose,
            renewal: self.stand_together((Kind::Password, Kind::Renew), 0, usize::MAX),
            confirmation: self.stand_together((Kind::Account, Kind::Confirm), 0, usize::MAX),
        }
    }

    /// Whether the words around a link, or its heading, make it a way into an account.
    pub(super) fn lead_to(&self, start: usize, end: usize, heading: WayNamed) -> bool {
        if self.is_mass {
            return false;
        }
        let (from, to) = (start.saturating_sub(REACH), end + REACH);
        let clicks = near(&self.phrases, start, end, REACH)
            .any(|phrase| matches!(phrase.kind, Kind::Click | Kind::SignIn));
        self.signs_in(start, end)
            || self.stand_together((Kind::Password, Kind::Renew), from, to)
            || self.stand_together((Kind::Account, Kind::Confirm), from, to)
            || heading.renewal
            || ((heading.sign_in || heading.confirmation)
                && clicks
                && !self.has_purpose(start, end))
    }

    /// Words for signing in right before or after the link, and for nothing beyond.
    fn signs_in(&self, start: usize, end: usize) -> bool {
        near(&self.phrases, start, end, BEFORE.max(AFTER)).any(|phrase| {
            let close = if phrase.end <= start {
                start - phrase.end <= BEFORE
            } else {
                phrase.start >= end && phrase.start - end <= AFTER
            };
            let near_click = || {
                let near = near(&self.phrases, phrase.start, phrase.end, TOGETHER);
                near.filter(|near| near.kind == Kind::Click).count() > 0
            };
            let says = phrase.kind == Kind::SignIn || (phrase.kind == Kind::Enter && near_click());
            says && close && !self.has_purpose(start, end)
        })
    }

    fn has_purpose(&self, start: usize, end: usize) -> bool {
        near(&self.phrases, start, end, BEFORE).any(|phrase| phrase.kind == Kind::Purpose)
    }

    /// Whether words of both kinds stand close to each other in a range of the text.
    fn stand_together(&self, (one, other): (Kind, Kind), from: usize, to: usize) -> bool {
        let inside = |phrase: &&Phrase| phrase.end >= from && phrase.start <= to;
        self.phrases.iter().filter(inside).filter(|phrase| phrase.kind == one).any(|phrase| {
            near(&self.phrases, phrase.start, phrase.end, TOGETHER).any(|near| near.kind == other)
        })
    }
}
