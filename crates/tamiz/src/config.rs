//! The configuration: what it is, how it is read, written and fingerprinted.
//!
//! The table `KEYS` names each key once; reading a file, setting one key, writing and the fingerprint all walk it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use icu_properties::PropertyParser;
use icu_properties::props::{NamedEnumeratedProperty, Script};
use toml::de::{DeTable, DeValue};

use crate::CONTRACT;
use crate::table::flags::{FLAGS, Flag};
use crate::table::limits;

/// Everything that can be chosen, with the names of the configuration file.
///
/// [`Config::default`] is the contract's. The fields are plain, so code can set what [`Config::from_toml`] and
/// [`Config::set`] would refuse; a document is written all the same, but only a configuration that they accept is
/// sure to survive [`Config::to_toml`].
///
/// ```
/// use tamiz::Config;
///
/// let mut config = Config::default();
/// config.lines.keys_sorted = true;
/// assert_eq!(config.scheme, "http");
/// assert_eq!(Config::from_toml("[lines]\nkeys_sorted = true").unwrap(), config);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The scheme of `U:` where the target names none.
    pub scheme: String,
    /// Which lines a document has.
    pub lines: Lines,
    /// Which flags are raised.
    pub flags: FlagSwitches,
    /// Thresholds.
    pub limits: Limits,
    /// What is added to a shape.
    pub shapes: ShapeSwitches,
    /// How headers are treated.
    pub headers: HeaderSettings,
    /// What else is secret.
    pub secrets: SecretSettings,
    /// Which scripts must not be mixed.
    pub scripts: ScriptSettings,
}

/// The table `[lines]`: which lines a document has.
///
/// ```
/// let lines = tamiz::Config::default().lines;
/// assert!(lines.local_flags && !lines.keys_sorted && !lines.query_by_key);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Write ` [FLAG]` behind the line it was seen on.
    pub local_flags: bool,
    /// Write the `KEYS_SORTED:` line.
    pub keys_sorted: bool,
    /// Write the `QK:` lines.
    pub query_by_key: bool,
}

/// The table `[flags]`: which flags are raised.
///
/// ```
/// use tamiz::{Config, Flag};
///
/// let flags = Config::default().flags;
/// assert_eq!(flags.enable, [Flag::Cookie, Flag::DotCur]);
/// assert_eq!(flags.max_per_name, 64);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagSwitches {
    /// The switches that are on; see [`FlagRow::switch`](crate::table::flags::FlagRow::switch).
    pub enable: Vec<Flag>,
    /// Flags that are never written, whatever `enable` says.
    pub disable: Vec<Flag>,
    /// How many flags of one parameterised name a document has at most.
    pub max_per_name: usize,
}

impl FlagSwitches {
    /// Whether a document may carry the flag: a switch has to be enabled, and what is disabled stays out.
    ///
    /// ```
    /// use tamiz::{Config, Flag};
    ///
    /// let mut flags = Config::default().flags;
    /// assert!(flags.raises(Flag::Angle) && flags.raises(Flag::Cookie) && !flags.raises(Flag::Jwt));
    /// flags.disable.push(Flag::Cookie);
    /// assert!(!flags.raises(Flag::Cookie));
    /// ```
    #[must_use]
    pub fn raises(&self, flag: Flag) -> bool {
        (!flag.row().switch || self.enable.contains(&flag)) && !self.disable.contains(&flag)
    }
}

/// The table `[limits]`: thresholds.
///
/// ```
/// let limits = tamiz::Config::default().limits;
/// assert_eq!((limits.long_value, limits.user_agent_tokens), (1024, 12));
/// assert_eq!(limits.buckets, [15, 31, 63, 127, 255, 511, 1023]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A query or form value of more bytes than this raises QLONG.
    pub long_value: usize,
    /// How many tokens of a user agent are written.
    pub user_agent_tokens: usize,
    /// A container or element of a body inside of so many others is not entered.
    pub body_depth: usize,
    /// How many fields of a JSON, multipart or XML body are listed.
    pub body_fields: usize,
    /// How many bytes a content coding may give.
    pub inflated_bytes: usize,
    /// How many times its input a content coding may give, over 64 KiB.
    pub inflation_ratio: usize,
    /// The upper bounds of the length buckets, ascending; what is above the last has a bucket of its own.
    pub buckets: Vec<u64>,
}

/// The table `[shapes]`: what is added to a shape.
///
/// ```
/// let shapes = tamiz::Config::default().shapes;
/// assert!(!shapes.entropy && !shapes.length_bucket);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeSwitches {
    /// Write the `rand` suffix for values of high entropy.
    pub entropy: bool,
    /// Write `<shape:len@bucket>`.
    pub length_bucket: bool,
}

/// The table `[headers]`: how headers are treated.
///
/// ```
/// let headers = tamiz::Config::default().headers;
/// assert!(headers.normalise_values && headers.known.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderSettings {
    /// Bring the values of known headers into one form; redaction happens either way.
    pub normalise_values: bool,
    /// Lower-case names that UNKHDR lets pass, besides the registered ones.
    pub known: Vec<String>,
}

/// The table `[secrets]`: what else is secret.
///
/// ```
/// assert!(tamiz::Config::default().secrets.extra_names.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretSettings {
    /// Words that make a name sensitive, besides the built-in ones.
    pub extra_names: Vec<String>,
}

/// The table `[scripts]`: which scripts must not be mixed.
///
/// ```
/// let mixed = tamiz::Config::default().scripts.mixed;
/// assert_eq!(mixed.iter().map(|script| script.name()).collect::<Vec<_>>(), ["Latin", "Cyrillic", "Greek"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSettings {
    /// Two of these in one run of letters raise MIXEDSCRIPT.
    pub mixed: Vec<ScriptName>,
}

