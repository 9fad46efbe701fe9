//! The configuration as the stages use it: what was typed, and what it means.

use icu_properties::props::Script;

use crate::config::Config;
use crate::findings::FlagSet;
use crate::stage::redact::{fold_configured, sensitive_rows};
use crate::table::flags::FLAGS;

pub(crate) struct Settings {
    pub(crate) scheme: String,
    pub(crate) flags: FlagSet,
    pub(crate) max_per_name: usize,
    pub(crate) local_flags: bool,
    pub(crate) keys_sorted: bool,
    pub(crate) query_by_key: bool,
    pub(crate) long_value: usize,
    pub(crate) user_agent_tokens: usize,
    pub(crate) body_depth: usize,
    pub(crate) body_fields: usize,
    pub(crate) inflated_bytes: usize,
    pub(crate) inflation_ratio: usize,
    pub(crate) buckets: Buckets,
    pub(crate) entropy: bool,
    pub(crate) length_bucket: bool,
    pub(crate) normalise_values: bool,
    /// Sorted, lower case.
    pub(crate) known_headers: Vec<String>,
    /// Folded as names are when they are compared.
    pub(crate) extra_names: Vec<Vec<u8>>,
    pub(crate) scripts: Vec<Script>,
    /// Whether the name of each row of the header table is sensitive.
    pub(crate) sensitive_rows: Vec<bool>,
}

impl Settings {
    pub(crate) fn new(config: &Config) -> Settings {
        let mut known_headers: Vec<String> =
            config.headers.known.iter().map(|name| name.to_ascii_lowercase()).collect();
        known_headers.sort_unstable();
        let extra_names = config.secrets.extra_names.iter().map(|name| fold_configured(name));
        let mut settings = Settings {
            scheme: config.scheme.clone(),
            flags: FLAGS.iter().map(|row| row.flag).filter(|&flag| config.flags.raises(flag)).collect(),
            max_per_name: config.flags.max_per_name.max(1),
            local_flags: config.lines.local_flags,
            keys_sorted: config.lines.keys_sorted,
            query_by_key: config.lines.query_by_key,
            long_value: config.limits.long_value,
            user_agent_tokens: config.limits.user_agent_tokens,
            body_depth: config.limits.body_depth,
            body_fields: config.limits.body_fields.max(1),
            inflated_bytes: config.limits.inflated_bytes,
            inflation_ratio: config.limits.inflation_ratio,
            buckets: Buckets::new(&config.limits.buckets),
            entropy: config.shapes.entropy,
            length_bucket: config.shapes.length_bucket,
            normalise_values: config.headers.normalise_values,
            known_headers,
            extra_names: extra_names.filter(|name| !name.is_empty()).collect(),
            scripts: config.scripts.mixed.iter().map(|name| name.script()).collect(),
            sensitive_rows: Vec::new(),
        };
        settings.sensitive_rows = sensitive_rows(&settings);
        settings
    }
}

/// The buckets of lengths, each with its label.
pub(crate) struct Buckets {
    upper: Vec<u64>,
    labels: Vec<String>,
}

impl Buckets {
    fn new(bounds: &[u64]) -> Buckets {
        let mut upper = bounds.to_vec();
        upper.sort_unstable();
        upper.dedup();
        let mut lower = 0;
        let mut labels: Vec<String> = Vec::with_capacity(upper.len() + 1);
        for &bound in &upper {
            labels.push(format!("{lower}-{bound}"));
            lower = bound.saturating_add(1);
        }
        labels.push(match upper.last() {
            Some(last) => format!(">{last}"),
            None => format!("0-{}", u64::MAX),
        });
        Buckets { upper, labels }
    }

    pub(crate) fn label(&self, len: usize) -> &str {
        &self.labels[self.upper.partition_point(|&bound| bound < len as u64)]
    }
}
