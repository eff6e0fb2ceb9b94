//! Enforcements around the owner's session: what other ports of the same host can receive.

use super::{Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const SESSION: &[Break] = &[
    Break {
        harm: "the session's cookie opens every address",
        guards: &[BreakOperation::SigningIn],
        edits: &[
            Edit {
                file: "crates/auth/src/owner/session.rs",
                find: "TokenHash::of(&format!(\"session {} {} {process}\", self.path, self.cookie))",
                put: "TokenHash::of(&format!(\"session {} {process}\", self.cookie))",
            },
            Edit {
                file: "crates/auth/src/owner/session.rs",
                find: "        shaped(self.path, PATH_DIGITS) && shaped(self.cookie, COOKIE_DIGITS)\n",
                put: "        shaped(self.cookie, COOKIE_DIGITS)\n",
            },
        ],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "the session's cookie is sent to every port",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/pages/cookies.rs",
            find: "    let path = root(secret.path());\n",
            put: "    let path = \"/\".to_owned();\n",
        }],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "a session on plain HTTP outlives its process",
        guards: &[BreakOperation::SigningIn],
        edits: &[
            Edit {
                file: "crates/http/src/app.rs",
                find: "        (!outlives).then_some(&self.process_key)\n",
                put: "        (false && !outlives).then_some(&self.process_key)\n",
            },
            Edit {
                file: "crates/http/src/server/mod.rs",
                find: "        end_earlier_sessions(&app).await;\n",
                put: "",
            },
            Edit {
                file: "crates/http/src/server/mod.rs",
                find: "async fn end_earlier_sessions(app: &App) {\n",
                put: "async fn _end_earlier_sessions(app: &App) {\n",
            },
        ],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "a planted cookie signs the owner out",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/pages/cookies.rs",
            find: "    ours.take(MAX_COOKIES).collect()\n",
            put: "    ours.take(MAX_COOKIES).take(1).collect()\n",
        }],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "strangers use up the guesses of the owner's browser",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/auth/src/owner/login.rs",
            find: "                known_browser::has_guess(failures, now)\n",
            put: "                known_browser::has_guess(failures, now) && false\n",
        }],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "a known browser gets more guesses of its own than five an hour",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/auth/src/owner/login.rs",
            find: "        let own = own.filter(|_| has_own);\n",
            put: "",
        }],
        noticed_by: ("pdpp-auth", "auth", "a_known_browser"),
    },
    Break {
        harm: "a faulty request leads to its app without a click",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/oauth/authorize.rs",
            find: "            pages::faulty_request(&app, &session, error.description, (url, &host))\n",
            put: "            let _ = (pages::faulty_request, error, host);\n            \
                  Redirect::to(&url).into_response()\n",
        }],
        noticed_by: ("pdpp-http", "it", "redirects"),
    },
    Break {
        harm: "other ports learn the session's address from the Referer header",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/pages/shell.rs",
            find: "const REFERRER: HeaderValue = HeaderValue::from_static(\"same-origin\");",
            put: "const REFERRER: HeaderValue = HeaderValue::from_static(\"unsafe-url\");",
        }],
        noticed_by: ("pdpp-http", "it", "pages::misuse"),
    },
    Break {
        harm: "pages of a session stay in the browser's cache",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/finish/mod.rs",
            find: "(\"cache-control\", \"private, no-store\")",
            put: "(\"cache-control\", \"private\")",
        }],
        noticed_by: ("pdpp-http", "it", "pages::misuse"),
    },
    Break {
        harm: "the login page is told the address of a session",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/pages/next.rs",
            find: "            Some((_, rest)) => Self::parse(&format!(\"{OWNER}{rest}\")),",
            put: "            Some(_) => Self(place.to_owned()),",
        }],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "the address of a session stands in the log",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/finish/mod.rs",
            find: "    let is_page = pages::is_page(request.uri().path());\n",
            put: "    let is_page = pages::is_page(request.uri().path());\n    tracing::info!(path = request.uri().path(), \"asked\");\n",
        }],
        noticed_by: ("pdpp-http", "it", "t_log_1"),
    },
    Break {
        harm: "another program takes the server's port on the other loopback address",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/server/mod.rs",
            find: "ReservedPort::beside(local_addr)",
            put: "ReservedPort::beside(local_addr).filter(|_| false)",
        }],
        noticed_by: ("pdpp-http", "it", "pages::ports"),
    },
    Break {
        harm: "anybody can make the cookie of a known browser",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/auth/src/owner/known_browser.rs",
            find: "bool::from(subtle::ConstantTimeEq::ct_eq(expected.as_bytes(), proof.as_bytes()))",
            put: "bool::from(subtle::ConstantTimeEq::ct_eq(expected.as_bytes(), proof.as_bytes())) || true",
        }],
        noticed_by: ("pdpp-auth", "lib", "known_browser"),
    },
    Break {
        harm: "a script that another program left in the browser runs on the consent page",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/templates/consent.html",
            find: " integrity=\"{{ script.integrity }}\"",
            put: "",
        }],
        noticed_by: ("pdpp-http", "it", "pages::taken_port"),
    },
    Break {
        harm: "a worker that another program left in the browser stays there",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/guard/mod.rs",
            find: "worker::is_asked_for(&request) =>",
            put: "worker::is_asked_for(&request) && false =>",
        }],
        noticed_by: ("pdpp-http", "it", "pages::taken_port"),
    },
    Break {
        harm: "what another program left in the browser outlives the login page",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/guard/worker.rs",
            find: "    begins.then_some(",
            put: "    (begins && false).then_some(",
        }],
        noticed_by: ("pdpp-http", "it", "pages::taken_port"),
    },
    Break {
        harm: "a worker that another program left in the browser reads the owner's pages",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/guard/worker.rs",
            find: "!headers.get_all(DESTINATION).iter().all(is_shown)",
            put: "(false && !headers.get_all(DESTINATION).iter().all(is_shown))",
        }],
        noticed_by: ("pdpp-http", "it", "pages::taken_port"),
    },
    Break {
        harm: "a worker that another program left in the browser loads the owner's pages ahead",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/guard/worker.rs",
            find: "headers.contains_key(NAVIGATION_PRELOAD) || ",
            put: "(false && headers.contains_key(NAVIGATION_PRELOAD)) || ",
        }],
        noticed_by: ("pdpp-http", "it", "pages::taken_port"),
    },
];