/// A Unicode script that letters can belong to.
///
/// It is read from its Unicode name, long or short, and written with the long one.
///
/// ```
/// let mut config = tamiz::Config::default();
/// config.scripts.mixed.push("Armn".parse()?);
/// assert_eq!(config.scripts.mixed[3].name(), "Armenian");
/// # Ok::<(), tamiz::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptName(Script);

impl ScriptName {
    /// The long Unicode name.
    ///
    /// ```
    /// assert_eq!(tamiz::Config::default().scripts.mixed[0].name(), "Latin");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.long_name()
    }

    /// The property value to compare with a character's.
    pub(crate) fn script(self) -> Script {
        self.0
    }

    fn from_name(name: &str) -> Option<ScriptName> {
        let script = PropertyParser::<Script>::new().get_strict(name)?;
        // Digits, punctuation and marks: as a script to be mixed, they would make every word a mixture.
        let letters = ![Script::Common, Script::Inherited, Script::Unknown].contains(&script);
        letters.then_some(ScriptName(script))
    }
}

impl FromStr for ScriptName {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<ScriptName, ConfigError> {
        ScriptName::from_name(name).ok_or_else(|| ConfigError {
            line: None,
            key: "scripts.mixed".to_owned(),
            reason: NO_SCRIPT.to_owned(),
        })
    }
}

const NO_SCRIPT: &str = "not the Unicode name of a script with letters, such as `Latin`";

impl Default for Config {
    fn default() -> Config {
        Config {
            scheme: "http".to_owned(),
            lines: Lines { local_flags: true, keys_sorted: false, query_by_key: false },
            flags: FlagSwitches {
                enable: FLAGS.iter().filter(|row| row.switch && row.default).map(|row| row.flag).collect(),
                disable: Vec::new(),
                max_per_name: limits::MAX_PER_NAME,
            },
            limits: Limits {
                long_value: limits::LONG_VALUE,
                user_agent_tokens: limits::USER_AGENT_TOKENS,
                body_depth: limits::BODY_DEPTH,
                body_fields: limits::BODY_FIELDS,
                inflated_bytes: limits::INFLATED_BYTES,
                inflation_ratio: limits::INFLATION_RATIO,
                buckets: vec![15, 31, 63, 127, 255, 511, 1023],
            },
            shapes: ShapeSwitches { entropy: false, length_bucket: false },
            headers: HeaderSettings { normalise_values: true, known: Vec::new() },
            secrets: SecretSettings { extra_names: Vec::new() },
            scripts: ScriptSettings {
                mixed: [Script::Latin, Script::Cyrillic, Script::Greek].map(ScriptName).to_vec(),
            },
        }
    }
}

/// One key of the configuration.
struct Key {
    /// Its dotted name; the part before the dot is its table.
    name: &'static str,
    /// One line for the file.
    doc: &'static str,
    /// Takes a value over into the configuration, which stays as it was when the value is refused.
    read: fn(&mut Config, Given<'_>) -> Result<(), Vec<Fault>>,
    /// The value to write.
    write: fn(&Config) -> Setting<'_>,
}

/// All keys, in the order of the contract; the keys of a table stand together.
const KEYS: &[Key] = &[
    Key {
        name: "scheme",
        doc: "for origin-form targets",
        read: |config, given| given.scheme().map(|scheme| config.scheme = scheme),
        write: |config| Setting::Text(&config.scheme),
    },
    Key {
        name: "lines.local_flags",
        doc: "` [FLAG]` behind the line it was seen on",
        read: |config, given| given.switch().map(|on| config.lines.local_flags = on),
        write: |config| Setting::Switch(config.lines.local_flags),
    },
    Key {
        name: "lines.keys_sorted",
        doc: "the KEYS_SORTED: line",
        read: |config, given| given.switch().map(|on| config.lines.keys_sorted = on),
        write: |config| Setting::Switch(config.lines.keys_sorted),
    },
    Key {
        name: "lines.query_by_key",
        doc: "the QK: lines",
        read: |config, given| given.switch().map(|on| config.lines.query_by_key = on),
        write: |config| Setting::Switch(config.lines.query_by_key),
    },
    Key {
        name: "flags.enable",
        doc: "of COOKIE DOTCUR DOTDOTN JWT MULTIENC PCTUNRES PERCENT_IN_PATH UNKHDR",
        read: |config, given| given.names(switch_named).map(|flags| config.flags.enable = flags),
        write: |config| Setting::names(&config.flags.enable, |flag| flag.name()),
    },
    Key {
        name: "flags.disable",
        doc: "any flag that is not wanted in documents; it wins over enable",
        read: |config, given| given.names(flag_named).map(|flags| config.flags.disable = flags),
        write: |config| Setting::names(&config.flags.disable, |flag| flag.name()),
    },
    Key {
        name: "flags.max_per_name",
        doc: "flags of one parameterised name; what is left out is counted in FLAGOVERFLOW",
        read: |config, given| given.count(1).map(|count| config.flags.max_per_name = count),
        write: |config| Setting::Count(config.flags.max_per_name),
    },
    Key {
        name: "limits.long_value",
        doc: "bytes; a longer value raises QLONG",
        read: |config, given| given.count(0).map(|count| config.limits.long_value = count),
        write: |config| Setting::Count(config.limits.long_value),
    },
    Key {
        name: "limits.user_agent_tokens",
        doc: "tokens of a user agent; more raise UATRUNC",
        read: |config, given| given.count(1).map(|count| config.limits.user_agent_tokens = count),
        write: |config| Setting::Count(config.limits.user_agent_tokens),
    },
    Key {
        name: "limits.body_depth",
        doc: "nested containers of a body; what is deeper raises JSONDEPTH or XMLDEPTH",
        read: |config, given| given.count(0).map(|count| config.limits.body_depth = count),
        write: |config| Setting::Count(config.limits.body_depth),
    },
    Key {
        name: "limits.body_fields",
        doc: "fields of a body that are listed; more raise BODYCUT",
        read: |config, given| given.count(1).map(|count| config.limits.body_fields = count),
        write: |config| Setting::Count(config.limits.body_fields),
    },
    Key {
        name: "limits.inflated_bytes",
        doc: "bytes; a content coding that gives more raises BOMB",
        read: |config, given| given.count(0).map(|count| config.limits.inflated_bytes = count),
        write: |config| Setting::Count(config.limits.inflated_bytes),
    },
    Key {
        name: "limits.inflation_ratio",
        doc: "times; a content coding that grows more, over 64 KiB, raises BOMB",
        read: |config, given| given.count(1).map(|count| config.limits.inflation_ratio = count),
        write: |config| Setting::Count(config.limits.inflation_ratio),
    },
    Key {
        name: "limits.buckets",
        doc: "upper bounds, ascending; above the last: \">1023\"",
        read: |config, given| given.bounds().map(|bounds| config.limits.buckets = bounds),
        write: |config| Setting::Bounds(&config.limits.buckets),
    },
    Key {
        name: "shapes.entropy",
        doc: "the rand suffix",
        read: |config, given| given.switch().map(|on| config.shapes.entropy = on),
        write: |config| Setting::Switch(config.shapes.entropy),
    },
    Key {
        name: "shapes.length_bucket",
        doc: "<shape:len@bucket>",
        read: |config, given| given.switch().map(|on| config.shapes.length_bucket = on),
        write: |config| Setting::Switch(config.shapes.length_bucket),
    },
    Key {
        name: "headers.normalise_values",
        doc: "one form for the values of known headers; secrets are redacted either way",
        read: |config, given| given.switch().map(|on| config.headers.normalise_values = on),
        write: |config| Setting::Switch(config.headers.normalise_values),
    },
    Key {
        name: "headers.known",
        doc: "names that UNKHDR lets pass, besides the registered ones",
        read: |config, given| given.names(header_named).map(|names| config.headers.known = names),
        write: |config| Setting::names(&config.headers.known, String::as_str),
    },
    Key {
        name: "secrets.extra_names",
        doc: "added to the built-in list",
        read: |config, given| given.names(secret_named).map(|names| config.secrets.extra_names = names),
        write: |config| Setting::names(&config.secrets.extra_names, String::as_str),
    },
    Key {
        name: "scripts.mixed",
        doc: "two of these in one run of letters raise MIXEDSCRIPT",
        read: |config, given| given.names(script_named).map(|scripts| config.scripts.mixed = scripts),
        write: |config| Setting::names(&config.scripts.mixed, |script| script.name()),
    },
];

impl Key {
    fn named(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The table the key stands in (empty at the top of the file), and its name there.
    fn split(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }

    fn tables() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|key| key.split().0).filter(|table| !table.is_empty())
    }
}

