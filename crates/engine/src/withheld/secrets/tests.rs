//! The detector against lifelike lines; a miss and a false alarm are equally failures.
//!
//! Keys are put together here, so that no scanner takes this file for a leak.

use pdpp_contract::{Json, JsonObject};

use super::carries_secrets;

/// Letters and digits as a machine draws them, so many.
fn drawn(length: usize) -> String {
    "q7Zk2Vx9LmB4tRw8Yc1NsJ5Hd0Pf3GaT6uEo".chars().cycle().take(length).collect()
}

fn hex(length: usize) -> String {
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0".chars().cycle().take(length).collect()
}

fn capitals(length: usize) -> String {
    "Q7ZK2VX9LMB4TRW8YC1NSJ5HD".chars().cycle().take(length).collect()
}

fn armoured(kind: &str) -> String {
    let (body, dashes) = (drawn(64), "-".repeat(5));
    format!("{dashes}BEGIN {kind}{dashes}\n{body}\n{body}\n{dashes}END {kind}{dashes}")
}

fn carries(text: &str) -> bool {
    let record: JsonObject = [("text".to_owned(), Json::String(text.to_owned()))].into();
    carries_secrets(&record)
}

#[test]
fn private_keys_are_found_whatever_their_armour() {
    for kind in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
        "ENCRYPTED PRIVATE KEY",
    ] {
        assert!(carries(&armoured(kind)), "{kind}");
        let json = armoured(kind).replace('\n', "\\n");
        assert!(
            carries(&format!(r#"{{"type":"service_account","private_key":"{json}"}}"#)),
            "{kind}"
        );
    }
    assert!(carries(&format!("AGE-SECRET-KEY-1{}", capitals(58))));
    assert!(!carries(&armoured("PUBLIC KEY")));
    assert!(!carries(&armoured("CERTIFICATE")));
    assert!(!carries("A key begins with -----BEGIN PRIVATE KEY----- and ends alike."));
}

#[test]
fn keys_and_tokens_are_found_by_their_shapes() {
    let (d, h) = (drawn(120), hex(64));
    let part = |length: usize| &d[..length];
    let tokens = [
        format!("AKIA{}", capitals(16)),
        "AKIAKHVDGAJGXBENYJQW".to_owned(),
        format!("ghp_{}", part(36)),
        format!("github_pat_{}_{}", part(22), drawn(59)),
        format!("glpat-{}", part(20)),
        format!("xoxb-123456789012-123456789012-{}", part(24)),
        format!("xapp-1-A0{}", part(40)),
        format!(
            "https://hooks.slack.com/services/T0{}/B0{}/{}",
            capitals(8),
            capitals(8),
            part(24)
        ),
        format!("sk_live_{}", part(24)),
        format!("rk_live_{}", part(24)),
        format!("whsec_{}", part(32)),
        format!("AIza{}", part(35)),
        format!("ya29.{}", part(60)),
        format!("GOCSPX-{}", part(28)),
        format!("sk-{}", part(48)),
        format!("sk-proj-{}", part(60)),
        format!("sk-ant-api03-{}", part(90)),
        format!("npm_{}", part(36)),
        format!("pypi-AgEIcHlwaS5vcmc{}", part(60)),
        format!("eyJ{}.eyJ{}.{}", part(30), part(40), part(43)),
        format!("123456789:AA{}", part(33)),
        format!("SG.{}.{}", part(22), part(43)),
        format!("SK{}", hex(32)),
        format!("dop_v1_{h}"),
        format!("hf_{}", part(34)),
        format!("shpat_{}", hex(32)),
        format!("lin_api_{}", part(40)),
        format!("hvs.{}", part(24)),
        format!("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==", part(86)),
        format!("pdpp_client_{}", part(49)),
        "postgres://app:hunter2x@db.example.com:5432/app".to_owned(),
        "mongodb+srv://maya:Kx93kd-1@cluster0.example.net".to_owned(),
        "https://deploy:s3cr3tpw@git.example.com/repo.git".to_owned(),
    ];
    let missed: Vec<&String> =
        tokens.iter().filter(|token| !carries(&format!("here: {token} ok"))).collect();
    assert_eq!(missed, Vec::<&String>::new(), "missed");
    let embedded = format!("{}\n{}", "x ".repeat(70_000), tokens[1]);
    assert!(carries(&embedded), "far behind the first window");
    assert!(!carries(&format!("word{}", tokens[1])), "part of a longer word");
}

#[test]
fn what_only_looks_like_a_key_is_left_alone() {
    for text in [
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "Keys begin with sk_live_ and 24 characters.",
        "sk-spinner-circle-fade-dot-one sk-learn",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "0b7e51c2-9d44-4f0a-8b1e-6c2d9f3a1e57",
        "postgres://user:password@localhost/app",
        "postgres://app:${DB_PASSWORD}@db/app",
        "postgres://app@db.example.com/app",
        "https://example.com/@maya:blog",
        "mailto:maya@example.com",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    ] {
        assert!(!carries(text), "{text}");
    }
}

#[test]
fn a_password_behind_its_label_is_found() {
    for text in [
        "Password: hunter2",
        "password: Tr0ub4dor&3",
        "Your temporary password is Kx93-kd1 and must be changed.",
        "user maya\npassword = swordfish\n",
        "DB_PASSWORD=kd93jf02",
        "dbPassword: 'kd93jf02'",
        r#"{"user":"maya","password":"kd93jf02"}"#,
        "Login: maya\nPassword: *kd93jf02*",
        "Username\nmaya\nPassword\nkd93jf02",
        "Wi-Fi password: bluebird42",
        "Passwort: Sommer2026!",
        "Kennwort lautet kd93jf02",
        "Mot de passe : soleil42",
        "Contraseña: gato1234",
        "Senha: gato1234",
        "La password è gatto1234",
        "Wachtwoord: fiets123",
        "Lösenord: cykel123",
        "Adgangskode: cykel123",
        "Passord: sykkel123",
        "Hasło: rower123",
        "Heslo: kolo1234",
        "Salasana: pyora123",
        "Пароль: kd93jf02",
        "密码：kd93jf02",
        "パスワード：kd93jf02",
        "비밀번호: kd93jf02",
        "Şifre: kd93jf02",
        "كلمة المرور: kd93jf02",
        "Kennwort lautet: kd93jf02",
        "user: maya\npass: kd93jf02",
        "user: maya\nPW: kd93jf02",
        "Wi-Fi key: bluebird42",
        "WLAN-Schlüssel: bluebird42",
        "Lösenordet är cykel123",
        "Heslo je kolo1234",
        "password ➜ kd93jf02",
        "password – kd93jf02",
        "<td>Password</td><td>kd93jf02</td>",
        "token: 9f8e7d6c5b4a39281706f5e4d3c2b1a0",
        "secret: 9f8e7d6c5b4a39281706f5e4d3c2b1a0",
        "API key: 9f8e7d6c5b4a39281706",
        "client_secret=9f8e7d6c5b4a39281706f5e4",
        "Authorization: Bearer 9f8e7d6c5b4a39281706f5e4",
        "PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=",
        "seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",
    ] {
        assert!(carries(text), "{text}");
    }
}

#[test]
fn words_about_passwords_are_left_alone() {
    for text in [
        "Boarding pass: KD93JF",
        "Unsubscribe: https://news.example.com/u?token=9f8e7d6c5b4a39281706",
        "<label>Password</label><input type=password><a>Forgot it?</a>",
        "Password - new rules from 2027 on",
        "Password: ********",
        "Password: ••••••••",
        "Password: ____________",
        "Password: <your password>",
        "password: ${DB_PASSWORD}",
        "password=$PASSWORD",
        "password: str",
        "password: string",
        "password = get_password()",
        "password=password",
        "Password: required",
        "Password: at least 12 characters",
        "Password: see the note in the safe",
        "Your password is required to sign in.",
        "The password is the same as last year.",
        "Forgot your password? Click here",
        "Change your password: https://example.com/account",
        "Password policy: 12 characters, one digit",
        "Passwort vergessen?",
        "Passwort: siehe Brief",
        "Mot de passe oublié ?",
        "Contraseña: la de siempre",
        "API key: YOUR_API_KEY",
        "api_key: <key>",
        "The API key is in the vault.",
        "access token lifetime: 3600",
        "recovery phrase: written on paper, in the safe",
    ] {
        assert!(!carries(text), "{text}");
    }
}

#[test]
fn a_field_that_is_named_after_a_secret_holds_one() {
    let carries = |json: &str| match Json::parse(json) {
        Ok(Json::Object(data)) => carries_secrets(&data),
        other => panic!("{other:?}"),
    };
    assert!(carries(r#"{"password":"kd93jf02"}"#));
    assert!(carries(r#"{"login":{"passwd":"swordfish"}}"#));
    assert!(carries(r#"{"settings":[{"apiKey":"9f8e7d6c5b4a39281706"}]}"#));
    assert!(!carries(r#"{"password":null,"has_password":true}"#));
    assert!(!carries(r#"{"password":"********"}"#));
    assert!(!carries(r#"{"password_hint":"the cat's name"}"#));
    assert!(!carries(r#"{"password_changed_at":"2026-05-01T00:00:00Z"}"#));
}

/// Whatever a text is made of, a window that is eight times as long takes eight times as long, and not the
/// square of it: anybody can send a mail of nothing but beginnings.
#[test]
fn a_text_of_nothing_but_beginnings_takes_no_longer_than_its_length() {
    let took = |text: &str| {
        let one = || {
            let start = std::time::Instant::now();
            assert!(!carries(text));
            start.elapsed()
        };
        (0..5).map(|_| one()).min().unwrap_or_default()
    };
    assert!(!carries("warm up: the patterns are compiled once"));
    for beginning in ["eyJ.", "eyJabcdefghi-", "glpat-", "SG.", "password:(", "-----BEGIN "] {
        let text = |bytes: usize| beginning.repeat(bytes / beginning.len());
        let (short, long) = (took(&text(6 << 10)), took(&text(48 << 10)));
        // Eight times as long; a busy machine makes it forty. The square of it was a hundred and seventy.
        assert!(long < short * 100, "{beginning}: {short:?} and {long:?}");
    }
}
