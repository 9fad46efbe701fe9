//! Any text gives a configuration or errors; a configuration survives its own file, and documents made with it are
//! fixed points.

#![no_main]

use tamiz::{Config, Engine};

/// Something for every switch to work on.
const REQUESTS: [&[u8]; 3] = [
    b"POST /a/./%2e%2e/%41?b=1&a=eyJhbGciOiJIUzI1NiJ9.e30.c2ln&b=%2527 HTTP/1.1\r\nHost: ex.com\r\nX-Own: 1\r\n\
      Cookie: a=1; b=2\r\nUser-Agent: a/1 b/2 c/3\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n\
      q=aZ9fK2mQ7xB4&q=\xd0\xb0a",
    b"CONNECT ex.com:443 HTTP/1.1\r\n\r\n",
    b"GET x://h/",
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    let config = match Config::from_toml(text) {
        Ok(config) => config,
        Err(errors) => {
            assert!(!errors.is_empty());
            let lines = 1 + text.matches('\n').count();
            for error in errors {
                assert!(error.line().is_some_and(|line| 1 <= line && line <= lines), "{error}: no such line");
                assert!(!error.to_string().contains('\n'), "an error of two lines");
            }
            return;
        }
    };
    let file = config.to_toml();
    let again = Config::from_toml(&file);
    assert_eq!(again.as_ref(), Ok(&config), "not the configuration that was written:\n{file}");
    assert_eq!(config.fingerprint(), again.unwrap_or_default().fingerprint());
    let mut engine = Engine::new(&config);
    for request in REQUESTS {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        tamiz_fuzz::assert_fixed_point(&document);
    }
});