impl Config {
    /// Reads a configuration file; what it does not mention has its default.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, in the order of its lines. After a syntax error the rest of the text has no
    /// certain meaning, so keys are judged up to its line only.
    ///
    /// ```
    /// use tamiz::{Config, Flag};
    ///
    /// let config = Config::from_toml("[flags]\ndisable = [\"WSPAD\"]").unwrap();
    /// assert_eq!(config.flags.disable, [Flag::WsPad]);
    ///
    /// let errors = Config::from_toml("sheme = \"https\"\n[lines]\nkeys_sorted = 1").unwrap_err();
    /// assert_eq!(errors[0].to_string(), "line 1: sheme: unknown key; did you mean `scheme`?");
    /// assert_eq!(errors[1].to_string(), "line 3: lines.keys_sorted: expected a boolean, found an integer");
    /// ```
    pub fn from_toml(text: &str) -> Result<Config, Vec<ConfigError>> {
        let (table, syntax) = DeTable::parse_recoverable(text);
        let mut reader = Reader { config: Config::default(), faults: Vec::new() };
        reader.table("", table.get_ref());
        let Reader { config, mut faults } = reader;

        let line_of = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        let syntax: Vec<_> = syntax
            .iter()
            .map(|error| {
                let offset = error.span().map_or(text.len(), |span| span.start);
                (String::new(), Fault { offset, reason: format!("not TOML: {}", error.message()) })
            })
            .collect();
        if let Some(first) = syntax.iter().map(|(_, fault)| line_of(fault.offset)).min() {
            faults.retain(|(_, fault)| line_of(fault.offset) < first);
        }
        faults.extend(syntax);
        if faults.is_empty() {
            return Ok(config);
        }
        faults.sort_by_key(|(_, fault)| fault.offset);
        let errors = faults.into_iter().map(|(key, fault)| ConfigError {
            line: Some(line_of(fault.offset)),
            key,
            reason: fault.reason,
        });
        Err(errors.collect())
    }

    /// Sets one key by its dotted name to a TOML value; a bare word that is no TOML value is taken as a string.
    ///
    /// # Errors
    ///
    /// As [`Config::from_toml`], but without a line, and all that is wrong with a list in one error. The configuration
    /// stays as it was.
    ///
    /// ```
    /// let mut config = tamiz::Config::default();
    /// config.set("lines.keys_sorted", "true")?;
    /// config.set("scheme", "https")?;
    /// assert!(config.lines.keys_sorted && config.scheme == "https");
    ///
    /// let error = config.set("lines.keys_sorted", "yes").unwrap_err();
    /// assert_eq!(error.to_string(), "lines.keys_sorted: expected a boolean, found a string");
    /// # Ok::<(), tamiz::ConfigError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let refuse = |reason| {
            let parts: Vec<_> = key.split('.').map(shown).collect();
            ConfigError { line: None, key: parts.join("."), reason }
        };
        let Some(row) = Key::named(key) else {
            let inside = KEYS.iter().find(|row| row.split().0 == key && !key.is_empty());
            return Err(refuse(match inside {
                Some(row) => format!("a table; set one of its keys, such as `{}`", row.name),
                None => unknown_key(key),
            }));
        };
        let value = match DeValue::parse(value) {
            Ok(value) => value.into_inner(),
            Err(_) if is_bare_word(value) => DeValue::String(Cow::Borrowed(value)),
            Err(error) => return Err(refuse(format!("not a TOML value: {}", error.message()))),
        };
        (row.read)(self, Given { offset: 0, value: &value }).map_err(|faults| {
            let reasons: Vec<_> = faults.into_iter().map(|fault| fault.reason).collect();
            refuse(reasons.join("; "))
        })
    }

    /// Writes the configuration as a file with comments, all keys in the order of the contract.
    ///
    /// ```
    /// use tamiz::Config;
    ///
    /// let config = Config::default();
    /// assert!(config.to_toml().starts_with("# for origin-form targets\nscheme = \"http\"\n\n[lines]\n"));
    /// assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
    /// ```
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let mut current = "";
        for key in KEYS {
            let (table, name) = key.split();
            if table != current {
                // Writing to a string cannot fail; the same holds below.
                let _ = writeln!(out, "\n[{table}]");
                current = table;
            }
            let _ = writeln!(out, "# {}\n{name} = {}", key.doc, (key.write)(self).to_toml());
        }
        out
    }

    /// A number that tells two configurations (and contract versions) apart: documents of different fingerprints must
    /// not be mixed in one data set.
    ///
    /// It is the 64-bit FNV-1a hash (offset basis `0xcbf29ce484222325`, prime `0x100000001b3`) of this UTF-8 text: the
    /// contract version and a LF; then for each key, in the byte order of their dotted names, `name=value` and a LF.
    ///
    /// - A boolean is `true` or `false`; a number is decimal; a string stands as it is.
    /// - The items of a list are joined by `,`. An empty list is the empty string.
    /// - In lists of names (all lists but `limits.buckets`) order means nothing: the names are sorted by bytes, each
    ///   once, and then written with `\\` for `\`, `\,` for `,` and `\n` for LF.
    /// - Flags and scripts have their full names, header names are in lower case.
    ///
    /// ```
    /// use tamiz::Config;
    ///
    /// let one = Config::from_toml("[flags]\nenable = [\"JWT\", \"COOKIE\"]").unwrap();
    /// let two = Config::from_toml("[flags]\nenable = [\"COOKIE\", \"JWT\"]").unwrap();
    /// assert_eq!(one.fingerprint(), two.fingerprint());
    /// assert_ne!(one.fingerprint(), Config::default().fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint_text()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    fn fingerprint_text(&self) -> String {
        let mut keys: Vec<&Key> = KEYS.iter().collect();
        keys.sort_by_key(|key| key.name);
        let mut text = format!("{CONTRACT}\n");
        for key in keys {
            let _ = writeln!(text, "{}={}", key.name, (key.write)(self).to_canonical());
        }
        text
    }
}

/// A file being read: what it has set so far, and what was wrong, with the path that is to be shown.
struct Reader {
    config: Config,
    faults: Vec<(String, Fault)>,
}

impl Reader {
    /// Takes over a table of the file; `prefix` is empty for the file itself, else the table's name and a dot.
    fn table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let (offset, name) = (name.span().start, name.get_ref());
            let path = format!("{prefix}{name}");
            let given = Given { offset: value.span().start, value: value.get_ref() };
            // A quoted name with a dot in it is not the path that it looks like.
            let key = Key::named(&path).filter(|_| !name.contains('.'));
            let is_table = prefix.is_empty() && Key::tables().any(|table| table == name);

            let faults = match (key, given.value) {
                (Some(key), _) => (key.read)(&mut self.config, given).err().unwrap_or_default(),
                (None, DeValue::Table(inner)) if is_table => {
                    self.table(&format!("{name}."), inner);
                    continue;
                }
                (None, _) if is_table => vec![given.unlike("a table")],
                (None, DeValue::Table(_)) => vec![Fault { offset, reason: unknown_table(&path) }],
                (None, _) => vec![Fault { offset, reason: unknown_key(&path) }],
            };
            let shown = format!("{prefix}{}", shown(name));
            self.faults.extend(faults.into_iter().map(|fault| (shown.clone(), fault)));
        }
    }
}

/// Something wrong with a value, and where.
struct Fault {
    offset: usize,
    reason: String,
}

/// A value of the file, or of [`Config::set`], and where it stands.
#[derive(Clone, Copy)]
struct Given<'a> {
    offset: usize,
    value: &'a DeValue<'a>,
}

/// The greatest number that a key takes: the same on every machine, so that a file is good or bad everywhere.
const GREATEST: u32 = u32::MAX;

impl<'a> Given<'a> {
    fn switch(self) -> Result<bool, Vec<Fault>> {
        self.value.as_bool().ok_or_else(|| vec![self.unlike("a boolean")])
    }

    fn scheme(self) -> Result<String, Vec<Fault>> {
        let scheme = self.value.as_str().ok_or_else(|| vec![self.unlike("a string")])?;
        let legal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'.' | b'-');
        if scheme.starts_with(|first: char| first.is_ascii_lowercase()) && scheme.bytes().all(legal) {
            Ok(scheme.to_owned())
        } else {
            Err(vec![self.fault("not a scheme: a lower-case letter, then lower-case letters, digits, `+`, `.` or `-`")])
        }
    }

    fn count(self, least: u32) -> Result<usize, Vec<Fault>> {
        let number = self.number().map_err(|fault| vec![fault])?;
        if number < least {
            return Err(vec![self.fault(format!("must be at least {least}"))]);
        }
        usize::try_from(number).map_err(|_| vec![self.fault("too great for this machine")])
    }

    fn bounds(self) -> Result<Vec<u64>, Vec<Fault>> {
        let bounds = self.items("an array of integers", Given::number)?;
        let mut faults: Vec<_> =
            if bounds.is_empty() { vec![self.fault("must have at least one bound")] } else { vec![] };
        for (i, pair) in bounds.windows(2).enumerate() {
            if pair[0] >= pair[1] {
                faults.push(self.fault(format!("item {}: must be greater than the item before it", i + 2)));
            }
        }
        if faults.is_empty() { Ok(bounds.into_iter().map(u64::from).collect()) } else { Err(faults) }
    }

    /// A list of strings, each of which `parse` knows or gives a reason against.
    fn names<T>(self, parse: fn(&str) -> Result<T, String>) -> Result<Vec<T>, Vec<Fault>> {
        self.items("an array of strings", |item| {
            let name = item.value.as_str().ok_or_else(|| item.unlike("a string"))?;
            parse(name).map_err(|reason| item.fault(reason))
        })
    }

    fn items<T>(self, expected: &str, read: impl Fn(Given<'a>) -> Result<T, Fault>) -> Result<Vec<T>, Vec<Fault>> {
        let items = self.value.as_array().ok_or_else(|| vec![self.unlike(expected)])?;
        let (mut good, mut faults) = (Vec::with_capacity(items.len()), Vec::new());
        for (i, item) in items.iter().enumerate() {
            match read(Given { offset: item.span().start, value: item.get_ref() }) {
                Ok(item) => good.push(item),
                Err(Fault { offset, reason }) => {
                    faults.push(Fault { offset, reason: format!("item {}: {reason}", i + 1) })
                }
            }
        }
        if faults.is_empty() { Ok(good) } else { Err(faults) }
    }

    fn number(self) -> Result<u32, Fault> {
        let integer = self.value.as_integer().ok_or_else(|| self.unlike("an integer"))?;
        if integer.as_str().starts_with('-') {
            return Err(self.fault("must not be negative"));
        }
        u32::from_str_radix(integer.as_str(), integer.radix())
            .map_err(|_| self.fault(format!("must be at most {GREATEST}")))
    }

    fn fault(self, reason: impl Into<String>) -> Fault {
        Fault { offset: self.offset, reason: reason.into() }
    }

    /// The value is of the wrong type. Only the type is said: a value can be a secret that slipped into the file.
    fn unlike(self, expected: &str) -> Fault {
        let found = match self.value {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.fault(format!("expected {expected}, found {found}"))
    }
}

fn flag_named(name: &str) -> Result<Flag, String> {
    Flag::from_name(name).ok_or_else(|| {
        let suggestion = did_you_mean(name, FLAGS.iter().map(|row| row.name));
        format!("no flag has this name{suggestion}")
    })
}

fn switch_named(name: &str) -> Result<Flag, String> {
    let flag = flag_named(name)?;
    if flag.row().switch {
        return Ok(flag);
    }
    let switches: Vec<_> = FLAGS.iter().filter(|row| row.switch).map(|row| row.name).collect();
    Err(format!("this flag is always on; the switches are {}", switches.join(", ")))
}

/// In lower case, as header names are compared.
fn header_named(name: &str) -> Result<String, String> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(token) {
        return Err("not a header name".to_owned());
    }
    Ok(name.to_ascii_lowercase())
}

/// As written: names are folded where they are compared. That leaves nothing of a name without letters and digits, and
/// nothing is contained in every name.
fn secret_named(name: &str) -> Result<String, String> {
    if name.chars().any(char::is_alphanumeric) { Ok(name.to_owned()) } else { Err("has no letter or digit".to_owned()) }
}

fn script_named(name: &str) -> Result<ScriptName, String> {
    ScriptName::from_name(name).ok_or_else(|| NO_SCRIPT.to_owned())
}

fn unknown_key(path: &str) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    // The right name in the wrong table is likelier than a slip in the whole path.
    match KEYS.iter().find(|key| key.split().1 == last) {
        Some(key) => format!("unknown key; did you mean `{}`?", key.name),
        None => format!("unknown key{}", did_you_mean(path, KEYS.iter().map(|key| key.name))),
    }
}

fn unknown_table(path: &str) -> String {
    format!("unknown table{}", did_you_mean(path, Key::tables()))
}

/// The nearest candidate as the end of a message, or nothing where none is near.
fn did_you_mean(name: &str, candidates: impl Iterator<Item = &'static str>) -> String {
    let near = |&(distance, candidate): &(usize, &str)| distance <= (candidate.len() / 3).max(1);
    match candidates.map(|candidate| (edit_distance(name, candidate), candidate)).filter(near).min() {
        Some((_, candidate)) => format!("; did you mean `{candidate}`?"),
        None => String::new(),
    }
}

/// Levenshtein's, without regard to case.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// A name of the file as TOML writes it: what is not bare is quoted, so that a name cannot break a message's line.
fn shown(name: &str) -> Cow<'_, str> {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) { Cow::Borrowed(name) } else { Cow::Owned(quoted(name)) }
}

/// What `--set scheme=https` may have without quotes.
fn is_bare_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+.".contains(&byte))
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The value of a key, ready to be written.
enum Setting<'a> {
    Switch(bool),
    Count(usize),
    Text(&'a str),
    Bounds(&'a [u64]),
    /// Names whose order means nothing.
    Names(Vec<&'a str>),
}

impl<'a> Setting<'a> {
    fn names<T>(items: &'a [T], name: fn(&'a T) -> &'a str) -> Setting<'a> {
        Setting::Names(items.iter().map(name).collect())
    }

    fn to_toml(&self) -> String {
        match self {
            Setting::Switch(on) => on.to_string(),
            Setting::Count(count) => count.to_string(),
            Setting::Text(text) => quoted(text),
            Setting::Bounds(bounds) => format!("[{}]", joined(bounds.iter().map(u64::to_string), ", ")),
            Setting::Names(names) => format!("[{}]", joined(names.iter().map(|name| quoted(name)), ", ")),
        }
    }

    /// The form that [`Config::fingerprint`] hashes and documents.
    fn to_canonical(&self) -> String {
        match self {
            Setting::Switch(on) => on.to_string(),
            Setting::Count(count) => count.to_string(),
            Setting::Text(text) => (*text).to_owned(),
            Setting::Bounds(bounds) => joined(bounds.iter().map(u64::to_string), ","),
            Setting::Names(names) => {
                let names: BTreeSet<_> = names.iter().collect();
                let escape = |name: &&&str| name.replace('\\', "\\\\").replace(',', "\\,").replace('\n', "\\n");
                joined(names.iter().map(escape), ",")
            }
        }
    }
}

fn joined(items: impl Iterator<Item = String>, separator: &str) -> String {
    items.collect::<Vec<_>>().join(separator)
}

/// What is wrong with one key of a configuration.
///
/// ```
/// use tamiz::Config;
///
/// let errors = Config::from_toml("[limits]\nbuckets = []").unwrap_err();
/// assert_eq!(errors[0].to_string(), "line 2: limits.buckets: must have at least one bound");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    line: Option<usize>,
    key: String,
    reason: String,
}

impl ConfigError {
    /// The line of the file, from 1; none outside a file.
    ///
    /// ```
    /// let errors = tamiz::Config::from_toml("\nscheme = 1").unwrap_err();
    /// assert_eq!(errors[0].line(), Some(2));
    /// ```
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The dotted name of the key; empty where the text is not TOML.
    ///
    /// ```
    /// let errors = tamiz::Config::from_toml("[lines]\nlocal_flags = 1").unwrap_err();
    /// assert_eq!(errors[0].key(), "lines.local_flags");
    /// ```
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong, without the value: it may be a secret that slipped into the file.
    ///
    /// ```
    /// let errors = tamiz::Config::from_toml("scheme = 1").unwrap_err();
    /// assert_eq!(errors[0].reason(), "expected a string, found an integer");
    /// ```
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// `line 3: flags.enable: reason`, without the parts that are not known.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The errors of a file, as a user sees them.
    fn errors(text: &str) -> Vec<String> {
        Config::from_toml(text).unwrap_err().iter().map(ConfigError::to_string).collect()
    }

    /// A configuration in which no key has its default.
    fn unusual() -> Config {
        let text = r#"
            scheme = "coap+tcp"
            lines = { local_flags = false, keys_sorted = true, query_by_key = true }
            [flags]
            enable = ["UNKHDR", "JWT"]
            disable = ["WSPAD", "JWT", "FLAGOVERFLOW"]
            max_per_name = 1
            [limits]
            long_value = 0
            user_agent_tokens = 0x10
            body_depth = 7
            body_fields = 1_000
            inflated_bytes = 0
            inflation_ratio = 1
            buckets = [0, 1_000]
            [shapes]
            entropy = true
            length_bucket = true
            [headers]
            normalise_values = false
            known = ["X-Ours", "x_theirs"]
            [secrets]
            extra_names = ["clave,\"", "contraseña", "a\\b\nc\u2028d"]
            [scripts]
            mixed = ["Latn", "Han"]
        "#;
        Config::from_toml(text).unwrap()
    }

    #[test]
    fn default_is_the_contracts() {
        let text = r#"
            scheme = "http"
            [lines]
            local_flags  = true
            keys_sorted  = false
            query_by_key = false
            [flags]
            enable  = ["COOKIE", "DOTCUR"]
            disable = []
            max_per_name = 64
            [limits]
            long_value        = 1024
            user_agent_tokens = 12
            body_depth        = 64
            body_fields       = 4096
            inflated_bytes    = 8388608
            inflation_ratio   = 100
            buckets = [15, 31, 63, 127, 255, 511, 1023]
            [shapes]
            entropy       = false
            length_bucket = false
            [headers]
            normalise_values = true
            known = []
            [secrets]
            extra_names = []
            [scripts]
            mixed = ["Latin", "Cyrillic", "Greek"]
        "#;
        assert_eq!(Config::from_toml(text), Ok(Config::default()));
        assert_eq!(Config::from_toml(""), Ok(Config::default()));
        let listed = text.lines().filter(|line| line.contains('=')).count();
        assert_eq!(KEYS.len(), listed, "the contract lists every key");
    }

    #[test]
    fn values_are_parsed() {
        let config = unusual();
        assert_eq!(config.flags.enable, [Flag::UnkHdr, Flag::Jwt]);
        assert!(config.flags.raises(Flag::UnkHdr));
        assert!(!config.flags.raises(Flag::Jwt), "disable wins");
        assert_eq!(config.limits.user_agent_tokens, 16);
        assert_eq!(config.limits.buckets, [0, 1000]);
        assert_eq!(config.headers.known, ["x-ours", "x_theirs"]);
        let scripts: Vec<_> = config.scripts.mixed.iter().map(|script| script.script()).collect();
        assert_eq!(scripts, [Script::Latin, Script::Han]);
    }

    #[test]
    fn keys_are_well_formed() {
        let mut tables: Vec<_> = Key::tables().collect();
        tables.dedup();
        let mut unique = tables.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(tables.len(), unique.len(), "the keys of a table stand together");
        for (i, key) in KEYS.iter().enumerate() {
            assert!(KEYS[..i].iter().all(|other| other.name != key.name), "{} twice", key.name);
            assert!(!key.doc.is_empty() && !key.doc.contains('\n'), "{}", key.name);
            assert!(key.name.split('.').all(|part| shown(part) == part), "{}", key.name);
            assert!(!tables.contains(&key.name), "{} is a table, too", key.name);
        }
    }

    #[test]
    fn the_file_lists_the_switches() {
        let switches: Vec<_> = FLAGS.iter().filter(|row| row.switch).map(|row| row.name).collect();
        assert_eq!(Key::named("flags.enable").unwrap().doc, format!("of {}", switches.join(" ")));
    }

    #[test]
    fn each_key_reads_what_it_writes_and_nothing_else() {
        let unusual = unusual();
        for key in KEYS {
            let mut config = Config::default();
            config.set(key.name, &(key.write)(&unusual).to_toml()).unwrap();
            for other in KEYS {
                let expected = if other.name == key.name { &unusual } else { &Config::default() };
                assert_eq!((other.write)(&config).to_toml(), (other.write)(expected).to_toml(), "{}", other.name);
            }
            assert_ne!(config, Config::default(), "{}", key.name);
        }
    }

    #[test]
    fn writing_can_be_read() {
        for config in [Config::default(), unusual()] {
            assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
        }
    }

    #[test]
    fn written_file_reads_well() {
        let text = Config::default().to_toml();
        let start = "# for origin-form targets\nscheme = \"http\"\n\n[lines]\n\
                     # ` [FLAG]` behind the line it was seen on\nlocal_flags = true\n\
                     # the KEYS_SORTED: line\nkeys_sorted = false\n";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("\nenable = [\"COOKIE\", \"DOTCUR\"]\n"), "{text}");
        assert!(text.ends_with("\nmixed = [\"Latin\", \"Cyrillic\", \"Greek\"]\n"), "{text}");
    }

    #[test]
    fn fingerprint_text_is_canonical() {
        let expected = "1.1\nflags.disable=\nflags.enable=COOKIE,DOTCUR\nflags.max_per_name=64\nheaders.known=\n\
            headers.normalise_values=true\nlimits.body_depth=64\nlimits.body_fields=4096\n\
            limits.buckets=15,31,63,127,255,511,1023\nlimits.inflated_bytes=8388608\n\
            limits.inflation_ratio=100\nlimits.long_value=1024\n\
            limits.user_agent_tokens=12\nlines.keys_sorted=false\nlines.local_flags=true\nlines.query_by_key=false\n\
            scheme=http\nscripts.mixed=Cyrillic,Greek,Latin\nsecrets.extra_names=\nshapes.entropy=false\n\
            shapes.length_bucket=false\n";
        assert_eq!(Config::default().fingerprint_text(), expected);
        let unusual = unusual().fingerprint_text();
        assert!(unusual.contains("\nsecrets.extra_names=a\\\\b\\nc\u{2028}d,clave\\,\",contraseña\n"), "{unusual}");
    }

    #[test]
    fn fingerprint_sees_every_key_and_no_order_of_names() {
        let default = Config::default().fingerprint();
        assert_eq!(default, FINGERPRINT_OF_DEFAULT, "{default:#018x}");
        for key in KEYS {
            let mut config = Config::default();
            config.set(key.name, &(key.write)(&unusual()).to_toml()).unwrap();
            assert_ne!(config.fingerprint(), default, "{}", key.name);
        }
        let mut config = Config::default();
        config.flags.enable.reverse();
        config.flags.enable.push(Flag::Cookie);
        config.scripts.mixed.reverse();
        assert_eq!(config.fingerprint(), default);
    }

    /// Worked out apart from this code, from the description at [`Config::fingerprint`].
    const FINGERPRINT_OF_DEFAULT: u64 = 0x4796_b3aa_11e0_4cd6;

    #[test]
    fn unknown_names() {
        let text = "colour = 1\nkeys_sorted = true\n\"lines.keys_sorted\" = true\n\"a\\nb\" = 1\n\
                    [lines]\nkey_sorted = true\nenable = []\n[line]\nx = 1\n[lines.more]\n[zzz]\n[Flags]\n";
        let expected = [
            "line 1: colour: unknown key",
            "line 2: keys_sorted: unknown key; did you mean `lines.keys_sorted`?",
            "line 3: \"lines.keys_sorted\": unknown key; did you mean `lines.keys_sorted`?",
            "line 4: \"a\\u000Ab\": unknown key",
            "line 6: lines.key_sorted: unknown key; did you mean `lines.keys_sorted`?",
            "line 7: lines.enable: unknown key; did you mean `flags.enable`?",
            "line 8: line: unknown table; did you mean `lines`?",
            "line 10: lines.more: unknown table",
            "line 11: zzz: unknown table",
            "line 12: Flags: unknown table; did you mean `flags`?",
        ];
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn wrong_types_are_named_without_the_value() {
        let text = "scheme = 7\nshapes = \"hunter2\"\n[lines]\nlocal_flags = \"hunter2\"\nkeys_sorted = 1.5\n\
                    query_by_key = 2024-01-15\n[flags]\nenable = \"COOKIE\"\n\
                    disable = [\n  \"WSPAD\",\n  7,\n  [],\n]\n\
                    max_per_name = true\n[limits]\nlong_value = \"1024\"\nbuckets = [15, \"31\"]\n\
                    user_agent_tokens = 12.0\n[[headers]]\n[secrets.extra_names]\n";
        let expected = [
            "line 1: scheme: expected a string, found an integer",
            "line 2: shapes: expected a table, found a string",
            "line 4: lines.local_flags: expected a boolean, found a string",
            "line 5: lines.keys_sorted: expected a boolean, found a float",
            "line 6: lines.query_by_key: expected a boolean, found a date or time",
            "line 8: flags.enable: expected an array of strings, found a string",
            "line 11: flags.disable: item 2: expected a string, found an integer",
            "line 12: flags.disable: item 3: expected a string, found an array",
            "line 14: flags.max_per_name: expected an integer, found a boolean",
            "line 16: limits.long_value: expected an integer, found a string",
            "line 17: limits.buckets: item 2: expected an integer, found a string",
            "line 18: limits.user_agent_tokens: expected an integer, found a float",
            "line 19: headers: expected a table, found an array",
            "line 20: secrets.extra_names: expected an array of strings, found a table",
        ];
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn impossible_numbers() {
        let text =
            "[flags]\nmax_per_name = 0\n[limits]\nlong_value = -1\nuser_agent_tokens = 0\nbuckets = [-1, 4294967296]\n";
        let expected = [
            "line 2: flags.max_per_name: must be at least 1",
            "line 4: limits.long_value: must not be negative",
            "line 5: limits.user_agent_tokens: must be at least 1",
            "line 6: limits.buckets: item 1: must not be negative",
            "line 6: limits.buckets: item 2: must be at most 4294967295",
        ];
        assert_eq!(errors(text), expected);
        assert_eq!(errors("limits.buckets = []"), ["line 1: limits.buckets: must have at least one bound"]);
        let expected = [
            "line 1: limits.buckets: item 2: must be greater than the item before it",
            "line 1: limits.buckets: item 4: must be greater than the item before it",
        ];
        assert_eq!(errors("limits.buckets = [15, 15, 31, 7]"), expected);
    }

    #[test]
    fn impossible_names() {
        let text = "[flags]\nenable = [\"COOKIE\", \"ANGLE\", \"cookie\", \"hunter2\"]\n\
                    disable = [\"WSPADS\", \"COOKIE:2\"]\n\
                    [headers]\nknown = [\"x-ours\", \"\", \"x ours\", \"ñ\"]\n\
                    [secrets]\nextra_names = [\"\", \" -_.\"]\n\
                    [scripts]\nmixed = [\"Latin\", \"latin\", \"Klingon\", \"Common\"]\n";
        let no_script = "not the Unicode name of a script with letters, such as `Latin`";
        let expected = [
            "line 2: flags.enable: item 2: this flag is always on; the switches are COOKIE, DOTCUR, DOTDOTN, JWT, \
             MULTIENC, PCTUNRES, PERCENT_IN_PATH, UNKHDR",
            "line 2: flags.enable: item 3: no flag has this name; did you mean `COOKIE`?",
            "line 2: flags.enable: item 4: no flag has this name",
            "line 3: flags.disable: item 1: no flag has this name; did you mean `WSPAD`?",
            "line 3: flags.disable: item 2: no flag has this name; did you mean `COOKIE`?",
            "line 5: headers.known: item 2: not a header name",
            "line 5: headers.known: item 3: not a header name",
            "line 5: headers.known: item 4: not a header name",
            "line 7: secrets.extra_names: item 1: has no letter or digit",
            "line 7: secrets.extra_names: item 2: has no letter or digit",
            &format!("line 9: scripts.mixed: item 2: {no_script}"),
            &format!("line 9: scripts.mixed: item 3: {no_script}"),
            &format!("line 9: scripts.mixed: item 4: {no_script}"),
        ];
        assert_eq!(errors(text), expected);
        assert_eq!("Klingon".parse::<ScriptName>().unwrap_err().to_string(), format!("scripts.mixed: {no_script}"));
    }

    #[test]
    fn impossible_schemes() {
        for scheme in ["", "HTTP", "1http", "http:", "h ttp", "ñ", "-"] {
            let message =
                "line 1: scheme: not a scheme: a lower-case letter, then lower-case letters, digits, `+`, `.` or `-`";
            assert_eq!(errors(&format!("scheme = \"{scheme}\"")), [message], "{scheme}");
        }
    }

    #[test]
    fn every_flag_may_be_disabled() {
        for row in FLAGS {
            let config = Config::from_toml(&format!("flags.disable = [\"{}\"]", row.name)).unwrap();
            assert!(!config.flags.raises(row.flag), "{}", row.name);
        }
    }

    #[test]
    fn syntax_errors_have_lines_and_end_the_judging() {
        let text = "colour = 1\nscheme = \n[lines]\nlocal_flags = 1\n[lines]\n";
        let expected = [
            "line 1: colour: unknown key",
            "line 2: not TOML: string values must be quoted, expected literal string",
            "line 5: not TOML: duplicate key",
        ];
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn lines_are_counted_with_either_line_end() {
        assert_eq!(errors("# ñ\r\n\r\nscheme = 1\r\n"), ["line 3: scheme: expected a string, found an integer"]);
    }

    #[test]
    fn set_takes_values_and_bare_words() {
        let mut config = Config::default();
        config.set("scheme", "https").unwrap();
        config.set("flags.enable", "['JWT']").unwrap();
        config.set("limits.buckets", "[1, 2]").unwrap();
        config.set("scripts.mixed", "[]").unwrap();
        assert_eq!(config.scheme, "https");
        assert_eq!(config.flags.enable, [Flag::Jwt]);
        assert_eq!(config.limits.buckets, [1, 2]);
        assert!(config.scripts.mixed.is_empty());
        config.set("scheme", "\"coap\"").unwrap();
        assert_eq!(config.scheme, "coap");
    }

    #[test]
    fn set_refuses_and_changes_nothing() {
        let mut config = Config::default();
        let cases = [
            ("", "1", "\"\": unknown key"),
            ("lines", "true", "lines: a table; set one of its keys, such as `lines.local_flags`"),
            ("keys_sorted", "true", "keys_sorted: unknown key; did you mean `lines.keys_sorted`?"),
            ("line.keys_sorted", "true", "line.keys_sorted: unknown key; did you mean `lines.keys_sorted`?"),
            ("lines.a\nb", "true", "lines.\"a\\u000Ab\": unknown key"),
            ("lines.keys_sorted", "yes", "lines.keys_sorted: expected a boolean, found a string"),
            ("scheme", "true", "scheme: expected a string, found a boolean"),
            ("flags.enable", "JWT", "flags.enable: expected an array of strings, found a string"),
            (
                "flags.disable",
                "['X1', 'NUL', 'X2']",
                "flags.disable: item 1: no flag has this name; item 3: no flag has this name",
            ),
        ];
        for (key, value, message) in cases {
            assert_eq!(config.set(key, value).unwrap_err().to_string(), message);
        }
        for value in ["", "[1", "a b", "true\nscheme = 1", "\"open"] {
            let error = config.set("scheme", value).unwrap_err();
            assert!(error.reason().starts_with("not a TOML value: "), "{value:?}: {error}");
            assert_eq!((error.line(), error.key()), (None, "scheme"));
        }
        assert_eq!(config, Config::default());
    }
}
